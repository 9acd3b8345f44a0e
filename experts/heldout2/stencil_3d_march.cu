// A 7-point stencil that marches through z: the plane is in shared memory with
// a border, the planes before and after it in registers. Borders are kept.
constexpr int kX = 16, kY = 8;
__constant__ const float kWeights[4] = {0.4f, 0.125f, 0.1f, 0.075f};

struct Grid {
  int nx, ny, nz;
  __device__ unsigned long at(int x, int y, int z) const {
    return ((unsigned long)z * ny + y) * nx + x;
  }
  __device__ bool inner(int x, int y) const {
    return x > 0 && y > 0 && x < nx - 1 && y < ny - 1;
  }
};

extern "C" __global__ void __launch_bounds__(kX *kY)
    stencil_3d_march(const float *__restrict__ in, float *__restrict__ out,
                     int nx, int ny, int nz) {
  __shared__ float plane[kY + 2][kX + 2];
  const Grid grid{nx, ny, nz};
  const int x = blockIdx.x * kX + threadIdx.x;
  const int y = blockIdx.y * kY + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const bool inside = x < nx && y < ny;
  float below = 0, here = inside ? in[grid.at(x, y, 0)] : 0;
  for (int z = 0; z < nz; ++z) {
    float above = inside && z + 1 < nz ? in[grid.at(x, y, z + 1)] : 0;
    __syncthreads();
    plane[ty][tx] = here;
    if (threadIdx.x == 0 && x > 0 && y < ny)
      plane[ty][0] = in[grid.at(x - 1, y, z)];
    if (threadIdx.x == kX - 1 && x + 1 < nx && y < ny)
      plane[ty][kX + 1] = in[grid.at(x + 1, y, z)];
    if (threadIdx.y == 0 && y > 0 && x < nx)
      plane[0][tx] = in[grid.at(x, y - 1, z)];
    if (threadIdx.y == kY - 1 && y + 1 < ny && x < nx)
      plane[kY + 1][tx] = in[grid.at(x, y + 1, z)];
    __syncthreads();
    if (inside) {
      float result = here;
      if (grid.inner(x, y) && z > 0 && z < nz - 1)
        result = kWeights[0] * here +
                 kWeights[1] * (plane[ty][tx - 1] + plane[ty][tx + 1]) +
                 kWeights[2] * (plane[ty - 1][tx] + plane[ty + 1][tx]) +
                 kWeights[3] * (below + above);
      out[grid.at(x, y, z)] = result;
    }
    below = here;
    here = above;
  }
}
