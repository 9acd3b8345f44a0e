// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-lift=strict

// expected-error@+1 {{no kernel to lift}}
module {
  llvm.func @host(%x: !llvm.ptr) {
    llvm.return
  }
}

// -----

module {
  // expected-error@+1 {{the original flushes denormals to zero}}
  llvm.module_flags [#llvm.mlir.module_flag<override, "nvvm-reflect-ftz", 1 : i32>]
  llvm.func ptx_kernelcc @k(%x: !llvm.ptr) {
    llvm.return
  }
}

// -----

// expected-error@+1 {{takes a structure by value as argument 0}}
llvm.func ptx_kernelcc @k(%x: !llvm.ptr {llvm.byval = !llvm.struct<(i32, i32)>}) {
  llvm.return
}

// -----

llvm.func ptx_kernelcc @strict(%x: !llvm.ptr) {
  // expected-remark@+3 {{not lifted: a volatile access stays}}
  // expected-error@+2 {{'llvm.inttoptr' is left after lifting}}
  // expected-error@+1 {{'llvm.load' is left after lifting}}
  %0 = llvm.load volatile %x : !llvm.ptr -> f32
  llvm.store %0, %x : f32, !llvm.ptr
  llvm.return
}

// -----

llvm.func @one(%x: i32) -> i32 {
  llvm.return %x : i32
}
llvm.func ptx_kernelcc @through_pointer(%x: !llvm.ptr, %n: i32) {
  %f = llvm.mlir.addressof @one : !llvm.ptr
  // expected-error@+1 {{cannot be lifted: functions are called through pointers}}
  %0 = llvm.call %f(%n) : !llvm.ptr, (i32) -> i32
  llvm.store %0, %x : i32, !llvm.ptr
  llvm.return
}

// -----

llvm.func @one(%x: i32) -> i32 {
  llvm.return %x : i32
}
llvm.func ptx_kernelcc @stores_function(%x: !llvm.ptr) {
  // expected-error@+1 {{cannot be lifted: functions are called through pointers}}
  %f = llvm.mlir.addressof @one : !llvm.ptr
  llvm.store %f, %x : !llvm.ptr, !llvm.ptr
  llvm.return
}

// -----

llvm.func ptx_kernelcc @texture(%t: i64, %i: i32) {
  // expected-error@+1 {{cannot be lifted: textures are read}}
  %0 = llvm.inline_asm "tex.1d.v4.f32.s32 {$0, $1, $2, $3}, [$4, {$5}];", "=f,=f,=f,=f,l,r" %t, %i : (i64, i32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}
