// A template over type and vector width, instantiated once.
template <typename T, int N> struct Pack {
  T values[N];
};

template <typename T, int N>
__device__ void axpby(T a, const Pack<T, N> &x, T b, Pack<T, N> &y) {
#pragma unroll
  for (int i = 0; i < N; ++i)
    y.values[i] = a * x.values[i] + b * y.values[i];
}

extern "C" __global__ void axpby_template(long long packs, float a, float b,
                                          const Pack<float, 2> *x,
                                          Pack<float, 2> *y) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= packs)
    return;
  Pack<float, 2> value = y[i];
  axpby(a, x[i], b, value);
  y[i] = value;
}
