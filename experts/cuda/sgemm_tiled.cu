// Each block stages 16 x 16 tiles of A and B in shared memory.
constexpr int kTile = 16;

extern "C" __global__ void __launch_bounds__(256)
    sgemm_tiled(int m, int n, int k, const float *__restrict__ a,
                const float *__restrict__ b, float *__restrict__ c) {
  __shared__ float tileA[kTile][kTile];
  __shared__ float tileB[kTile][kTile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * kTile + ty;
  int col = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int base = 0; base < k; base += kTile) {
    tileA[ty][tx] = row < m && base + tx < k ? a[row * k + base + tx] : 0.0f;
    tileB[ty][tx] = base + ty < k && col < n ? b[(base + ty) * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i)
      sum += tileA[ty][i] * tileB[i][tx];
    __syncthreads();
  }
  if (row < m && col < n)
    c[row * n + col] = sum;
}
