// Rotary embedding of keys, written through a table of pages into a paged
// cache: page p of the cache holds 16 positions of all heads.
struct Cache {
  float *data;
  const int *pages;
  int heads, dim;
  __device__ float2 *at(int position, int head, int pair) const {
    long long page = pages[position >> 4];
    long long element = ((page * 16 + (position & 15)) * heads + head) * dim;
    return reinterpret_cast<float2 *>(data + element) + pair;
  }
};

__device__ float2 rotate(const float2 &v, float angle) {
  float s, c;
  sincosf(angle, &s, &c);
  return make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
}

extern "C" __global__ void rope_cache(const float *keys, float *cache,
                                      const int *pages, int tokens, int heads,
                                      int dim, float logBase) {
  int token = blockIdx.x;
  if (token >= tokens)
    return;
  const Cache to{cache, pages, heads, dim};
  const int half = dim / 2;
  const float2 *from =
      reinterpret_cast<const float2 *>(keys + (size_t)token * heads * dim);
  for (int i = threadIdx.x; i < heads * half; i += blockDim.x) {
    int head = i / half, pair = i % half;
    float frequency = expf(-logBase * (2.0f * pair) / dim);
    *to.at(token, head, pair) = rotate(from[i], token * frequency);
  }
}
