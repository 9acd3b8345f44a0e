// Dropout whose mask comes from a counter (Philox 4x32, 7 rounds), so that the
// backward pass can make it again; four elements a thread.
struct Philox {
  uint2 key;
  __device__ explicit Philox(unsigned long long seed)
      : key(make_uint2((unsigned)seed, (unsigned)(seed >> 32))) {}
  __device__ static uint4 round(const uint4 &c, const uint2 &k) {
    unsigned lo0 = 0xD2511F53u * c.x, hi0 = __umulhi(0xD2511F53u, c.x);
    unsigned lo1 = 0xCD9E8D57u * c.z, hi1 = __umulhi(0xCD9E8D57u, c.z);
    return make_uint4(hi1 ^ c.y ^ k.x, lo1, hi0 ^ c.w ^ k.y, lo0);
  }
  __device__ uint4 operator()(unsigned long long counter) const {
    uint4 c = make_uint4((unsigned)counter, (unsigned)(counter >> 32), 0, 0);
    uint2 k = key;
    for (int i = 0; i < 7; ++i) {
      c = round(c, k);
      k.x += 0x9E3779B9u;
      k.y += 0xBB67AE85u;
    }
    return c;
  }
};

__device__ float uniform(unsigned bits) {
  return __uint_as_float(0x3f800000u | bits >> 9) - 1.0f;
}

extern "C" __global__ void philox_dropout(const float *x, float *y,
                                          unsigned long long count,
                                          unsigned long long seed, float drop) {
  const Philox random(seed);
  const float scale = 1.0f / (1.0f - drop);
  const unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
  unsigned long long group = (unsigned long long)blockIdx.x * blockDim.x +
                             threadIdx.x;
  for (; group * 4 < count; group += stride) {
    const uint4 bits = random(group);
    const float keep[4] = {uniform(bits.x), uniform(bits.y), uniform(bits.z),
                           uniform(bits.w)};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      unsigned long long i = group * 4 + j;
      if (i >= count)
        break;
      y[i] = keep[j] >= drop ? x[i] * scale : 0.0f;
    }
  }
}
