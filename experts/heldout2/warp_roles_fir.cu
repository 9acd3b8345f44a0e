// A filter of 8 taps over chunks of 64: one warp loads, two warps compute.
// A ring of two chunks; named barriers say "full" (1, 2) and "free" (3, 4).
constexpr int kTaps = 8, kChunk = 64, kStages = 2, kThreads = 96;

__device__ void waitOn(int barrier) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(kThreads) : "memory");
}

__device__ void arriveAt(int barrier) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(kThreads) : "memory");
}

extern "C" __global__ void __launch_bounds__(kThreads)
    warp_roles_fir(const float *in, const float *taps, float *out, int count,
                   int chunks) {
  __shared__ float ring[kStages][kChunk + kTaps];
  const int first = blockIdx.x * chunks * kChunk;
  if (threadIdx.x < 32) {
    for (int chunk = 0; chunk < chunks; ++chunk) {
      int stage = chunk % kStages;
      if (chunk >= kStages)
        waitOn(3 + stage);
      int base = first + chunk * kChunk;
      for (int i = threadIdx.x; i < kChunk + kTaps; i += 32)
        ring[stage][i] = base + i < count ? in[base + i] : 0.0f;
      arriveAt(1 + stage);
    }
  } else {
    const int lane = threadIdx.x - 32;
    for (int chunk = 0; chunk < chunks; ++chunk) {
      int stage = chunk % kStages;
      waitOn(1 + stage);
      float sum = 0.0f;
      for (int t = 0; t < kTaps; ++t)
        sum += ring[stage][lane + t] * taps[t];
      int at = first + chunk * kChunk + lane;
      if (at < count)
        out[at] = sum;
      if (chunk + kStages < chunks)
        arriveAt(3 + stage);
    }
  }
}
