// Five-point stencil; borders are copied.
extern "C" __global__ void stencil_2d(const float *__restrict__ in,
                                      float *__restrict__ out, int rows,
                                      int cols, float weight) {
  __shared__ float tile[18][18];
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  for (int dy = threadIdx.y; dy < 18; dy += 16)
    for (int dx = threadIdx.x; dx < 18; dx += 16) {
      int gx = min(max((int)blockIdx.x * 16 + dx - 1, 0), cols - 1);
      int gy = min(max((int)blockIdx.y * 16 + dy - 1, 0), rows - 1);
      tile[dy][dx] = in[gy * cols + gx];
    }
  __syncthreads();
  if (x >= cols || y >= rows)
    return;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  float center = tile[ty][tx];
  if (x > 0 && y > 0 && x < cols - 1 && y < rows - 1)
    center += weight * (tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] +
                        tile[ty][tx + 1] - 4.0f * center);
  out[y * cols + x] = center;
}
