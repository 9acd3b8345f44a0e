// Row softmax, one group of 16 threads a row, in the manner of cooperative
// groups: the group is an object with its rank, its mask and its shuffles.
template <int Size> class ThreadTile {
public:
  __device__ ThreadTile()
      : rank(threadIdx.x % Size),
        mask((Size == 32 ? ~0u : (1u << Size) - 1)
             << (threadIdx.x % 32 / Size * Size)) {}
  static constexpr __device__ int size() { return Size; }
  __device__ int thread_rank() const { return rank; }
  __device__ int meta_group_rank() const { return threadIdx.x / Size; }
  __device__ void sync() const { __syncwarp(mask); }
  __device__ float shfl(float value, int from) const {
    return __shfl_sync(mask, value, from, Size);
  }
  __device__ float shfl_down(float value, int by) const {
    return __shfl_down_sync(mask, value, by, Size);
  }
  __device__ float shfl_xor(float value, int with) const {
    return __shfl_xor_sync(mask, value, with, Size);
  }

private:
  int rank;
  unsigned mask;
};

template <typename Tile> __device__ float maxOf(const Tile &tile, float value) {
  for (int offset = tile.size() / 2; offset > 0; offset /= 2)
    value = fmaxf(value, tile.shfl_down(value, offset));
  return tile.shfl(value, 0);
}

template <typename Tile> __device__ float sumOf(const Tile &tile, float value) {
  for (int offset = tile.size() / 2; offset > 0; offset /= 2)
    value += tile.shfl_xor(value, offset);
  return value;
}

extern "C" __global__ void tile_softmax(const float *in, float *out, int rows,
                                      int cols) {
  ThreadTile<16> tile;
  int row = blockIdx.x * (blockDim.x / tile.size()) + tile.meta_group_rank();
  if (row >= rows)
    return;
  const float *from = in + (size_t)row * cols;
  float *to = out + (size_t)row * cols;
  float largest = -INFINITY;
  for (int i = tile.thread_rank(); i < cols; i += tile.size())
    largest = fmaxf(largest, from[i]);
  largest = maxOf(tile, largest);
  float sum = 0.0f;
  for (int i = tile.thread_rank(); i < cols; i += tile.size()) {
    float e = __expf(from[i] - largest);
    to[i] = e;
    sum += e;
  }
  sum = sumOf(tile, sum);
  tile.sync();
  for (int i = tile.thread_rank(); i < cols; i += tile.size())
    to[i] = __fdividef(to[i], sum);
}
