// One block reduces one row: a tree in shared memory, twice.
constexpr int kThreads = 128;

extern "C" __global__ void __launch_bounds__(kThreads)
    softmax_shared(const float *__restrict__ x, float *__restrict__ y,
                   int cols) {
  __shared__ float partial[kThreads];
  int tid = threadIdx.x;
  const float *in = x + (size_t)blockIdx.x * cols;
  float *out = y + (size_t)blockIdx.x * cols;
  float largest = -INFINITY;
  for (int i = tid; i < cols; i += kThreads)
    largest = fmaxf(largest, in[i]);
  partial[tid] = largest;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half >>= 1) {
    if (tid < half)
      partial[tid] = fmaxf(partial[tid], partial[tid + half]);
    __syncthreads();
  }
  largest = partial[0];
  __syncthreads();
  float sum = 0.0f;
  for (int i = tid; i < cols; i += kThreads)
    sum += __expf(in[i] - largest);
  partial[tid] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half >>= 1) {
    if (tid < half)
      partial[tid] += partial[tid + half];
    __syncthreads();
  }
  float scale = 1.0f / partial[0];
  for (int i = tid; i < cols; i += kThreads)
    out[i] = __expf(in[i] - largest) * scale;
}
