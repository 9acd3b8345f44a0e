// See slower_negative.mlir.
