// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-lift -o %t

// Each reason to leave an object or an operation as it is.

llvm.func ptx_kernelcc @stored_pointer(%x: !llvm.ptr, %y: !llvm.ptr) {
  // expected-remark@+2 {{not lifted: the pointer itself is stored}}
  // expected-remark@+1 {{not lifted: no memref has elements of this type}}
  llvm.store %x, %y : !llvm.ptr, !llvm.ptr
  llvm.return
}

// -----

llvm.func @f(!llvm.ptr)
llvm.func ptx_kernelcc @called(%x: !llvm.ptr) {
  // expected-remark@+1 {{not lifted: the pointer is used by llvm.call}}
  llvm.call @f(%x) : (!llvm.ptr) -> ()
  llvm.return
}

// -----

llvm.func ptx_kernelcc @long_copy(%x: !llvm.ptr, %y: !llvm.ptr) {
  %n = llvm.mlir.constant(64 : i64) : i64
  // expected-remark@+1 {{not lifted: a copy of memory stays}}
  "llvm.intr.memcpy"(%x, %y, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// -----

llvm.func ptx_kernelcc @compared(%x: !llvm.ptr, %y: !llvm.ptr, %out: !llvm.ptr) {
  // expected-remark@+1 {{not lifted: the pointer is compared with one of another object}}
  %c = llvm.icmp "eq" %x, %y : !llvm.ptr
  %z = llvm.zext %c : i1 to i32
  llvm.store %z, %out : i32, !llvm.ptr
  llvm.return
}

// -----

llvm.func ptx_kernelcc @or_none(%x: !llvm.ptr, %out: !llvm.ptr, %n: i64, %c: i1) {
  %y = llvm.inttoptr %n : i64 to !llvm.ptr
  // expected-remark@+1 {{not lifted: this pointer may point into two objects, or none}}
  %p = llvm.select %c, %x, %y : i1, !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> f32
  llvm.store %v, %out : f32, !llvm.ptr
  llvm.return
}

// -----

llvm.mlir.global external constant @table(dense<1.0> : tensor<4xf32>) {addr_space = 4 : i32} : !llvm.array<4 x f32>
llvm.func ptx_kernelcc @constant_table(%out: !llvm.ptr) {
  // expected-remark@+1 {{not lifted: a global variable stays}}
  %p = llvm.mlir.addressof @table : !llvm.ptr<4>
  %v = llvm.load %p : !llvm.ptr<4> -> f32
  llvm.store %v, %out : f32, !llvm.ptr
  llvm.return
}

// -----

llvm.mlir.global external @dynamic() {addr_space = 3 : i32} : !llvm.array<0 x f32>
llvm.func ptx_kernelcc @no_description(%out: !llvm.ptr) {
  // expected-remark@+1 {{not lifted: dynamic shared memory needs a launch description}}
  %p = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
  %v = llvm.load %p : !llvm.ptr<3> -> f32
  llvm.store %v, %out : f32, !llvm.ptr
  llvm.return
}

// -----

llvm.mlir.global internal @started(dense<0.0> : tensor<4xf32>) {addr_space = 3 : i32} : !llvm.array<4 x f32>
llvm.func ptx_kernelcc @shared_with_value(%out: !llvm.ptr) {
  // expected-remark@+1 {{not lifted: a shared variable with a value stays}}
  %p = llvm.mlir.addressof @started : !llvm.ptr<3>
  %v = llvm.load %p : !llvm.ptr<3> -> f32
  llvm.store %v, %out : f32, !llvm.ptr
  llvm.return
}

// -----

llvm.mlir.global internal @bytes() {addr_space = 3 : i32} : !llvm.array<6 x i8> {
  %0 = llvm.mlir.undef : !llvm.array<6 x i8>
  llvm.return %0 : !llvm.array<6 x i8>
}
llvm.func ptx_kernelcc @odd_size(%out: !llvm.ptr) {
  // expected-remark@+1 {{not lifted: its size is no multiple of its element}}
  %p = llvm.mlir.addressof @bytes : !llvm.ptr<3>
  %v = llvm.load %p {alignment = 1 : i64} : !llvm.ptr<3> -> f32
  llvm.store %v, %out : f32, !llvm.ptr
  llvm.return
}

// -----

llvm.func ptx_kernelcc @variable_array(%out: !llvm.ptr, %n: i32) {
  // expected-remark@+1 {{not lifted: the array has no constant size}}
  %p = llvm.alloca %n x f32 : (i32) -> !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> f32
  llvm.store %v, %out : f32, !llvm.ptr
  llvm.return
}

// -----

llvm.func ptx_kernelcc @odd_type(%x: !llvm.ptr, %y: !llvm.ptr) {
  // expected-remark@+1 {{not lifted: no memref has elements of this type}}
  %v = llvm.load %x : !llvm.ptr -> i1
  // expected-remark@+1 {{not lifted: no memref has elements of this type}}
  llvm.store %v, %y : i1, !llvm.ptr
  llvm.return
}

// -----

llvm.func ptx_kernelcc @unlike_rmw(%x: !llvm.ptr, %v: i32) {
  // expected-remark@+1 {{not lifted: no memref.atomic_rmw does this}}
  %0 = llvm.atomicrmw uinc_wrap %x, %v monotonic : !llvm.ptr, i32
  llvm.return
}

// -----

llvm.func ptx_kernelcc @intrinsic() {
  // expected-remark@+1 {{not lifted: no operation for the intrinsic llvm.nvvm.griddepcontrol.wait}}
  llvm.call_intrinsic "llvm.nvvm.griddepcontrol.wait"() : () -> ()
  llvm.return
}

// -----

llvm.func @twice(%x: f32) -> f32 attributes {no_inline} {
  %0 = llvm.fadd %x, %x : f32
  llvm.return %0 : f32
}
llvm.func ptx_kernelcc @calls(%x: !llvm.ptr, %v: f32) {
  // expected-remark@+1 {{not lifted: a call of a function that was not inlined}}
  %0 = llvm.call @twice(%v) : (f32) -> f32
  llvm.store %0, %x : f32, !llvm.ptr
  llvm.return
}

// -----

llvm.func ptx_kernelcc @traps(%x: !llvm.ptr, %c: i1, %v: f32) {
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  llvm.store %v, %x : f32, !llvm.ptr
  llvm.return
^bb2:
  // expected-remark@+2 {{not lifted: no structured form of this terminator}}
  // expected-remark@+1 {{not lifted: the kernel keeps its branches}}
  llvm.unreachable
}

// -----

// Two loops that are none of scf.for: one that halves, one whose counter may
// step over the bound to the other end.

llvm.func ptx_kernelcc @halves(%x: !llvm.ptr, %n: i32, %v: f32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.br ^head(%n : i32)
^head(%i: i32):
  %more = llvm.icmp "sgt" %i, %zero : i32
  llvm.cond_br %more, ^body, ^end
^body:
  llvm.store %v, %x : f32, !llvm.ptr
  %j = llvm.lshr %i, %one : i32
  // expected-remark@+1 {{not lifted: the loop counts nothing up to a bound}}
  llvm.br ^head(%j : i32)
^end:
  llvm.return
}

// -----

llvm.func ptx_kernelcc @wraps(%x: !llvm.ptr, %n: i32, %v: f32) {
  %two = llvm.mlir.constant(2 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^end
^body:
  llvm.store %v, %x : f32, !llvm.ptr
  %j = llvm.add %i, %two : i32
  // expected-remark@+1 {{not lifted: the counter may wrap}}
  llvm.br ^head(%j : i32)
^end:
  llvm.return
}
