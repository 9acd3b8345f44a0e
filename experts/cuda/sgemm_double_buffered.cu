// 64 x 64 tiles of C, 16 x 16 threads, 4 x 4 elements a thread. While a tile is
// multiplied, the next one is on its way to registers; two buffers in shared
// memory need one barrier a tile. Any extents.
constexpr int kTile = 64, kDepth = 8;

struct Fragment {
  float a[2], b[2];
};

__device__ static Fragment fetch(const float *__restrict__ a,
                                 const float *__restrict__ b, int m, int n,
                                 int k, int base) {
  Fragment next;
  int tid = threadIdx.x;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    int item = tid + i * 256;
    int row = blockIdx.y * kTile + item / kDepth, depth = base + item % kDepth;
    next.a[i] = row < m && depth < k ? a[row * k + depth] : 0.0f;
    int col = blockIdx.x * kTile + item % kTile;
    depth = base + item / kTile;
    next.b[i] = col < n && depth < k ? b[depth * n + col] : 0.0f;
  }
  return next;
}

extern "C" __global__ void __launch_bounds__(256)
    sgemm_double_buffered(int m, int n, int k, const float *__restrict__ a,
                          const float *__restrict__ b, float *__restrict__ c) {
  // One column of padding: the store of A goes down a column.
  __shared__ float tileA[2][kDepth][kTile + 1];
  __shared__ float tileB[2][kDepth][kTile];
  int tid = threadIdx.x;
  int tx = tid % 16, ty = tid / 16;
  float sum[4][4] = {};
  Fragment next = fetch(a, b, m, n, k, 0);
  int buffer = 0;
  for (int base = 0; base < k; base += kDepth) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      int item = tid + i * 256;
      tileA[buffer][item % kDepth][item / kDepth] = next.a[i];
      tileB[buffer][item / kTile][item % kTile] = next.b[i];
    }
    __syncthreads();
    if (base + kDepth < k)
      next = fetch(a, b, m, n, k, base + kDepth);
#pragma unroll
    for (int d = 0; d < kDepth; ++d)
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          sum[i][j] += tileA[buffer][d][ty * 4 + i] * tileB[buffer][d][tx + j * 16];
    buffer ^= 1;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    int row = blockIdx.y * kTile + ty * 4 + i;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      int col = blockIdx.x * kTile + tx + j * 16;
      if (row < m && col < n)
        c[row * n + col] = sum[i][j];
    }
  }
}
