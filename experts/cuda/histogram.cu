// Each block counts in shared memory first. Values are 0 to 63.
extern "C" __global__ void histogram(const int *__restrict__ values,
                                     int *__restrict__ bins, int count) {
  __shared__ int local[64];
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
    atomicAdd(&local[values[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += blockDim.x)
    atomicAdd(&bins[i], local[i]);
}
