#!/usr/bin/env bash
# Usage: scripts/run-demo.sh
# Builds the tool and runs the main job on the bundled softmax: CPU only.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build.sh dev klineage-opt KLineagePlugin
tool=build/dev/bin/klineage-opt
out=build/demo
mkdir -p "$out"
echo "== apply: skills on a softmax, judged by the gate"
"$tool" skills/row_reduction/accept.mlir --klineage-apply="skills=skills budget=4" -o "$out/lineage.mlir"
echo "== report"
"$tool" "$out/lineage.mlir" --klineage-report | grep -v ' proved '
if "$tool" "$out/lineage.mlir" --klineage-emit="state=last format=ptx" -o "$out/kernel.ptx" 2>"$out/emit.log"; then
  echo "== the kernel's PTX: $out/kernel.ptx"
  grep -c . "$out/kernel.ptx"
elif grep -q "no libdevice" "$out/emit.log"; then
  # exp becomes a function of CUDA's libdevice; without CUDA there is no PTX of it.
  echo "== the kernel: $out/kernel.mlir (its PTX needs CUDA's libdevice, which is not here)"
  "$tool" "$out/lineage.mlir" --klineage-emit="state=last format=kernels" -o "$out/kernel.mlir"
  grep -c . "$out/kernel.mlir"
else
  cat "$out/emit.log" >&2
  exit 1
fi
