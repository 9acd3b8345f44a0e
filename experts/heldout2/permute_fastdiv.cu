// (n, h, w, c) to (n, c, h, w) for bytes; indices are unsigned, divided by
// multiplication with a reciprocal that each block prepares in shared memory.
struct FastDivider {
  unsigned divisor, factor, shift;
};

__device__ void prepare(FastDivider &d, unsigned divisor) {
  d.divisor = divisor;
  d.shift = 32 - __clz(divisor - 1);
  if (divisor == 1)
    d.shift = 0;
  unsigned long long power = 1ull << d.shift;
  d.factor = unsigned(((1ull << 32) * (power - divisor)) / divisor + 1);
}

__device__ unsigned divide(const FastDivider &d, unsigned n, unsigned &rest) {
  unsigned long long high = __umulhi(d.factor, n);
  unsigned quotient = unsigned((high + n) >> d.shift);
  rest = n - quotient * d.divisor;
  return quotient;
}

extern "C" __global__ void permute_fastdiv(const unsigned char *in,
                                           unsigned char *out, unsigned images,
                                           unsigned h, unsigned w, unsigned c) {
  __shared__ FastDivider byWidth, byHeight, byChannel;
  switch (threadIdx.x) {
  case 0:
    prepare(byWidth, w);
    break;
  case 1:
    prepare(byHeight, h);
    break;
  case 2:
    prepare(byChannel, c);
    break;
  }
  __syncthreads();
  const unsigned total = images * c * h * w;
  for (unsigned to = blockIdx.x * blockDim.x + threadIdx.x; to < total;
       to += gridDim.x * blockDim.x) {
    unsigned x, y, channel;
    unsigned rest = divide(byWidth, to, x);
    rest = divide(byHeight, rest, y);
    unsigned image = divide(byChannel, rest, channel);
    out[to] = in[((image * h + y) * w + x) * c + channel];
  }
}
