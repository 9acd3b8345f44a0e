// RUN: not klineage-opt %s --klineage-emit="format=ptx chip=sm_7" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not klineage-opt %s --klineage-emit="format=elf" 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not klineage-opt %s --klineage-emit="format=cubin" 2>&1 | FileCheck %s --check-prefix=CUBIN
// RUN: env KLINEAGE_PTXAS=/none not klineage-opt %s --klineage-emit="format=resources" 2>&1 | FileCheck %s --check-prefix=PTXAS
// RUN: env KLINEAGE_LIBDEVICE=/none not klineage-opt %s --klineage-emit="format=ptx" 2>&1 | FileCheck %s --check-prefix=LIBDEVICE

// CHIP: error: unknown chip 'sm_7'
// FORMAT: error: cannot emit elf: no such format
// CUBIN: error: cannot emit cubin: a cubin is binary
// PTXAS: error: cannot emit resources: {{.*}}
// LIBDEVICE: error: cannot emit ptx: unresolved device functions __nv_expf: no libdevice.10.bc found
#id = affine_map<(d0) -> (d0)>
func.func @exp(%x: memref<8xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  }
  return
}
