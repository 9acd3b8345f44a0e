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
