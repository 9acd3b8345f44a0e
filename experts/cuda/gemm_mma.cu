// C = A * B in bf16 with f32 sums: cp.async in three stages, tiles in shared
// memory with their 16-byte pieces permuted so that ldmatrix meets no bank twice,
// mma.sync m16n8k16. Rows of A and B are multiples of eight elements.
#include <cuda_bf16.h>
#include <stdint.h>

constexpr int kM = 128, kN = 128, kK = 32, kStages = 3, kThreads = 128;

__device__ uint32_t sharedAddress(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ void copyAsync(void *to, const void *from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                   sharedAddress(to)),
               "l"(from), "r"(inside ? 16 : 0)
               : "memory");
}

__device__ void loadMatrices(uint32_t (&to)[4], const void *from) {
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
      : "r"(sharedAddress(from))
      : "memory");
}

__device__ void loadTransposed(uint32_t (&to)[4], const void *from) {
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
      : "r"(sharedAddress(from))
      : "memory");
}

__device__ void multiply(float (&sum)[4], const uint32_t (&a)[4], uint32_t b0,
                         uint32_t b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Where piece `piece` of a row lies.
__device__ int offsetA(int row, int piece) {
  return row * kK + (piece ^ (row >> 1 & 3)) * 8;
}
__device__ int offsetB(int row, int piece) {
  return row * kN + (piece ^ (row & 7)) * 8;
}

extern "C" __global__ void __launch_bounds__(kThreads)
    gemm_mma(int m, int n, int k, const __nv_bfloat16 *__restrict__ a,
             const __nv_bfloat16 *__restrict__ b, float *__restrict__ c) {
  __shared__ __align__(16) __nv_bfloat16 tileA[kStages * kM * kK];
  __shared__ __align__(16) __nv_bfloat16 tileB[kStages * kK * kN];
  int thread = threadIdx.x, lane = thread & 31, warp = thread >> 5;
  int row0 = blockIdx.y * kM, col0 = blockIdx.x * kN;
  int warpRow = (warp & 1) * 64, warpCol = (warp >> 1) * 64;
  int tiles = (k + kK - 1) / kK;

  auto load = [&](int tile, int stage) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      int row = i * 32 + (thread >> 2), piece = thread & 3;
      int at = tile * kK + piece * 8;
      bool inside = row0 + row < m && at < k;
      copyAsync(&tileA[stage * kM * kK + offsetA(row, piece)],
                a + (inside ? static_cast<int64_t>(row0 + row) * k + at : 0),
                inside);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      int row = i * 8 + (thread >> 4), piece = thread & 15;
      int at = tile * kK + row;
      bool inside = at < k && col0 + piece * 8 < n;
      copyAsync(&tileB[stage * kK * kN + offsetB(row, piece)],
                b + (inside ? static_cast<int64_t>(at) * n + col0 + piece * 8
                            : 0),
                inside);
    }
  };

  float sums[4][8][4] = {};
#pragma unroll
  for (int stage = 0; stage < kStages - 1; ++stage) {
    if (stage < tiles)
      load(stage, stage);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  for (int tile = 0; tile < tiles; ++tile) {
    asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2) : "memory");
    __syncthreads();
    int next = tile + kStages - 1;
    if (next < tiles)
      load(next, next % kStages);
    asm volatile("cp.async.commit_group;" ::: "memory");
    int stage = tile % kStages;
#pragma unroll
    for (int step = 0; step < kK / 16; ++step) {
      uint32_t left[4][4], right[4][4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        loadMatrices(left[i],
                     &tileA[stage * kM * kK +
                            offsetA(warpRow + i * 16 + (lane & 15),
                                    step * 2 + (lane >> 4))]);
#pragma unroll
      for (int j = 0; j < 4; ++j)
        loadTransposed(right[j],
                       &tileB[stage * kK * kN +
                              offsetB(step * 16 + (lane & 15),
                                      warpCol / 8 + j * 2 + (lane >> 4))]);
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
          multiply(sums[i][j], left[i], right[j / 2][j % 2 * 2],
                   right[j / 2][j % 2 * 2 + 1]);
    }
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        int row = row0 + warpRow + i * 16 + half * 8 + (lane >> 2);
        int col = col0 + warpCol + j * 8 + (lane & 3) * 2;
        if (row < m && col < n)
          *reinterpret_cast<float2 *>(c + static_cast<int64_t>(row) * n + col) =
              make_float2(sums[i][j][half * 2], sums[i][j][half * 2 + 1]);
      }
}
