#!/usr/bin/env bash
# Lifts a CUDA kernel into a state: clang, LLVM passes, import, klineage-lift.
#
#   scripts/lift.sh kernel.cu [-o state.mlir] [--launch=kernel.json] [--keep=kernel.ll]
#                   [--arch=sm_90] [--strict] [--assume-no-wrap] [--fix=m=64,n=64]
#
# The launch description defaults to kernel.json beside the kernel. Nothing is
# written unless every stage succeeds.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

die() { echo "lift.sh: $*" >&2; exit 1; }
find_tool() { # name: the LLVM 22 one
  for candidate in "${LLVM_PREFIX:-/usr/lib/llvm-22}/bin/$1" "$1-22"; do
    command -v "$candidate" && return
  done
  die "no $1 of LLVM 22: install clang-22, llvm-22 and mlir-22-tools"
}

kernel= output=- launch= keep= arch=sm_90 options=
while [ $# -gt 0 ]; do
  case $1 in
    -o) [ $# -gt 1 ] || die "-o needs a file"; output=$2; shift ;;
    --launch=*) launch=${1#*=} ;;
    --keep=*) keep=${1#*=} ;;
    --arch=*) arch=${1#*=} ;;
    --strict) options+=" strict" ;;
    --assume-no-wrap) options+=" assume-no-wrap" ;;
    --fix=*) options+=" fix=${1#*=}" ;;
    -*) die "unknown option $1" ;;
    *) [ -z "$kernel" ] || die "one kernel at a time"; kernel=$1 ;;
  esac
  shift
done
[ -n "$kernel" ] || die "usage: lift.sh kernel.cu [-o state.mlir]"
[ -r "$kernel" ] || die "cannot read '$kernel'"
[ -n "$launch" ] || launch=${kernel%.*}.json
[ -r "$launch" ] || die "no launch description '$launch' (docs/lifting.md says what it holds)"
cuda=${CUDA_HOME:-${CUDA_PATH:-/usr/local/cuda}}
[ -r "$cuda/include/cuda_runtime.h" ] ||
  die "no CUDA headers in '$cuda': install the CUDA 13 toolkit (cuda-cudart-dev, cuda-crt) or set CUDA_HOME"
tool=${KLINEAGE_OPT:-$root/build/dev/bin/klineage-opt}
command -v "$tool" >/dev/null || tool=$(command -v klineage-opt) || die "no klineage-opt; build it or set KLINEAGE_OPT"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compile=("$(find_tool clang++)" -x cuda --cuda-device-only "--cuda-gpu-arch=$arch"
  "--cuda-path=$cuda" -Wno-unknown-cuda-version -std=c++17 -nocudalib -O1
  -gline-tables-only -fdebug-compilation-dir=. -Xclang -disable-llvm-passes -S -emit-llvm)
# No loop rotation and no rewriting of counters: loops keep the form i < n.
# Address spaces come after the last SROA, or private arrays stay in memory.
clean='instcombine<no-verify-fixpoint>,sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,sroa,simplifycfg'
passes="always-inline,cgscc(inline),globaldce,function(sroa,early-cse<memssa>,simplifycfg"
passes+=",instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa,loop(loop-unroll-full),$clean"
passes+=",infer-address-spaces,instcombine<no-verify-fixpoint>,early-cse<memssa>,load-store-vectorizer"
passes+=",dce,loop-simplify,mergereturn),globaldce"

"${compile[@]}" -o "$work/raw.ll" "$kernel"
"$(find_tool opt)" -S "$work/raw.ll" -o "$work/kernel.ll" -passes="$passes"
"$(find_tool mlir-translate)" --mlir-print-debuginfo --import-llvm "$work/kernel.ll" \
  -o "$work/kernel.mlir" 2>"$work/import" || { cat "$work/import" >&2; exit 1; }
command=$(printf '%s ' "$(basename "${compile[0]}")" "${compile[@]:1}" "$(basename "$kernel")"; echo "; opt -passes=$passes")
command=${command//\"/}
"$tool" "$work/kernel.mlir" \
  --klineage-lift="launch=$launch$options command='${command//\'/}'" -o "$work/state.mlir"
[ -z "$keep" ] || cp "$work/kernel.ll" "$keep"
if [ "$output" = - ]; then cat "$work/state.mlir"; else cp "$work/state.mlir" "$output"; fi
