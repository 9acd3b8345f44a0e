// Accelerations of bodies {x, y, z, mass} in double precision, tiles of 32
// bodies in shared memory.
struct Body {
  double x, y, z, mass;
};

struct Vec3 {
  double x, y, z;
  __device__ Vec3 operator-(const Vec3 &o) const {
    return {x - o.x, y - o.y, z - o.z};
  }
  __device__ Vec3 &operator+=(const Vec3 &o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
  __device__ double dot(const Vec3 &o) const {
    return x * o.x + y * o.y + z * o.z;
  }
};

__device__ Vec3 operator*(double s, const Vec3 &v) {
  return {s * v.x, s * v.y, s * v.z};
}

extern "C" __global__ void nbody_double(const Body *bodies, double *acc,
                                        int count, double softening) {
  __shared__ double tile[4][32];
  int i = blockIdx.x * 32 + threadIdx.x;
  Body self = i < count ? bodies[i] : Body{0, 0, 0, 0};
  Vec3 here{self.x, self.y, self.z}, sum{0, 0, 0};
  for (int base = 0; base < count; base += 32) {
    int j = base + threadIdx.x;
    Body other = j < count ? bodies[j] : Body{0, 0, 0, 0};
    tile[0][threadIdx.x] = other.x;
    tile[1][threadIdx.x] = other.y;
    tile[2][threadIdx.x] = other.z;
    tile[3][threadIdx.x] = other.mass;
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
      Vec3 delta = Vec3{tile[0][k], tile[1][k], tile[2][k]} - here;
      double inverse = 1.0 / sqrt(delta.dot(delta) + softening * softening);
      sum += (tile[3][k] * inverse * inverse * inverse) * delta;
    }
    __syncthreads();
  }
  if (i >= count)
    return;
  acc[3 * i] = sum.x;
  acc[3 * i + 1] = sum.y;
  acc[3 * i + 2] = sum.z;
}
