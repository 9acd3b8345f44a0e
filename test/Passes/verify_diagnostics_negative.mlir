// The passes work on split input, and their errors are where -verify-diagnostics
// can expect them.
// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-import
// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-apply="skills=%skills executor=simt"
// RUN: klineage-opt %s -split-input-file -verify-diagnostics --pass-pipeline="builtin.module(canonicalize,klineage-import,cse)"
// RUN: not klineage-opt %s -split-input-file --klineage-report 2>&1 | FileCheck %s
// RUN: not klineage-opt %s -split-input-file --klineage-undo 2>&1 | FileCheck %s
// RUN: not klineage-opt %s -split-input-file --klineage-replay 2>&1 | FileCheck %s
// CHECK-COUNT-4: error: expected a module with a klineage.lineage

// expected-error @+1 {{expected a public entry function with a body}}
module {}

// -----

// expected-error @+1 {{expected one public entry function, found 'a' and 'b'}}
module {
  func.func @a(%x: memref<4xf32>) {
    return
  }
  func.func @b(%x: memref<4xf32>) {
    return
  }
}

// -----

module {
  // expected-error @+1 {{argument 0 has type 'memref<*xf32>'}}
  func.func @unranked(%x: memref<*xf32>) {
    return
  }
}

// -----

module {
  // expected-error @+1 {{argument 0 has type 'complex<f32>'}}
  func.func @number(%x: complex<f32>) {
    return
  }
}
