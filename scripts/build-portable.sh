#!/usr/bin/env bash
# Usage: scripts/build-portable.sh
# Builds build/portable/bin/klineage-opt, one static file for any machine with
# glibc >= 2.36, packs it as build/klineage-opt.zst, and checks both. On the other
# machine: zstd -d klineage-opt.zst, beside a copy of skills/. ptxas and libdevice
# are looked for there (PATH, CUDA_HOME, /usr/local/cuda), the driver by dlopen.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset portable >/dev/null
cmake --build --preset portable -j "${JOBS:-$(nproc)}" --target klineage-opt
tool=build/portable/bin/klineage-opt
packed=build/klineage-opt.zst
zstd -q -f -10 -T0 "$tool" -o "$packed"
scripts/check-portable.sh "$tool" "$packed"
