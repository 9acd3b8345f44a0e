// y = x / sqrt(mean(x^2) + eps) * weight, one block a row: shuffles inside a
// warp, shared memory between warps.
extern "C" __global__ void __launch_bounds__(128)
    rms_norm(const float *__restrict__ x, const float *__restrict__ weight,
             float *__restrict__ y, int cols, float eps) {
  __shared__ float perWarp[4];
  int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
  const float *in = x + (size_t)blockIdx.x * cols;
  float *out = y + (size_t)blockIdx.x * cols;
  float sum = 0.0f;
  for (int i = tid; i < cols; i += 128)
    sum += in[i] * in[i];
  for (int offset = 16; offset > 0; offset >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0)
    perWarp[warp] = sum;
  __syncthreads();
  float total = perWarp[0] + perWarp[1] + perWarp[2] + perWarp[3];
  float scale = rsqrtf(total / cols + eps);
  for (int i = tid; i < cols; i += 128)
    out[i] = in[i] * scale * weight[i];
}
