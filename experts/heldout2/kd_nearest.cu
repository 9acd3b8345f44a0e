// Nearest neighbour of each query in a 2-D tree stored as a heap: the children
// of node i are 2i + 1 and 2i + 2. A walk with a small stack, no recursion.
struct Best {
  float distance;
  int node;
};

__device__ float square(float v) { return v * v; }

__device__ void visit(const float2 *points, int node, const float2 &query,
                      Best &best) {
  float2 p = points[node];
  float d = square(p.x - query.x) + square(p.y - query.y);
  if (d < best.distance) {
    best.distance = d;
    best.node = node;
  }
}

extern "C" __global__ void kd_nearest(const float2 *__restrict__ points,
                                      const float2 *__restrict__ queries,
                                      int *__restrict__ nearest, int nodes,
                                      int count) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count)
    return;
  float2 query = queries[id];
  Best best{3.0e38f, -1};
  int stack[32];
  int depthOf[32];
  int top = 0;
  stack[top] = 0;
  depthOf[top++] = 0;
  while (top > 0) {
    int node = stack[--top];
    int depth = depthOf[top];
    if (node >= nodes)
      continue;
    visit(points, node, query, best);
    float2 p = points[node];
    float offset = depth % 2 ? query.y - p.y : query.x - p.x;
    int nearer = 2 * node + (offset < 0.0f ? 1 : 2);
    int farther = 4 * node + 3 - nearer;
    if (square(offset) < best.distance) {
      stack[top] = farther;
      depthOf[top++] = depth + 1;
    }
    stack[top] = nearer;
    depthOf[top++] = depth + 1;
  }
  nearest[id] = best.node;
}
