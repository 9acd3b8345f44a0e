// Without the dialect plugin a lineage is not understood, and that is said.
// REQUIRES: plugin
// RUN: not mlir-opt --load-pass-plugin=%plugin %s --pass-pipeline='builtin.module(klineage-report)' 2>&1 | FileCheck %s
// RUN: not mlir-opt --load-pass-plugin=%s %s 2>&1 | FileCheck %s --check-prefix=FILE

// CHECK: Dialect `klineage' not found
// FILE: Failed to load passes from
klineage.lineage @l target <"sm_90a"> {
}
