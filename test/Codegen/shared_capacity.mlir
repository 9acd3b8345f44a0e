// RUN: not klineage-opt %s --klineage-emit=format=kernels -o %t 2>&1 | FileCheck %s

func.func @too_much(%x: memref<65536xf32>) {
  scf.forall (%b) in (1) {
    // CHECK: error: shared memory of kernel 'too_much_k0' needs 262144 bytes; the opt-in limit of sm_90a is 232448
    %s = memref.alloc() : memref<65536xf32, #gpu.address_space<workgroup>>
    scf.forall (%t) in (32) {
      %v = memref.load %s[%t] : memref<65536xf32, #gpu.address_space<workgroup>>
      memref.store %v, %x[%t] : memref<65536xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
