// out[i] = in[i] * scale of the segment that i lies in. Each thread finds its
// segment by binary search in the (sorted) starts; 64-bit positions.
struct Segments {
  const long long *starts;
  const float *scales;
  int count;
};

__device__ int segmentOf(const Segments &segments, long long position) {
  int low = 0, high = segments.count;
  do {
    int middle = low + (high - low) / 2;
    if (segments.starts[middle] <= position)
      low = middle;
    else
      high = middle;
  } while (high - low > 1);
  return low;
}

extern "C" __global__ void segment_search(const float *in, float *out,
                                          const long long *starts,
                                          const float *scales, int segments,
                                          long long count) {
  Segments table{starts, scales, segments};
  const long long step = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
       i < count; i += step)
    out[i] = in[i] * table.scales[segmentOf(table, i)];
}
