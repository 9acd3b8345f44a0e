// What cannot be written is one line, and no half of a file.
// RUN: not klineage-opt %s -o /dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not klineage-opt %s -o %t.none/x.mlir 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not klineage-opt %s --klineage-apply="skills=%skills checkpoint=%t.none/x.mlir" 2>&1 | FileCheck %s --check-prefix=CHECKPOINT

// FULL: cannot write '/dev/full': No space left on device
// FOLDER: cannot write '{{.*}}x.mlir': No such file or directory
// CHECKPOINT: error: cannot write '{{.*}}x.mlir': No such file or directory

func.func @copy(%x: memref<16xf32>, %y: memref<16xf32>) {
  linalg.copy ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
