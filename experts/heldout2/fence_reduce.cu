// Sum of an array in one launch: each block leaves a partial sum, and the block
// that takes the last ticket adds them up. `ticket` starts as 0 and ends as 0.
__device__ float blockSum(float value, float *scratch) {
  const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x >> 5;
  for (int offset = 16; offset; offset >>= 1)
    value += __shfl_down_sync(~0u, value, offset);
  if (lane == 0)
    scratch[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < blockDim.x / 32 ? scratch[lane] : 0.0f;
    for (int offset = 16; offset; offset >>= 1)
      value += __shfl_down_sync(~0u, value, offset);
  }
  __syncthreads();
  return value;
}

extern "C" __global__ void fence_reduce(const float *in,
                                        volatile float *partial,
                                        float *out, unsigned *ticket,
                                        unsigned count) {
  __shared__ float scratch[32];
  __shared__ bool last;
  float value = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += blockDim.x * gridDim.x)
    value += in[i];
  value = blockSum(value, scratch);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = value;
    __threadfence();
    last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  value = 0.0f;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    value += partial[i];
  value = blockSum(value, scratch);
  if (threadIdx.x == 0)
    *out = value;
}
