#!/usr/bin/env bash
# Usage: scripts/check-portable.sh TOOL PACKED
# The portable tool needs nothing but libc and libm, no glibc after 2.36, fits the
# size limits, and does the main job in an empty environment, away from the
# repository, with the skills beside it.
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$(realpath "$1")
packed=$(realpath "$2")
fail() {
  echo "check-portable: $*" >&2
  exit 1
}

needed=$(readelf -d "$tool" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for library in $needed; do
  case $library in
    libc.so.6 | libm.so.6 | libdl.so.2 | libpthread.so.0 | ld-linux-x86-64.so.2) ;;
    *) fail "needs $library" ;;
  esac
done
newest=$(readelf -V "$tool" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1)
[ "$(printf 'GLIBC_2.36\n%s\n' "$newest" | sort -V | tail -1)" = GLIBC_2.36 ] || fail "needs $newest"
size=$(stat -c %s "$tool")
packed_size=$(stat -c %s "$packed")
[ "$packed_size" -lt $((64 << 20)) ] || fail "$packed has $packed_size bytes; the limit is 64 MiB"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
zstd -q -d "$packed" -o "$dir/klineage-opt"
chmod +x "$dir/klineage-opt"
cp -r skills "$dir/skills"
cd "$dir"
run() { env -i ./klineage-opt "$@"; }
run skills/row_reduction/accept.mlir --klineage-apply="skills=skills budget=4 executor=simt" -o lineage.mlir
run lineage.mlir --klineage-report >report.txt
grep -q 'verdict: accepted' report.txt || fail "no verdict accepted in the report"
run lineage.mlir --klineage-replay -o /dev/null
# A transpose: the softmax needs libdevice, which only CUDA has.
run skills/transpose/accept.mlir --split-input-file --klineage-import --klineage-emit="format=ptx" -o kernel.ptx
grep -q '\.visible \.entry' kernel.ptx || fail "no entry in the PTX"
for root in "${CUDA_HOME:-}" /usr/local/cuda; do
  [ -x "$root/bin/ptxas" ] || continue
  # The usual search finds ptxas and libdevice without any environment.
  run lineage.mlir --klineage-emit="state=last format=resources" -o resources.json
  grep -q registers resources.json || fail "ptxas was not found by its usual place"
  break
done
echo "check-portable: needs" $needed "up to $newest; $((size >> 20)) MiB, packed $((packed_size >> 20)) MiB"
