// y = f(x, alpha), f chosen at run time; four elements at a time, the rest one
// by one. Buffers are aligned to 16 bytes.
enum Kind { kRelu, kLeaky, kElu, kSilu, kGelu, kSoftplus, kHardSwish };

__device__ float activate(float x, int kind, float alpha) {
  switch (kind) {
  case kRelu:
    return fmaxf(x, 0.0f);
  case kLeaky:
    return x > 0 ? x : alpha * x;
  case kElu:
    return x > 0 ? x : alpha * (expf(x) - 1.0f);
  case kSilu:
    return x / (1.0f + expf(-x));
  case kGelu:
    return 0.5f * x * (1.0f + erff(x * 0.70710678f));
  case kSoftplus:
    if (alpha * x > 20.0f)
      return x;
    return log1pf(expf(alpha * x)) / alpha;
  case kHardSwish:
    return x * fminf(fmaxf(x + 3.0f, 0.0f), 6.0f) / 6.0f;
  default:
    return x;
  }
}

extern "C" __global__ void switch_activation(const float *x, float *y,
                                             unsigned count, int kind,
                                             float alpha) {
  unsigned stride = gridDim.x * blockDim.x;
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned packs = count / 4;
  for (unsigned i = id; i < packs; i += stride) {
    float4 v = reinterpret_cast<const float4 *>(x)[i];
    v.x = activate(v.x, kind, alpha);
    v.y = activate(v.y, kind, alpha);
    v.z = activate(v.z, kind, alpha);
    v.w = activate(v.w, kind, alpha);
    reinterpret_cast<float4 *>(y)[i] = v;
  }
  for (unsigned i = packs * 4 + id; i < count; i += stride)
    y[i] = activate(x[i], kind, alpha);
}
