// Maximum and sum of each column over slices of rows: the maximum by atomics on
// bits that order as floats do, the sum in double by compare and swap.
union Bits {
  float value;
  unsigned bits;
};

__device__ unsigned ordered(float value) {
  Bits b;
  b.value = value;
  return b.bits & 0x80000000u ? ~b.bits : b.bits | 0x80000000u;
}

__device__ void addDouble(double *to, double value) {
  auto *word = reinterpret_cast<unsigned long long *>(to);
  unsigned long long old = *word, expected;
  do {
    expected = old;
    double sum = value + __longlong_as_double(expected);
    old = atomicCAS(word, expected, __double_as_longlong(sum));
  } while (old != expected);
}

extern "C" __global__ void column_stats_atomic(const float *in,
                                               unsigned *largest, double *sums,
                                               int rows, int cols, int slice) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols)
    return;
  int first = blockIdx.y * slice;
  int last = min(first + slice, rows);
  if (first >= last)
    return;
  float best = in[first * cols + col];
  double sum = best;
  for (int row = first + 1; row < last; ++row) {
    float value = in[row * cols + col];
    best = fmaxf(best, value);
    sum += value;
  }
  atomicMax(&largest[col], ordered(best));
  addDouble(&sums[col], sum);
}
