#!/usr/bin/env bash
# The tool uses the shared MLIR and holds no second copy of its classes.
set -euo pipefail
ldd "$1" | grep -q 'libMLIR' || { echo "$1 does not use libMLIR"; exit 1; }
if nm -C --defined-only "$1" | grep -q ' T mlir::MLIRContext::MLIRContext('; then
  echo "$1 has its own copy of mlir::MLIRContext"; exit 1
fi
