// Index and value of the best element of each row; what "best" means is a
// functor, and blocks of any power of two reduce in shared memory.
struct Entry {
  float value;
  int index;
};

struct Larger {
  static __device__ float worst() { return -__builtin_huge_valf(); }
  __device__ bool operator()(const Entry &a, const Entry &b) const {
    return a.value > b.value || (a.value == b.value && a.index < b.index);
  }
};

template <typename Better>
__device__ Entry pick(const Entry &a, const Entry &b, const Better &better) {
  return better(a, b) ? a : b;
}

template <int Threads, typename Better> class BlockReduce {
public:
  struct Storage {
    Entry entries[Threads];
  };
  __device__ BlockReduce(Storage &storage) : storage(storage) {}
  __device__ Entry reduce(Entry mine, Better better) {
    storage.entries[threadIdx.x] = mine;
    __syncthreads();
#pragma unroll
    for (int width = Threads / 2; width > 0; width /= 2) {
      if (threadIdx.x < width)
        storage.entries[threadIdx.x] =
            pick(storage.entries[threadIdx.x],
                 storage.entries[threadIdx.x + width], better);
      __syncthreads();
    }
    return storage.entries[0];
  }

private:
  Storage &storage;
};

template <int Threads, typename Better>
__device__ void argReduce(const float *row, int cols, float *value, int *index,
                          Better better) {
  __shared__ typename BlockReduce<Threads, Better>::Storage storage;
  Entry best{Better::worst(), 0x7fffffff};
  for (int i = threadIdx.x; i < cols; i += Threads)
    best = pick(best, Entry{row[i], i}, better);
  best = BlockReduce<Threads, Better>(storage).reduce(best, better);
  if (threadIdx.x == 0) {
    *value = best.value;
    *index = best.index;
  }
}

extern "C" __global__ void functor_argreduce(const float *in, float *values,
                                             int *indices, int rows, int cols) {
  argReduce<64>(in + (size_t)blockIdx.x * cols, cols, values + blockIdx.x,
                indices + blockIdx.x, Larger());
}
