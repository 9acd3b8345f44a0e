// residual += x; y = RMS norm of residual. One block a row; the sum stays in
// registers between the passes where the row is short enough.
constexpr int kThreads = 128, kHeld = 8;

__device__ static float sumOfBlock(float value, float *partial) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0)
    partial[warp] = value;
  __syncthreads();
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kThreads / 32; ++i)
    sum += partial[i];
  return sum;
}

extern "C" __global__ void __launch_bounds__(kThreads)
    add_rms_norm(const float *__restrict__ x, float *__restrict__ residual,
                 const float *__restrict__ weight, float *__restrict__ y,
                 int cols, float eps) {
  __shared__ float partial[kThreads / 32];
  int base = blockIdx.x * cols;
  float held[kHeld];
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    int col = threadIdx.x + i * kThreads;
    if (col < cols) {
      held[i] = x[base + col] + residual[base + col];
      residual[base + col] = held[i];
      squares += held[i] * held[i];
    }
  }
  for (int col = threadIdx.x + kHeld * kThreads; col < cols; col += kThreads) {
    float value = x[base + col] + residual[base + col];
    residual[base + col] = value;
    squares += value * value;
  }
  float scale = rsqrtf(sumOfBlock(squares, partial) / cols + eps);
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    int col = threadIdx.x + i * kThreads;
    if (col < cols)
      y[base + col] = held[i] * scale * weight[col];
  }
  for (int col = threadIdx.x + kHeld * kThreads; col < cols; col += kThreads)
    y[base + col] = residual[base + col] * scale * weight[col];
}
