// Each row to int8 with its own scale: float4 loads, char4 stores, one warp a
// row. `cols` is a multiple of 4 and rows of zeros are left with scale 0.
__device__ float largestOf(const float4 &v) {
  return fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w)));
}

__device__ signed char quantize(float value, float inverse) {
  int q = __float2int_rn(value * inverse);
  return (signed char)(q > 127 ? 127 : q < -127 ? -127 : q);
}

extern "C" __global__ void __launch_bounds__(64)
    quantize_rows(const float *in, signed char *out, float *scales, int rows,
                  int cols) {
  int row = blockIdx.x * 2 + threadIdx.x / 32;
  if (row >= rows)
    return;
  int lane = threadIdx.x & 31;
  const float4 *from = reinterpret_cast<const float4 *>(in + row * cols);
  char4 *to = reinterpret_cast<char4 *>(out + row * cols);
  float largest = 0.0f;
  for (int i = lane; i < cols / 4; i += 32)
    largest = fmaxf(largest, largestOf(from[i]));
  for (int mask = 16; mask >= 1; mask >>= 1)
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, mask));
  if (lane == 0)
    scales[row] = largest / 127.0f;
  float inverse = largest > 0.0f ? 127.0f / largest : 0.0f;
  for (int i = lane; i < cols / 4; i += 32) {
    float4 v = from[i];
    to[i] = make_char4(quantize(v.x, inverse), quantize(v.y, inverse),
                       quantize(v.z, inverse), quantize(v.w, inverse));
  }
}
