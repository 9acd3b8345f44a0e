// Keeps the positive elements of each warp, in order.
extern "C" __global__ void warp_ballot_compact(const float *in, float *out,
                                               int *counts) {
  int lane = threadIdx.x % 32;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = in[i];
  unsigned keep = __ballot_sync(0xffffffffu, value > 0.0f);
  int place = __popc(keep & ((1u << lane) - 1));
  if (value > 0.0f)
    out[i - lane + place] = value;
  if (lane == 0)
    counts[i / 32] = __popc(keep);
}
