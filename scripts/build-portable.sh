#!/usr/bin/env bash
# Usage: scripts/build-portable.sh
# Builds one static klineage-opt that runs on any x86-64 Linux with glibc 2.36 or
# newer, checks that it needs nothing else, and packs it to build/klineage-opt.zst.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build.sh portable
tool=build/portable/bin/klineage-opt

needed=$(readelf -d "$tool" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
extra=$(grep -v -x -e 'lib[cm]\.so\.6' -e 'ld-linux-x86-64\.so\.2' <<<"$needed" || true)
[ -z "$extra" ] || { echo "the portable tool needs shared libraries: $extra" >&2; exit 1; }
glibc=$(objdump -T "$tool" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1)
[ "$(printf '%s\n' "$glibc" GLIBC_2.36 | sort -V | tail -1)" = GLIBC_2.36 ] ||
  { echo "the portable tool needs $glibc" >&2; exit 1; }

# No environment at all: nothing is found by accident.
env -i "$tool" skills/row_reduction/accept.mlir \
  --klineage-apply="skills=skills/row_reduction budget=2" -o build/portable/lineage.mlir
env -i "$tool" build/portable/lineage.mlir --klineage-replay -o /dev/null

zstd -q -10 -f "$tool" -o build/klineage-opt.zst
echo "build/klineage-opt.zst: $(stat -c %s build/klineage-opt.zst) bytes, needs $glibc"
