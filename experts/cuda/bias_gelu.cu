// Bias and tanh-approximated GELU, four elements at a time in a grid-stride
// loop. `count` is a multiple of `cols`, which is a multiple of 4.
__device__ static float gelu(float x) {
  float inner = 0.7978845608f * (x + 0.044715f * x * x * x);
  return 0.5f * x * (1.0f + tanhf(inner));
}

extern "C" __global__ void bias_gelu(const float *__restrict__ x,
                                     const float *__restrict__ bias,
                                     float *__restrict__ y, size_t count,
                                     int cols) {
  size_t stride = (size_t)gridDim.x * blockDim.x * 4;
  for (size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 4;
       i < count; i += stride) {
    float4 v = *reinterpret_cast<const float4 *>(x + i);
    int col = i % cols;
    float4 r;
    r.x = gelu(v.x + bias[col]);
    r.y = gelu(v.y + bias[col + 1]);
    r.z = gelu(v.z + bias[col + 2]);
    r.w = gelu(v.w + bias[col + 3]);
    *reinterpret_cast<float4 *>(y + i) = r;
  }
}
