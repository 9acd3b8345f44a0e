// One thread computes one element of C = A * B. All matrices are row-major.
extern "C" __global__ void sgemm_naive(int m, int n, int k,
                                       const float *__restrict__ a,
                                       const float *__restrict__ b,
                                       float *__restrict__ c) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n)
    return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}
