// Sorts 128 keys a block in shared memory.
__device__ __forceinline__ void order(unsigned &a, unsigned &b, bool up) {
  if ((a > b) == up) {
    unsigned t = a;
    a = b;
    b = t;
  }
}

extern "C" __global__ void bitonic_sort(unsigned *keys) {
  __shared__ unsigned s[128];
  unsigned *block = keys + blockIdx.x * 128;
  s[threadIdx.x] = block[threadIdx.x];
  s[threadIdx.x + 64] = block[threadIdx.x + 64];
  for (unsigned size = 2; size <= 128; size <<= 1) {
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      bool up = size == 128 || (threadIdx.x & (size / 2)) == 0;
      order(s[pos], s[pos + stride], up);
    }
  }
  __syncthreads();
  block[threadIdx.x] = s[threadIdx.x];
  block[threadIdx.x + 64] = s[threadIdx.x + 64];
}
