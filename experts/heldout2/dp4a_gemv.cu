// y = scale * (A . x) with int8 weights and activations, four in a word; a warp
// a row, rows of `words` words, 128-bit loads as far as they go.
__device__ int dotOf(const int4 &a, const int4 &x, int sum) {
  sum = __dp4a(a.x, x.x, sum);
  sum = __dp4a(a.y, x.y, sum);
  sum = __dp4a(a.z, x.z, sum);
  return __dp4a(a.w, x.w, sum);
}

extern "C" __global__ void dp4a_gemv(const int *__restrict__ a,
                                     const int *__restrict__ x,
                                     const float *__restrict__ scales,
                                     float *__restrict__ y, int rows,
                                     int words) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  const int *line = a + (size_t)row * words;
  int sum = 0;
  int done = 0;
  if (words % 4 == 0) {
    for (int i = lane; i < words / 4; i += 32)
      sum = dotOf(reinterpret_cast<const int4 *>(line)[i],
                  reinterpret_cast<const int4 *>(x)[i], sum);
    done = words;
  }
  for (int i = done + lane; i < words; i += 32)
    sum = __dp4a(line[i], x[i], sum);
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0)
    y[row] = __int2float_rn(sum) * scales[row];
}
