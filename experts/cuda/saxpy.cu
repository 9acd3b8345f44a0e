// y = alpha * x + y, one element a thread.
extern "C" __global__ void saxpy(int count, float alpha,
                                 const float *__restrict__ x,
                                 float *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    y[i] = alpha * x[i] + y[i];
}
