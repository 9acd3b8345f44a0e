#!/usr/bin/env bash
# The tool uses the shared MLIR and holds no second copy of its classes.
set -euo pipefail
# Whole outputs first: grep -q in a pipe ends its producer early, and pipefail
# then reports that as a failure now and then.
libraries=$(ldd "$1")
symbols=$(nm -C --defined-only "$1")
if [[ $libraries != *libMLIR* ]]; then
  echo "$1 does not use libMLIR"
  exit 1
fi
if grep -q ' T mlir::MLIRContext::MLIRContext(' <<<"$symbols"; then
  echo "$1 has its own copy of mlir::MLIRContext"
  exit 1
fi
