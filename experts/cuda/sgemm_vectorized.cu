// 64 x 64 tiles of C, 16 x 16 threads, 4 x 4 elements a thread; float4 between
// global and shared memory. Extents are multiples of 64 (m, n) and 16 (k).
constexpr int kTile = 64, kDepth = 16;

extern "C" __global__ void __launch_bounds__(256)
    sgemm_vectorized(int m, int n, int k, const float *__restrict__ a,
                     const float *__restrict__ b, float *__restrict__ c) {
  __shared__ __align__(16) float tileA[kDepth][kTile];
  __shared__ __align__(16) float tileB[kDepth][kTile];
  int tid = threadIdx.x;
  int tx = tid % 16, ty = tid / 16;
  int rowA = tid / 4, colA = tid % 4 * 4;
  int rowB = tid / 16, colB = tid % 16 * 4;
  a += blockIdx.y * kTile * k;
  b += blockIdx.x * kTile;
  float sum[4][4] = {};
  for (int base = 0; base < k; base += kDepth) {
    float4 va = *reinterpret_cast<const float4 *>(a + rowA * k + base + colA);
    tileA[colA][rowA] = va.x;
    tileA[colA + 1][rowA] = va.y;
    tileA[colA + 2][rowA] = va.z;
    tileA[colA + 3][rowA] = va.w;
    *reinterpret_cast<float4 *>(&tileB[rowB][colB]) =
        *reinterpret_cast<const float4 *>(b + (base + rowB) * n + colB);
    __syncthreads();
    for (int d = 0; d < kDepth; ++d) {
      float4 left = *reinterpret_cast<float4 *>(&tileA[d][ty * 4]);
      float4 right = *reinterpret_cast<float4 *>(&tileB[d][tx * 4]);
      float l[4] = {left.x, left.y, left.z, left.w};
      float r[4] = {right.x, right.y, right.z, right.w};
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          sum[i][j] += l[i] * r[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    *reinterpret_cast<float4 *>(
        &c[(blockIdx.y * kTile + ty * 4 + i) * n + blockIdx.x * kTile + tx * 4]) =
        make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}
