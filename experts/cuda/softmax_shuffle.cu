// One warp reduces one row; four rows a block. Partial results travel by
// shuffles alone.
__device__ static float warpMax(float value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

__device__ static float warpSum(float value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

extern "C" __global__ void softmax_shuffle(const float *__restrict__ x,
                                           float *__restrict__ y, int rows,
                                           int cols) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows)
    return;
  const float *in = x + (long long)row * cols;
  float *out = y + (long long)row * cols;
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < cols; i += 32)
    largest = fmaxf(largest, in[i]);
  largest = warpMax(largest);
  float sum = 0.0f;
  for (int i = threadIdx.x; i < cols; i += 32)
    sum += expf(in[i] - largest);
  sum = warpSum(sum);
  float scale = 1.0f / sum;
  for (int i = threadIdx.x; i < cols; i += 32)
    out[i] = expf(in[i] - largest) * scale;
}
