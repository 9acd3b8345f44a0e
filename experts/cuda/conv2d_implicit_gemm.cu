// 2-D convolution (NCHW, stride 1) as a product: rows are output channels,
// columns the positions of all images, depth channels times filter. The matrix
// of input patches is never made; its indices are taken apart as they are
// needed. 32 x 32 tiles, 16 x 16 threads, 2 x 2 elements a thread.
constexpr int kTile = 32, kDepth = 8;

struct Shape {
  int channels, height, width, filters, size, pad;
  __device__ int outHeight() const { return height + 2 * pad - size + 1; }
  __device__ int outWidth() const { return width + 2 * pad - size + 1; }
  __device__ int depth() const { return channels * size * size; }
};

/// Element `depth` of the patch at output position `position`.
__device__ static float patch(const float *__restrict__ in, const Shape &s,
                              int position, int depth) {
  int area = s.outHeight() * s.outWidth();
  int image = position / area, inside = position % area;
  int channel = depth / (s.size * s.size), tap = depth % (s.size * s.size);
  int y = inside / s.outWidth() + tap / s.size - s.pad;
  int x = inside % s.outWidth() + tap % s.size - s.pad;
  if (y < 0 || y >= s.height || x < 0 || x >= s.width)
    return 0.0f;
  return in[((image * s.channels + channel) * s.height + y) * s.width + x];
}

extern "C" __global__ void __launch_bounds__(256)
    conv2d_implicit_gemm(const float *__restrict__ in,
                         const float *__restrict__ weights,
                         float *__restrict__ out, int images, int channels,
                         int height, int width, int filters, int size, int pad) {
  __shared__ float tileW[kDepth][kTile + 1];
  __shared__ float tileP[kDepth][kTile];
  Shape s{channels, height, width, filters, size, pad};
  int area = s.outHeight() * s.outWidth(), positions = images * area;
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  float sum[2][2] = {};
  for (int base = 0; base < s.depth(); base += kDepth) {
    int filter = blockIdx.y * kTile + threadIdx.x / kDepth;
    int depth = base + threadIdx.x % kDepth;
    tileW[threadIdx.x % kDepth][threadIdx.x / kDepth] =
        filter < filters && depth < s.depth() ? weights[filter * s.depth() + depth]
                                              : 0.0f;
    int position = blockIdx.x * kTile + threadIdx.x % kTile;
    depth = base + threadIdx.x / kTile;
    tileP[threadIdx.x / kTile][threadIdx.x % kTile] =
        position < positions && depth < s.depth() ? patch(in, s, position, depth)
                                                  : 0.0f;
    __syncthreads();
#pragma unroll
    for (int d = 0; d < kDepth; ++d)
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 2; ++j)
          sum[i][j] += tileW[d][ty * 2 + i] * tileP[d][tx + j * 16];
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    int filter = blockIdx.y * kTile + ty * 2 + i;
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      int position = blockIdx.x * kTile + tx + j * 16;
      if (filter < filters && position < positions)
        out[(position / area * filters + filter) * area + position % area] =
            sum[i][j];
    }
  }
}
