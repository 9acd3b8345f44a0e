// An address that was made from a number may be one of any buffer, also of
// shared memory: nothing that such an access follows or precedes is reordered or
// called read-only, and no barrier between goes away.
// RUN: not klineage-opt %s --klineage-test-step="kind=remove_barrier params={} check-undo" 2>&1 | FileCheck %s
// RUN: klineage-opt %s --klineage-emit="format=ptx" | FileCheck %s --check-prefix=PTX
// CHECK: error: clause 'race_free_block' is unknown: {{.*}}operation llvm.store is not modelled
// PTX-LABEL: .entry k(
// PTX-NOT: ld.global.nc
// PTX: bar{{.*}}sync
// PTX: st.global
#ws = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
  func.func @entry(%x: memref<64xi32>, %y: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%x : memref<64xi32>, %y : memref<64xi32>)
    return
  }
  gpu.module @kernels {
    gpu.func @k(%x: memref<64xi32>, %y: memref<64xi32>) workgroup(%s : memref<64xi32, #ws>) kernel {
      %c63 = arith.constant 63 : index
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xi32>
      %o = arith.muli %t, %c4 : index
      %a = memref.extract_aligned_pointer_as_index %s : memref<64xi32, #ws> -> index
      %f = arith.addi %a, %o : index
      %n = arith.index_cast %f : index to i64
      %p = llvm.inttoptr %n : i64 to !llvm.ptr<3>
      llvm.store %v, %p : i32, !llvm.ptr<3>
      gpu.barrier {klineage.target = 0 : i64}
      %m = arith.subi %c63, %t : index
      %w = memref.load %s[%m] : memref<64xi32, #ws>
      memref.store %w, %y[%t] : memref<64xi32>
      gpu.return
    }
  }
}
