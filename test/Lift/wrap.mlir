// RUN: klineage-opt %s -split-input-file --klineage-lift 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: klineage-opt %s -split-input-file --klineage-lift=assume-no-wrap | FileCheck %s --check-prefix=ASSUME

// The step is a product without flags: it may wrap to zero or below.
// STRICT: remark: not lifted: the step may not be positive
// STRICT: scf.while
// STRICT-NOT: klineage.assumed
// ASSUME: klineage.assumed = ["loop-no-wrap"
// ASSUME: scf.for
llvm.func ptx_kernelcc @grid_stride(%x: !llvm.ptr, %n: i32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %b = nvvm.read.ptx.sreg.ntid.x : i32
  %g = nvvm.read.ptx.sreg.nctaid.x : i32
  %step = llvm.mul %b, %g : i32
  llvm.br ^head(%t : i32)
^head(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^end
^body:
  %wide = llvm.sext %i : i32 to i64
  %p = llvm.getelementptr inbounds %x[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %zero, %p : f32, !llvm.ptr
  %j = llvm.add %i, %step : i32
  llvm.br ^head(%j : i32)
^end:
  llvm.return
}

// -----

// A sum without flags stays in i32 unless the user says that it cannot wrap.
// STRICT: gpu.func @sum
// STRICT: arith.addi %{{.*}} : i32
// STRICT-NOT: arith.addi %{{.*}} : i32
// STRICT: arith.addi %{{.*}} : index
// ASSUME: gpu.func @sum
// ASSUME-SAME: klineage.assumed = ["index-no-wrap"]
// ASSUME-NOT: arith.addi %{{.*}} : i32
// ASSUME: gpu.return
llvm.func ptx_kernelcc @sum(%x: !llvm.ptr, %n: i32, %m: i32) {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %a = llvm.add %n, %m : i32
  %b = llvm.add %a, %n overflow<nsw> : i32
  %p = llvm.getelementptr inbounds %x[%a] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  llvm.store %zero, %p : f32, !llvm.ptr
  %c = llvm.add %b, %m overflow<nsw> : i32
  %q = llvm.getelementptr inbounds %x[%c] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  llvm.store %zero, %q : f32, !llvm.ptr
  llvm.return
}
