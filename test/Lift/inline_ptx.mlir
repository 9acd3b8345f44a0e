// RUN: klineage-opt %s -split-input-file -verify-diagnostics --pass-pipeline="builtin.module(klineage-lift-func,gpu.module(klineage-lift-asm))" | FileCheck %s

// CHECK-LABEL: gpu.func @mma
// CHECK: nvvm.mma.sync {{.*}} {{.*}}#nvvm.mma_type<bf16>
// CHECK-NOT: llvm.inline_asm
llvm.func ptx_kernelcc @mma(%out: !llvm.ptr, %a: i32, %c: f32) {
  %0 = llvm.inline_asm has_side_effects "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {$0,$1,$2,$3}, {$4,$5,$6,$7}, {$8,$9}, {$0,$1,$2,$3};", "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3" %a, %a, %a, %a, %a, %a, %c, %c, %c, %c : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %1 = llvm.extractvalue %0[2] : !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %1, %out : f32, !llvm.ptr
  llvm.return
}

// -----

// CHECK-LABEL: gpu.func @integers
// CHECK: nvvm.mma.sync {{.*}}satfinite
// CHECK: nvvm.dot.accumulate.4way %{{.*}} <signed>, %{{.*}} <unsigned>
llvm.func ptx_kernelcc @integers(%out: !llvm.ptr, %a: i32) {
  %0 = llvm.inline_asm "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32 {$0,$1,$2,$3}, {$4,$5}, {$6}, {$7,$8,$9,$10};", "=r,=r,=r,=r,r,r,r,r,r,r,r" %a, %a, %a, %a, %a, %a, %a : (i32, i32, i32, i32, i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  %1 = llvm.extractvalue %0[0] : !llvm.struct<(i32, i32, i32, i32)>
  %2 = llvm.inline_asm "dp4a.s32.u32 $0, $1, $2, $3;", "=r,r,r,r" %1, %a, %a : (i32, i32, i32) -> i32
  llvm.store %2, %out : i32, !llvm.ptr
  llvm.return
}

// -----

// A register with the low bits of a shared address is that pointer again.
// CHECK-LABEL: gpu.func @shared
// CHECK: %[[S:.*]] = llvm.mlir.addressof @s
// CHECK: %[[G:.*]] = llvm.addrspacecast
// CHECK: nvvm.cp.async.shared.global %[[S]], %[[G]], 16, cache = cg, %{{.*}} : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 2
// CHECK: %[[P:.*]] = llvm.getelementptr %[[S]][%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
// CHECK: nvvm.ldmatrix %[[P]] {{.*}}num = 4
llvm.mlir.global internal @s() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1024 x i8> {
  %0 = llvm.mlir.undef : !llvm.array<1024 x i8>
  llvm.return %0 : !llvm.array<1024 x i8>
}
llvm.func ptx_kernelcc @shared(%in: !llvm.ptr, %out: !llvm.ptr, %n: i32) {
  %two = llvm.mlir.constant(2 : i32) : i32
  %s = llvm.mlir.addressof @s : !llvm.ptr<3>
  %0 = llvm.ptrtoint %s : !llvm.ptr<3> to i64
  %1 = llvm.trunc %0 : i64 to i32
  llvm.inline_asm has_side_effects "cp.async.cg.shared.global [$0], [$1], 16, $2;", "r,l,r,~{memory}" %1, %in, %n : (i32, !llvm.ptr, i32) -> ()
  %v = llvm.inline_asm has_side_effects "cp.async.commit_group;", "~{memory}" : () -> !llvm.void
  llvm.inline_asm has_side_effects "cp.async.wait_group $0;", "n,~{memory}" %two : (i32) -> ()
  %2 = llvm.add %1, %n : i32
  %3 = llvm.inline_asm has_side_effects "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0,$1,$2,$3}, [$4];", "=r,=r,=r,=r,r" %2 : (i32) -> !llvm.struct<(i32, i32, i32, i32)>
  %4 = llvm.extractvalue %3[3] : !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %4, %out : i32, !llvm.ptr
  llvm.return
}

// -----

// CHECK-LABEL: gpu.func @barriers
// CHECK: gpu.barrier
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
// CHECK: nvvm.barrier.arrive id = %{{.*}} number_of_threads = %{{.*}}
// CHECK: nvvm.shfl.sync bfly
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: vector.from_elements %{{.*}}, %{{.*}} : vector<2xi16>
// CHECK: math.fma %{{.*}} : vector<2xf16>
// CHECK: nvvm.memory.barrier
// CHECK: llvm.load {{.*}} invariant {{.*}} : !llvm.ptr<1> -> vector<4xf32>
llvm.func ptx_kernelcc @barriers(%out: !llvm.ptr, %a: i32, %f: f32) {
  llvm.inline_asm has_side_effects "bar.sync 0;", "~{memory}" : () -> ()
  llvm.inline_asm has_side_effects "bar.sync $0, $1;", "r,r,~{memory}" %a, %a : (i32, i32) -> ()
  llvm.inline_asm has_side_effects "bar.arrive $0, 64;", "r,~{memory}" %a : (i32) -> ()
  %0 = llvm.inline_asm has_side_effects "shfl.sync.bfly.b32 $0, $1, 1, 31, -1;", "=r,r" %a : (i32) -> i32
  llvm.store %0, %out : i32, !llvm.ptr
  %1 = llvm.inline_asm "cvt.rn.bf16.f32 $0, $1;", "=h,f" %f : (f32) -> i16
  llvm.store %1, %out : i16, !llvm.ptr
  %h = llvm.inline_asm "{ mov.b32 $0, {$1,$1};}", "=r,h" %1 : (i16) -> i32
  %k = llvm.inline_asm "{fma.rn.f16x2 $0,$1,$2,$3;}", "=r,r,r,r" %h, %h, %a : (i32, i32, i32) -> i32
  llvm.store %k, %out : i32, !llvm.ptr
  llvm.inline_asm has_side_effects "membar.gl;", "~{memory}" : () -> ()
  %2 = llvm.inline_asm "ld.global.nc.v4.f32 {$0,$1,$2,$3}, [$4];", "=f,=f,=f,=f,l" %out : (!llvm.ptr) -> !llvm.struct<(f32, f32, f32, f32)>
  %3 = llvm.extractvalue %2[1] : !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %3, %out : f32, !llvm.ptr
  llvm.return
}

// -----

// A fence, prefetches, registers; a wait loop is one operation.
// CHECK-LABEL: gpu.func @hopper
// CHECK: llvm.fence syncscope("device") acq_rel
// CHECK: nvvm.prefetch level = L2, evict_priority = evict_last, %{{.*}} : !llvm.ptr<1>
// CHECK: nvvm.prefetch tensormap, %{{.*}} : !llvm.ptr
// CHECK: nvvm.setmaxregister increase 240
// CHECK: nvvm.mbarrier.init %[[S:.*]], %{{.*}} : !llvm.ptr<3>, i32
// CHECK: nvvm.fence.mbarrier.init
// CHECK: nvvm.mbarrier.arrive.expect_tx %[[S]], %{{.*}} : !llvm.ptr<3>, i32
// CHECK: nvvm.mbarrier.arrive %[[S]] : !llvm.ptr<3> -> i64
// CHECK: %[[C:.*]] = llvm.addrspacecast %[[S]] : !llvm.ptr<3> to !llvm.ptr<7>
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[C]], %{{.*}}, %[[S]], box[%{{.*}}, %{{.*}}]
// CHECK: nvvm.mbarrier.try_wait.parity %[[S]]
// CHECK: %[[D:.*]] = nvvm.mbarrier.try_wait %[[S]], %{{.*}} : !llvm.ptr<3>, i32 -> i1
// CHECK: arith.extui %[[D]] : i1 to i32
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: nvvm.wgmma.mma_async %{{.*}}, %{{.*}}, %{{.*}}, <m = 64, n = 8, k = 16>, D[<f32>, <zero>], A[<bf16>, <one>, <row>], B[<bf16>, <neg>, <row>]
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %{{.*}}, %[[S]], box[%{{.*}}, %{{.*}}]
// CHECK: nvvm.cp.async.bulk.commit.group
// CHECK: nvvm.cp.async.bulk.wait_group 1 {read}
// CHECK-NOT: llvm.inline_asm
llvm.mlir.global internal @s() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1024 x i8> {
  %0 = llvm.mlir.undef : !llvm.array<1024 x i8>
  llvm.return %0 : !llvm.array<1024 x i8>
}
llvm.func ptx_kernelcc @hopper(%map: !llvm.ptr, %out: !llvm.ptr, %n: i32, %d: i64, %f: f32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %no = llvm.mlir.constant(0 : i32) : i32
  %p = llvm.mlir.addressof @s : !llvm.ptr<3>
  %i = llvm.ptrtoint %p : !llvm.ptr<3> to i64
  %s = llvm.trunc %i : i64 to i32
  llvm.inline_asm has_side_effects "fence.acq_rel.gpu;", "~{memory}" : () -> ()
  llvm.inline_asm has_side_effects "prefetch.global.L2::evict_last [$0];", "l" %out : (!llvm.ptr) -> ()
  llvm.inline_asm has_side_effects "prefetch.tensormap [$0];", "l" %map : (!llvm.ptr) -> ()
  llvm.inline_asm has_side_effects "setmaxnreg.inc.sync.aligned.u32 240;", "" : () -> ()
  llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r" %s, %n : (i32, i32) -> ()
  llvm.inline_asm has_side_effects "fence.mbarrier_init.release.cluster;", "" : () -> ()
  llvm.inline_asm has_side_effects "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r" %s, %n : (i32, i32) -> ()
  %t = llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 $0, [$1];", "=l,r" %s : (i32) -> i64
  llvm.store %t, %out : i64, !llvm.ptr
  llvm.inline_asm has_side_effects "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4}], [$2];", "r,l,r,r,r,~{memory}" %s, %map, %s, %n, %n : (i32, !llvm.ptr, i32, i32, i32) -> ()
  llvm.inline_asm has_side_effects "{\0A.reg .pred p;\0AWAIT_${:uid}:\0Ambarrier.try_wait.parity.shared::cta.b64 p, [$0], $1;\0A@p bra DONE_${:uid};\0Abra WAIT_${:uid};\0ADONE_${:uid}:\0A}", "r,r,~{memory}" %s, %n : (i32, i32) -> ()
  %w = llvm.inline_asm has_side_effects "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [$1], $2; selp.u32 $0, 1, 0, p; }", "=r,r,r,~{memory}" %s, %n : (i32, i32) -> i32
  llvm.store %w, %out : i32, !llvm.ptr
  llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "~{memory}" : () -> ()
  %a = llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, $6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0,$1,$2,$3}, $4, $5, p, 1, -1, 0, 1; }", "=f,=f,=f,=f,l,l,r,0,1,2,3" %d, %d, %no, %f, %f, %f, %f : (i64, i64, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.inline_asm has_side_effects "wgmma.commit_group.sync.aligned;", "~{memory}" : () -> ()
  llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "~{memory}" : () -> ()
  %x = llvm.extractvalue %a[1] : !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %x, %out : f32, !llvm.ptr
  llvm.inline_asm has_side_effects "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [$0, {$2, $3}], [$1];", "l,r,r,r,~{memory}" %map, %s, %n, %n : (!llvm.ptr, i32, i32, i32) -> ()
  llvm.inline_asm has_side_effects "cp.async.bulk.commit_group;", "" : () -> ()
  llvm.inline_asm has_side_effects "cp.async.bulk.wait_group.read $0;", "n" %one : (i32) -> ()
  llvm.return
}

// -----

// What has no operation that says exactly the same stays, with its name.
// CHECK-LABEL: gpu.func @kept
// CHECK-COUNT-11: llvm.inline_asm
llvm.func ptx_kernelcc @kept(%out: !llvm.ptr, %a: i32, %f: f32) {
  // expected-remark@+1 {{not lifted: inline PTX cp.async.cg.shared.global.L2::128B: its cache policy has no counterpart}}
  llvm.inline_asm has_side_effects "cp.async.cg.shared.global.L2::128B [$0], [$1], 16;", "r,l" %a, %out : (i32, !llvm.ptr) -> ()
  // expected-remark@+1 {{not lifted: inline PTX cp.async.ca.shared.global: a guarded instruction has no operation}}
  llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, $0, 0; @p cp.async.ca.shared.global [$0], [$1], 4; }", "r,l" %a, %out : (i32, !llvm.ptr) -> ()
  // expected-remark@+1 {{not lifted: inline PTX ex2.approx.ftz.f32: no operation for this instruction}}
  %0 = llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;", "=f,f" %f : (f32) -> f32
  // expected-remark@+1 {{not lifted: inline PTX dp4a.s32.s32: operand 2: expected an argument of constraint r, found an argument of constraint f}}
  %1 = llvm.inline_asm "dp4a.s32.s32 $0, $1, $2, $3;", "=r,f,r,r" %0, %a, %a : (f32, i32, i32) -> i32
  // expected-remark@+1 {{not lifted: inline PTX tanh.approx.f32: not in the table of inline PTX}}
  %2 = llvm.inline_asm "tanh.approx.f32 $0, $1;", "=f,f" %f : (f32) -> f32
  // expected-remark@+1 {{not lifted: inline PTX barrier.sync: nvvm.barrier is aligned}}
  llvm.inline_asm has_side_effects "barrier.sync 1;", "" : () -> ()
  // expected-remark@+1 {{not lifted: inline PTX mbarrier.init.shared.b64: a shared address that is no pointer plus an offset}}
  llvm.inline_asm has_side_effects "mbarrier.init.shared.b64 [$0], 1;", "r" %a : (i32) -> ()
  // expected-remark@+1 {{not lifted: inline PTX mbarrier.inval.shared.b64: a pointer into another address space}}
  llvm.inline_asm has_side_effects "mbarrier.inval.shared.b64 [$0];", "l" %out : (!llvm.ptr) -> ()
  // expected-remark@+1 {{not lifted: inline PTX ld.global.f32: a volatile access stays}}
  %3 = llvm.inline_asm has_side_effects "ld.global.f32 $0, [$1];", "=f,l" %out : (!llvm.ptr) -> f32
  llvm.store %3, %out : f32, !llvm.ptr
  // expected-remark@+1 {{not lifted: inline PTX cvt.rn.f16.f32: a result of another width than its constraint}}
  %4 = llvm.inline_asm "cvt.rn.f16.f32 $0, $1;", "=h,f" %f : (f32) -> i32
  llvm.store %4, %out : i32, !llvm.ptr
  // expected-remark@+1 {{not lifted: inline PTX setmaxnreg.dec.sync.aligned.u32: a register count that does not exist}}
  llvm.inline_asm has_side_effects "setmaxnreg.dec.sync.aligned.u32 25;", "" : () -> ()
  llvm.store %1, %out : i32, !llvm.ptr
  llvm.store %2, %out : f32, !llvm.ptr
  llvm.return
}

// -----

// CHECK-LABEL: gpu.func @wgmma_kept
// CHECK-COUNT-3: llvm.inline_asm
llvm.func ptx_kernelcc @wgmma_kept(%out: !llvm.ptr, %r: i32, %d: i64, %f: f32) {
  // expected-remark@+1 {{wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16: whether it adds is no constant}}
  %a = llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, $6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0,$1,$2,$3}, $4, $5, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,l,l,r,0,1,2,3" %d, %d, %r, %f, %f, %f, %f : (i64, i64, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %x = llvm.extractvalue %a[1] : !llvm.struct<(f32, f32, f32, f32)>
  // expected-remark@+1 {{wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16: no operation has A in registers}}
  %b = llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0,$1,$2,$3}, {$4,$5,$6,$7}, $8, p, 1, 1, 0; }", "=f,=f,=f,=f,r,r,r,r,l,0,1,2,3" %r, %r, %r, %r, %d, %x, %f, %f, %f : (i32, i32, i32, i32, i64, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %y = llvm.extractvalue %b[1] : !llvm.struct<(f32, f32, f32, f32)>
  // expected-remark@+1 {{wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16: a scale or an order that does not exist}}
  %c = llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0,$1,$2,$3}, $4, $5, p, 2, 1, 0, 0; }", "=f,=f,=f,=f,l,l,0,1,2,3" %d, %d, %y, %f, %f, %f : (i64, i64, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %z = llvm.extractvalue %c[1] : !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %z, %out : f32, !llvm.ptr
  llvm.return
}
