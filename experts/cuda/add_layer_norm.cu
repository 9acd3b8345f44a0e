// residual += x; y = layer norm of residual. One warp a row.
__device__ static float sumOfWarp(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1)
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

extern "C" __global__ void
add_layer_norm(const float *__restrict__ x, float *__restrict__ residual,
               const float *__restrict__ gamma, const float *__restrict__ beta,
               float *__restrict__ y, int rows, int cols, float eps) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows)
    return;
  int base = row * cols;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < cols; i += 32) {
    float value = x[base + i] + residual[base + i];
    residual[base + i] = value;
    sum += value;
  }
  float mean = sumOfWarp(sum) / cols;
  float squares = 0.0f;
  for (int i = threadIdx.x; i < cols; i += 32) {
    float centered = residual[base + i] - mean;
    squares += centered * centered;
  }
  float scale = rsqrtf(sumOfWarp(squares) / cols + eps);
  for (int i = threadIdx.x; i < cols; i += 32)
    y[base + i] = (residual[base + i] - mean) * scale * gamma[i] + beta[i];
}
