// Escape times of the Mandelbrot set as bytes, `limit` at most 255; a complex
// type with operators, and a loop that is left early.
template <typename Real> struct Complex {
  Real re, im;
  __device__ Complex operator*(const Complex &o) const {
    return {re * o.re - im * o.im, re * o.im + im * o.re};
  }
  __device__ Complex operator+(const Complex &o) const {
    return {re + o.re, im + o.im};
  }
  __device__ Real norm() const { return re * re + im * im; }
};

__device__ bool inBulb(const Complex<float> &c) {
  float x = c.re - 0.25f, y2 = c.im * c.im;
  float q = x * x + y2;
  return q * (q + x) <= 0.25f * y2;
}

extern "C" __global__ void mandelbrot(unsigned char *image, int width,
                                      int height, int limit) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  Complex<float> c{-2.25f + 3.0f * x / width, -1.5f + 3.0f * y / height};
  unsigned char *pixel = &image[(size_t)y * width + x];
  if (inBulb(c)) {
    *pixel = limit;
    return;
  }
  Complex<float> z = c;
  int steps = 0;
  for (;;) {
    if (z.norm() > 4.0f)
      break;
    if (++steps == limit)
      break;
    z = z * z + c;
  }
  *pixel = steps;
}
