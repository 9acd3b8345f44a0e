// Shared memory of a size known at launch, and a block of any power of two.
extern __shared__ float scratch[];

extern "C" __global__ void dynamic_reduce(const float *in, float *out,
                                          size_t count) {
  unsigned tid = threadIdx.x;
  size_t i = (size_t)blockIdx.x * blockDim.x * 2 + tid;
  float sum = i < count ? in[i] : 0.0f;
  if (i + blockDim.x < count)
    sum += in[i + blockDim.x];
  scratch[tid] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s)
      scratch[tid] += scratch[tid + s];
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = scratch[0];
}
