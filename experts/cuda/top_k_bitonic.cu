// The `count` largest elements of each row with their columns, in falling order;
// of equals the one further left comes first. A bitonic sort in shared memory,
// two elements a thread; rows of at most 512 elements, `count` at most `cols`.
constexpr int kThreads = 256, kSlots = 2 * kThreads;

__device__ static bool comesFirst(float a, int i, float b, int j) {
  return a > b || (a == b && i < j);
}

extern "C" __global__ void __launch_bounds__(kThreads)
    top_k_bitonic(const float *__restrict__ in, float *__restrict__ values,
                  int *__restrict__ columns, int cols, int count) {
  __shared__ float key[kSlots];
  __shared__ int column[kSlots];
  for (int i = threadIdx.x; i < kSlots; i += kThreads) {
    key[i] = i < cols ? in[blockIdx.x * cols + i] : -__int_as_float(0x7f800000);
    column[i] = i;
  }
  for (int length = 2; length <= kSlots; length *= 2)
    for (int distance = length / 2; distance > 0; distance /= 2) {
      __syncthreads();
      int low = 2 * threadIdx.x - (threadIdx.x & (distance - 1));
      int high = low + distance;
      bool falling = (low & length) == 0;
      float a = key[low], b = key[high];
      int i = column[low], j = column[high];
      if (comesFirst(b, j, a, i) == falling) {
        key[low] = b;
        key[high] = a;
        column[low] = j;
        column[high] = i;
      }
    }
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += kThreads) {
    values[blockIdx.x * count + i] = key[i];
    columns[blockIdx.x * count + i] = column[i];
  }
}
