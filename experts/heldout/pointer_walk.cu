// Pointers that advance, an end pointer, and a while loop.
extern "C" __global__ void pointer_walk(const float *in, float *out, int rows,
                                        int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  const float *p = in + row * cols;
  const float *end = p + cols;
  float best = *p++;
  while (p != end) {
    if (*p > best)
      best = *p;
    ++p;
  }
  out[row] = best;
}
