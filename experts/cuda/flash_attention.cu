// Attention forward for heads of 64 elements: softmax(Q K^T / 8) V, a block of 64
// queries by four warps, keys and values in tiles of 64 through cp.async (the next
// tile while this one is used), scores and sums in registers of mma.sync m16n8k16.
// The running maximum and sum of a row follow the tiles (online softmax).
#include <cuda_bf16.h>
#include <stdint.h>

constexpr int kHead = 64, kTile = 64, kThreads = 128;
constexpr float kScale = 0.125f * 1.4426950408889634f; // 1/sqrt(64), base 2

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

__device__ uint32_t packHalves(float low, float high) {
  uint32_t packed;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
}

/// Where piece `piece` of 16 bytes of a row lies.
__device__ int offsetOf(int row, int piece) {
  return row * kHead + (piece ^ (row & 7)) * 8;
}

/// 64 rows of a head from row `first` on; rows behind the last are zero.
__device__ void loadTile(__nv_bfloat16 *to, const __nv_bfloat16 *from,
                         int first, int rows) {
#pragma unroll
  for (int i = 0; i < kTile * kHead / 8 / kThreads; ++i) {
    int at = i * kThreads + threadIdx.x;
    int row = at >> 3, piece = at & 7;
    bool inside = first + row < rows;
    copyAsync(&to[offsetOf(row, piece)],
              from + (inside ? (first + row) * kHead + piece * 8 : 0), inside);
  }
}

__device__ float maxOfFour(float value) {
  value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, 1));
  return fmaxf(value, __shfl_xor_sync(0xffffffffu, value, 2));
}

__device__ float sumOfFour(float value) {
  value += __shfl_xor_sync(0xffffffffu, value, 1);
  return value + __shfl_xor_sync(0xffffffffu, value, 2);
}

extern "C" __global__ void __launch_bounds__(kThreads)
    flash_attention(int heads, int seq, const __nv_bfloat16 *__restrict__ q,
                    const __nv_bfloat16 *__restrict__ k,
                    const __nv_bfloat16 *__restrict__ v,
                    float *__restrict__ out) {
  __shared__ __align__(16) __nv_bfloat16 tileQ[kTile * kHead];
  __shared__ __align__(16) __nv_bfloat16 tileK[2 * kTile * kHead];
  __shared__ __align__(16) __nv_bfloat16 tileV[2 * kTile * kHead];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int first = blockIdx.x * kTile;
  int64_t head = static_cast<int64_t>(blockIdx.y) * seq * kHead;
  int tiles = (seq + kTile - 1) / kTile;

  loadTile(tileQ, q + head, first, seq);
  loadTile(tileK, k + head, 0, seq);
  loadTile(tileV, v + head, 0, seq);
  asm volatile("cp.async.commit_group;" ::: "memory");

  float sums[8][4] = {}, most[2] = {-INFINITY, -INFINITY}, total[2] = {};
  uint32_t query[4][4];
  for (int tile = 0; tile < tiles; ++tile) {
    int now = (tile & 1) * kTile * kHead, next = kTile * kHead - now;
    if (tile + 1 < tiles) {
      loadTile(tileK + next, k + head, (tile + 1) * kTile, seq);
      loadTile(tileV + next, v + head, (tile + 1) * kTile, seq);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
#pragma unroll
    for (int step = 0; step < 4; ++step)
      loadMatrices(query[step], &tileQ[offsetOf(warp * 16 + (lane & 15),
                                                step * 2 + (lane >> 4))]);
    // Scores of 16 queries and 64 keys.
    float scores[8][4] = {};
#pragma unroll
    for (int step = 0; step < 4; ++step)
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        uint32_t keys[4]; // Rows are keys, so B is already by columns.
        loadMatrices(keys, &tileK[now + offsetOf(j * 16 + (lane & 15),
                                                 step * 2 + (lane >> 4))]);
        multiply(scores[j * 2], query[step], keys[0], keys[2]);
        multiply(scores[j * 2 + 1], query[step], keys[1], keys[3]);
      }
    int valid = seq - tile * kTile - (lane & 3) * 2;
    float newMost[2] = {most[0], most[1]};
#pragma unroll
    for (int j = 0; j < 8; ++j)
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        scores[j][i] = j * 8 + (i & 1) < valid ? scores[j][i] * kScale
                                               : -INFINITY;
        newMost[i >> 1] = fmaxf(newMost[i >> 1], scores[j][i]);
      }
    float factor[2];
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      newMost[row] = maxOfFour(newMost[row]);
      factor[row] = exp2f(most[row] - newMost[row]);
      most[row] = newMost[row];
      total[row] *= factor[row];
    }
#pragma unroll
    for (int j = 0; j < 8; ++j)
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        scores[j][i] = exp2f(scores[j][i] - most[i >> 1]);
        total[i >> 1] += scores[j][i];
        sums[j][i] *= factor[i >> 1];
      }
    // What was D of one product is A of the next.
#pragma unroll
    for (int step = 0; step < 4; ++step) {
      uint32_t weights[4] = {
          packHalves(scores[step * 2][0], scores[step * 2][1]),
          packHalves(scores[step * 2][2], scores[step * 2][3]),
          packHalves(scores[step * 2 + 1][0], scores[step * 2 + 1][1]),
          packHalves(scores[step * 2 + 1][2], scores[step * 2 + 1][3])};
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        uint32_t values[4];
        loadTransposed(values, &tileV[now + offsetOf(step * 16 + (lane & 15),
                                                     j * 2 + (lane >> 4))]);
        multiply(sums[j * 2], weights, values[0], values[1]);
        multiply(sums[j * 2 + 1], weights, values[2], values[3]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float scale = 1.0f / sumOfFour(total[half]);
    int row = first + warp * 16 + half * 8 + (lane >> 2);
    if (row < seq)
#pragma unroll
      for (int j = 0; j < 8; ++j)
        *reinterpret_cast<float2 *>(out + head + row * kHead + j * 8 +
                                    (lane & 3) * 2) =
            make_float2(sums[j][half * 2] * scale,
                        sums[j][half * 2 + 1] * scale);
  }
}
