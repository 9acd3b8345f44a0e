// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-lift | FileCheck %s

// A volatile access stays, on the address of the element; its object does not.
// CHECK-LABEL: gpu.func @volatile_load
// CHECK-SAME: memref<?xf32>
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: llvm.load volatile
// CHECK: llvm.load volatile
// CHECK: memref.store
llvm.func ptx_kernelcc @volatile_load(%x: !llvm.ptr, %y: !llvm.ptr) {
  // expected-remark@+1 {{not lifted: a volatile access stays}}
  %0 = llvm.load volatile %x : !llvm.ptr -> f32
  // expected-remark@+1 {{not lifted: a volatile access stays}}
  %1 = llvm.load volatile %x : !llvm.ptr -> f32
  %2 = llvm.fadd %0, %1 : f32
  llvm.store %2, %y : f32, !llvm.ptr
  llvm.return
}

// -----

// So do atomic loads and stores, and compare and swap; fences are of nvvm.
// CHECK-LABEL: gpu.func @ordered
// CHECK-SAME: memref<?xf64>
// CHECK: llvm.load %{{.*}} atomic acquire
// CHECK: llvm.cmpxchg %{{.*}} acq_rel monotonic
// CHECK: nvvm.memory.barrier <gpu>
// CHECK: llvm.store %{{.*}} atomic release
llvm.func ptx_kernelcc @ordered(%x: !llvm.ptr, %old: i64, %new: i64) {
  // expected-remark@+1 {{not lifted: an atomic access stays}}
  %0 = llvm.load %x atomic acquire {alignment = 8 : i64} : !llvm.ptr -> f64
  %p = llvm.getelementptr inbounds %x[1] : (!llvm.ptr) -> !llvm.ptr, f64
  // expected-remark@+1 {{not lifted: a compare and swap stays}}
  %1 = llvm.cmpxchg %p, %old, %new acq_rel monotonic : !llvm.ptr, i64
  llvm.call_intrinsic "llvm.nvvm.membar.gl"() : () -> ()
  // expected-remark@+1 {{not lifted: an atomic access stays}}
  llvm.store %0, %x atomic release {alignment = 8 : i64} : f64, !llvm.ptr
  llvm.return
}

// -----

// The number is an address of shared memory, also where the access is generic.
// CHECK-LABEL: gpu.func @shared_atomic
// CHECK: %[[A:.*]] = llvm.inttoptr %{{.*}} : i64 to !llvm.ptr<3>
// CHECK: %[[B:.*]] = llvm.addrspacecast %[[A]] : !llvm.ptr<3> to !llvm.ptr
// CHECK: llvm.atomicrmw add %[[B]]
llvm.mlir.global internal @s() {addr_space = 3 : i32} : !llvm.array<32 x i32> {
  %0 = llvm.mlir.undef : !llvm.array<32 x i32>
  llvm.return %0 : !llvm.array<32 x i32>
}
llvm.func ptx_kernelcc @shared_atomic(%v: i32) {
  %0 = llvm.mlir.addressof @s : !llvm.ptr<3>
  %1 = llvm.addrspacecast %0 : !llvm.ptr<3> to !llvm.ptr
  // expected-remark@+1 {{not lifted: memref.atomic_rmw has no such order}}
  %2 = llvm.atomicrmw add %1, %v seq_cst : !llvm.ptr, i32
  llvm.return
}

// -----

// A private array stays in registers, or stays.
// CHECK-LABEL: gpu.func @volatile_private
// CHECK: llvm.alloca
llvm.func ptx_kernelcc @volatile_private(%x: !llvm.ptr, %v: f32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x !llvm.array<4 x f32> : (i32) -> !llvm.ptr
  // expected-remark@+1 {{not lifted: a volatile access stays}}
  llvm.store volatile %v, %a : f32, !llvm.ptr
  %0 = llvm.load %a : !llvm.ptr -> f32
  llvm.store %0, %x : f32, !llvm.ptr
  llvm.return
}

// -----

// Pairs of halves that move as words, from a row that starts at any half.
// CHECK-LABEL: gpu.func @pairs
// CHECK-SAME: memref<?xf16>
// CHECK: vector.load %{{.*}} {alignment = 4 : i64} : memref<?xf16>, vector<2xf16>
llvm.func ptx_kernelcc @pairs(%x: !llvm.ptr, %y: !llvm.ptr, %row: i64) {
  %p = llvm.getelementptr inbounds %x[%row] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(f16)>
  %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.store %v, %y : i32, !llvm.ptr
  llvm.return
}

// -----

// A function that was inlined everywhere goes away, and so does the place of a
// loop in one that stays.
// CHECK-NOT: @inlined
// CHECK-LABEL: llvm.func @stays
// CHECK-NOT: startLoc
// CHECK: llvm.return
// CHECK-NOT: @inlined
#loc = loc("k.cu":1:1)
#file = #llvm.di_file<"k.cu" in "">
#place = loc(fused<#file>[#loc])
#loop = #llvm.loop_annotation<mustProgress = true, startLoc = #place>
llvm.func @inlined(%x: f32) -> f32 {
  %0 = llvm.call @inlined_too(%x) : (f32) -> f32
  llvm.return %0 : f32
}
llvm.func @inlined_too(%x: f32) -> f32 {
  llvm.return %x : f32
}
llvm.func @stays(%c: i1) -> f32 {
  llvm.br ^bb1
^bb1:
  llvm.cond_br %c, ^bb1, ^bb2 {loop_annotation = #loop}
^bb2:
  %0 = llvm.mlir.constant(1.0 : f32) : f32
  llvm.return %0 : f32
}
llvm.func ptx_kernelcc @calls(%x: !llvm.ptr, %c: i1) {
  // expected-remark@+1 {{not lifted: a call of a function that was not inlined}}
  %0 = llvm.call @stays(%c) : (i1) -> f32
  llvm.store %0, %x : f32, !llvm.ptr
  llvm.return
}

// -----

// A relaxed atomic becomes one that orders more, and says what it was.
// CHECK-LABEL: gpu.func @relaxed
// CHECK: memref.atomic_rmw addi %{{.*}}, %{{.*}}[%{{.*}}] {klineage.ordering = "monotonic"}
llvm.func ptx_kernelcc @relaxed(%x: !llvm.ptr, %v: i32) {
  %0 = llvm.atomicrmw add %x, %v monotonic : !llvm.ptr, i32
  llvm.return
}

// -----

// CHECK-LABEL: gpu.func @acquire
// CHECK: llvm.atomicrmw add %{{.*}} acq_rel
llvm.func ptx_kernelcc @acquire(%x: !llvm.ptr, %v: i32) {
  // expected-remark@+1 {{not lifted: memref.atomic_rmw has no such order}}
  %0 = llvm.atomicrmw add %x, %v acq_rel : !llvm.ptr, i32
  llvm.return
}

// -----

// A pointer that a loop carries is an offset that it carries.
// CHECK-LABEL: gpu.func @pointer_phi
// CHECK-SAME: memref<?xf32>
// CHECK: scf.for
// CHECK-NOT: llvm.
// CHECK: memref.load
llvm.func ptx_kernelcc @pointer_phi(%x: !llvm.ptr, %y: !llvm.ptr, %n: i32) {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  llvm.br ^head(%x, %c0, %zero : !llvm.ptr, i32, f32)
^head(%p: !llvm.ptr, %i: i32, %sum: f32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^end
^body:
  %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> f32
  %s = llvm.fadd %sum, %v : f32
  %q = llvm.getelementptr inbounds %p[32] : (!llvm.ptr) -> !llvm.ptr, f32
  %j = llvm.add %i, %c1 overflow<nsw> : i32
  llvm.br ^head(%q, %j, %s : !llvm.ptr, i32, f32)
^end:
  llvm.store %sum, %y : f32, !llvm.ptr
  llvm.return
}

// -----

// A pointer into one of two objects keeps both.
// CHECK-LABEL: gpu.func @two_objects
// CHECK: llvm.load
llvm.func ptx_kernelcc @two_objects(%x: !llvm.ptr, %y: !llvm.ptr, %out: !llvm.ptr, %c: i1) {
  // expected-remark@+1 {{not lifted: this pointer may point into two objects}}
  %p = llvm.select %c, %x, %y : i1, !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> f32
  llvm.store %v, %out : f32, !llvm.ptr
  llvm.return
}

// -----

// An early return is one exit.
// CHECK-LABEL: gpu.func @early_return
// CHECK: scf.if
// CHECK: memref.store
// CHECK: gpu.return
// CHECK-NOT: gpu.return
llvm.func ptx_kernelcc @early_return(%x: !llvm.ptr, %n: i32) {
  %i = nvvm.read.ptx.sreg.tid.x : i32
  %out = llvm.icmp "sge" %i, %n : i32
  llvm.cond_br %out, ^end, ^body
^body:
  %p = llvm.getelementptr inbounds %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  %f = llvm.sitofp %i : i32 to f32
  llvm.store %f, %p {alignment = 4 : i64} : f32, !llvm.ptr
  llvm.return
^end:
  llvm.return
}

// -----

// Launch bounds, aliasing and alignment of parameters and of accesses.
// CHECK-LABEL: gpu.func @facts
// CHECK-SAME: {llvm.align = 16 : i64, llvm.noalias}
// CHECK-SAME: {llvm.readonly}
// CHECK-SAME: nvvm.maxntid = array<i32: 256>
// CHECK-SAME: nvvm.minctasm = 2 : i32
// CHECK: memref.load %{{.*}} {alignment = 8 : i64}
llvm.func ptx_kernelcc @facts(%x: !llvm.ptr {llvm.noalias, llvm.align = 16 : i64},
                              %y: !llvm.ptr {llvm.readonly})
    attributes {passthrough = [["nvvm.maxntid", "256"], ["nvvm.minctasm", "2"]]} {
  %v = llvm.load %y {alignment = 8 : i64} : !llvm.ptr -> f32
  llvm.store %v, %x {alignment = 16 : i64} : f32, !llvm.ptr
  llvm.return
}

// -----

// Flags of arithmetic stay; a precise function does not become a fast one.
// CHECK-LABEL: gpu.func @flags
// CHECK: arith.addf %{{.*}} fastmath<nnan,contract>
// CHECK: math.exp %{{[^ ]*}} : f32
// CHECK: math.exp %{{.*}} fastmath<afn> : f32
llvm.func @__nv_expf(f32) -> f32
llvm.func @__nv_fast_expf(f32) -> f32
llvm.func ptx_kernelcc @flags(%x: !llvm.ptr, %a: f32, %b: f32) {
  %0 = llvm.fadd %a, %b {fastmathFlags = #llvm.fastmath<nnan, contract>} : f32
  %1 = llvm.call @__nv_expf(%0) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
  %2 = llvm.call @__nv_fast_expf(%1) : (f32) -> f32
  llvm.store %2, %x : f32, !llvm.ptr
  llvm.return
}

// -----

// CHECK-LABEL: gpu.func @undef
// CHECK: llvm.mlir.undef
llvm.func ptx_kernelcc @undef(%x: !llvm.ptr) {
  // expected-remark@+1 {{not lifted: undef has no counterpart}}
  %0 = llvm.mlir.undef : f32
  llvm.store %0, %x : f32, !llvm.ptr
  llvm.return
}

// -----

// CHECK-LABEL: gpu.func @part_of_element
// CHECK: llvm.load
llvm.func ptx_kernelcc @part_of_element(%x: !llvm.ptr, %y: !llvm.ptr) {
  // expected-remark@+1 {{not lifted: the offset is no multiple of the element's 4 bytes}}
  %p = llvm.getelementptr %x[2] : (!llvm.ptr) -> !llvm.ptr, i8
  %v = llvm.load %p {alignment = 2 : i64} : !llvm.ptr -> f32
  llvm.store %v, %y : f32, !llvm.ptr
  llvm.return
}

// -----

// A shuffle with the full mask is gpu.shuffle; another mask is kept exactly.
// CHECK-LABEL: gpu.func @shuffles
// CHECK: gpu.shuffle xor
// CHECK: nvvm.shfl.sync bfly
llvm.func ptx_kernelcc @shuffles(%x: !llvm.ptr, %v: f32) {
  %full = llvm.mlir.constant(-1 : i32) : i32
  %half = llvm.mlir.constant(65535 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c31 = llvm.mlir.constant(31 : i32) : i32
  %0 = llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.f32"(%full, %v, %c1, %c31) : (i32, f32, i32, i32) -> f32
  %1 = llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.f32"(%half, %0, %c1, %c31) : (i32, f32, i32, i32) -> f32
  llvm.store %1, %x : f32, !llvm.ptr
  llvm.return
}

// -----

// CHECK-LABEL: gpu.func @asm
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 1
// CHECK: llvm.inline_asm
llvm.func ptx_kernelcc @asm() {
  llvm.inline_asm has_side_effects "cp.async.commit_group;\0A", "" : () -> ()
  llvm.inline_asm has_side_effects "cp.async.wait_group 1;", "~{memory}" : () -> ()
  // expected-remark@+1 {{inline PTX nanosleep.u32: not in the table of inline PTX}}
  llvm.inline_asm has_side_effects "nanosleep.u32 20;", "" : () -> ()
  llvm.return
}

// -----

// Functions that are exactly an operation of arith or two. One that saturates
// or rounds in another way has no such operation.
// CHECK-LABEL: gpu.func @exact_calls
// CHECK: arith.bitcast %{{.*}} : f32 to i32
// CHECK: arith.mului_extended
// CHECK: arith.mulsi_extended
// CHECK: math.ctpop %{{.*}} : i64
// CHECK: arith.trunci %{{.*}} : i64 to i32
// CHECK: arith.uitofp %{{.*}} : i64 to f32
// CHECK: llvm.call @__nv_ull2float_rz
// CHECK: llvm.call @__nv_float2int_rn
llvm.func @__nv_float_as_int(f32) -> i32
llvm.func @__nv_umulhi(i32, i32) -> i32
llvm.func @__nv_mul64hi(i64, i64) -> i64
llvm.func @__nv_popcll(i64) -> i32
llvm.func @__nv_ull2float_rn(i64) -> f32
llvm.func @__nv_ull2float_rz(i64) -> f32
llvm.func @__nv_float2int_rn(f32) -> i32
llvm.func ptx_kernelcc @exact_calls(%x: !llvm.ptr, %v: f32, %n: i32, %w: i64) {
  %0 = llvm.call @__nv_float_as_int(%v) : (f32) -> i32
  %1 = llvm.call @__nv_umulhi(%0, %n) : (i32, i32) -> i32
  %2 = llvm.call @__nv_mul64hi(%w, %w) : (i64, i64) -> i64
  %3 = llvm.call @__nv_popcll(%2) : (i64) -> i32
  %4 = llvm.add %1, %3 : i32
  %5 = llvm.call @__nv_ull2float_rn(%w) : (i64) -> f32
  %6 = llvm.call @__nv_ull2float_rz(%w) : (i64) -> f32
  %7 = llvm.fadd %5, %6 : f32
  %8 = llvm.call @__nv_float2int_rn(%7) : (f32) -> i32
  %9 = llvm.add %4, %8 : i32
  llvm.store %9, %x : i32, !llvm.ptr
  llvm.return
}
