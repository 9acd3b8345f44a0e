// Inclusive prefix sum of 256 elements a block: shuffles in a warp, then the
// sums of the warps.
extern "C" __global__ void __launch_bounds__(256)
    block_scan(const int *__restrict__ in, int *__restrict__ out, int count) {
  __shared__ int sums[8];
  int i = blockIdx.x * 256 + threadIdx.x;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int value = i < count ? in[i] : 0;
  for (int offset = 1; offset < 32; offset <<= 1) {
    int other = __shfl_up_sync(0xffffffffu, value, offset);
    if (lane >= offset)
      value += other;
  }
  if (lane == 31)
    sums[warp] = value;
  __syncthreads();
  for (int w = 0; w < warp; ++w)
    value += sums[w];
  if (i < count)
    out[i] = value;
}
