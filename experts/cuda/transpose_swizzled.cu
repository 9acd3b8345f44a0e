// 32 x 32 tiles; instead of padding, the column of a tile is xored with its row,
// so that a row and a column each touch 32 banks. 32 x 8 threads.
__device__ static int place(int row, int col) { return row * 32 + (col ^ row); }

extern "C" __global__ void transpose_swizzled(const float *__restrict__ in,
                                              float *__restrict__ out, int rows,
                                              int cols) {
  __shared__ float tile[32 * 32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int i = 0; i < 32; i += 8)
    if (x < cols && y + i < rows)
      tile[place(threadIdx.y + i, threadIdx.x)] = in[(y + i) * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int i = 0; i < 32; i += 8)
    if (x < rows && y + i < cols)
      out[(y + i) * rows + x] = tile[place(threadIdx.x, threadIdx.y + i)];
}
