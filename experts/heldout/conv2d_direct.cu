// Direct convolution, filter extents at run time, 64-bit indices.
struct Shape {
  int c, h, w;
};

__device__ long long at(const Shape &s, int c, int y, int x) {
  return ((long long)c * s.h + y) * s.w + x;
}

extern "C" __global__ void conv2d_direct(const float *in, const float *filter,
                                         float *out, int channels, int h, int w,
                                         int r, int s) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  Shape shape{channels, h, w};
  int oh = h - r + 1, ow = w - s + 1;
  if (x >= ow || y >= oh)
    return;
  float sum = 0;
  for (int c = 0; c < channels; ++c)
    for (int i = 0; i < r; ++i)
      for (int j = 0; j < s; ++j)
        sum += in[at(shape, c, y + i, x + j)] * filter[(c * r + i) * s + j];
  out[(long long)y * ow + x] = sum;
}
