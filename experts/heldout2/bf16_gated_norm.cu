// y = rms_norm(x) * gain * silu(gate) in bf16 with sums in f32; a block a row.
#include <cuda_bf16.h>

namespace {
struct RowView {
  const __nv_bfloat16 *x, *gate;
  __nv_bfloat16 *y;
  int cols;
  __device__ RowView(const __nv_bfloat16 *x, const __nv_bfloat16 *gate,
                     __nv_bfloat16 *y, int row, int cols)
      : x(x + (long)row * cols), gate(gate + (long)row * cols),
        y(y + (long)row * cols), cols(cols) {}
};
} // namespace

__device__ float silu(float v) { return v / (1.0f + __expf(-v)); }

__device__ float squares(const RowView &row) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < row.cols; i += blockDim.x) {
    float v = __bfloat162float(row.x[i]);
    sum = fmaf(v, v, sum);
  }
  return sum;
}

extern "C" __global__ void bf16_gated_norm(const __nv_bfloat16 *x,
                                           const __nv_bfloat16 *gate,
                                           const float *gain, __nv_bfloat16 *y,
                                           int cols, float eps) {
  __shared__ float sums[4];
  RowView row(x, gate, y, blockIdx.x, cols);
  float sum = squares(row);
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (threadIdx.x % warpSize == 0)
    sums[threadIdx.x / warpSize] = sum;
  __syncthreads();
  sum = sums[0] + sums[1] + sums[2] + sums[3];
  float scale = rsqrtf(sum / cols + eps);
  for (int i = threadIdx.x; i < cols; i += blockDim.x) {
    float v = __bfloat162float(row.x[i]) * scale * gain[i];
    row.y[i] = __float2bfloat16(v * silu(__bfloat162float(row.gate[i])));
  }
}
