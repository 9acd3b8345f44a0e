// RUN: not klineage-opt %s --klineage-apply="skills=%skills executor=tpu" 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: env KLINEAGE_CUDA_DRIVER=/nonexistent/libcuda.so.1 not klineage-opt %s \
// RUN:   --klineage-apply="skills=%skills executor=cuda" 2>&1 | FileCheck %s --check-prefix=NONE
// auto goes on without a GPU, and no time is reported.
// RUN: env KLINEAGE_CUDA_DRIVER=/nonexistent/libcuda.so.1 klineage-opt %s \
// RUN:   --klineage-apply="skills=%skills/elementwise_vector executor=auto budget=1" | FileCheck %s --check-prefix=AUTO

// WORD: error: unknown executor 'tpu'; known are auto, simt, cuda
// NONE: error: executor=cuda: {{.*}}/nonexistent/libcuda.so.1
// AUTO: "all {{[0-9]+}} runs agree"
// AUTO-NOT: candidate_us

func.func @scale(%x: tensor<8x1024xf32>, %o: tensor<8x1024xf32>) -> tensor<8x1024xf32> {
  %c = arith.constant 3.0 : f32
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x1024xf32>) outs(%o : tensor<8x1024xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.mulf %a, %c : f32
    linalg.yield %m : f32
  } -> tensor<8x1024xf32>
  return %r : tensor<8x1024xf32>
}
