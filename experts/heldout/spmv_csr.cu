// Rows of a sparse matrix; loop bounds come from memory.
extern "C" __global__ void spmv_csr(int rows, const int *__restrict__ starts,
                                    const int *__restrict__ columns,
                                    const double *__restrict__ values,
                                    const double *__restrict__ x, double *y) {
  int row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row < rows) {
    double dot = 0;
    int end = starts[row + 1];
    for (int j = starts[row]; j < end; j++)
      dot += values[j] * x[columns[j]];
    y[row] = dot;
  }
}
