// An array of structures, moved one step.
struct Particle {
  float x, y, z, mass;
  float vx, vy, vz, pad;
};

__device__ float length(const Particle &p) {
  return sqrtf(p.vx * p.vx + p.vy * p.vy + p.vz * p.vz);
}

extern "C" __global__ void particles(Particle *p, float *speed, unsigned count,
                                     float dt) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    p[i].x += dt * p[i].vx;
    p[i].y += dt * p[i].vy;
    p[i].z += dt * p[i].vz;
    speed[i] = length(p[i]);
  }
}
