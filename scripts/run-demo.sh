#!/usr/bin/env bash
# Usage: scripts/run-demo.sh
# Builds the tool and runs the main job on the bundled softmax: CPU only.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build.sh dev klineage-opt
tool=build/dev/bin/klineage-opt
out=build/demo
mkdir -p "$out"
echo "== apply: skills on a softmax, judged by the gate"
"$tool" skills/row_reduction/accept.mlir --klineage-apply="skills=skills budget=4" -o "$out/lineage.mlir"
echo "== report"
"$tool" "$out/lineage.mlir" --klineage-report | grep -v ' proved '
echo "== the kernel's PTX: $out/kernel.ptx"
"$tool" "$out/lineage.mlir" --klineage-emit="state=last format=ptx" -o "$out/kernel.ptx"
grep -c . "$out/kernel.ptx"
