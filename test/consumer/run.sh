#!/usr/bin/env bash
# Usage: run.sh BUILD CXX CC
# Installs BUILD into a folder of its own, builds this project against it, runs
# it, and runs the installed tool.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
cxx=$2
cc=$3
dir=$build/test/consumer
rm -rf "$dir"
mkdir -p "$dir"
cmake --install "$build" --prefix "$dir/installed" >"$dir/install.log"
cmake -G Ninja -S "$here" -B "$dir/build" -DCMAKE_PREFIX_PATH="$dir/installed" \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_C_COMPILER="$cc" -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld >"$dir/configure.log"
cmake --build "$dir/build"
skills=$dir/installed/share/klineage/skills
"$dir/build/consumer" "$skills/row_reduction/accept.mlir" "$skills/row_reduction"
"$dir/installed/bin/klineage-opt" "$skills/row_reduction/accept.mlir" --klineage-import -o /dev/null
