#!/usr/bin/env bash
# Usage: scripts/lift-table.sh [folder...]
# Lifts and checks all kernels of folders of experts/ (default: cuda heldout
# heldout2), and prints a table in Markdown. Needs the headers of CUDA; takes
# minutes.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
tool=${KLINEAGE_OPT:-$root/build/dev/bin/klineage-opt}
[ $# -gt 0 ] || set -- cuda heldout heldout2
for folder; do
  compgen -G "$root/experts/$folder/*.cu" >/dev/null && continue
  echo "lift-table: no kernels in experts/$folder" >&2
  exit 2
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

row() { # kernel.cu
  local name state check ops left verdict score
  name=$(basename "$1" .cu)
  state=$work/$name.mlir
  if ! "$root/scripts/lift.sh" "$1" -o "$state" --keep="$work/$name.ll" 2>"$work/log"; then
    verdict=$(grep -m1 -o 'error: .*' "$work/log" | cut -c1-90)
    echo "| $name | | | no state: ${verdict:-see lift.sh} | |"
    return
  fi
  ops=$(grep -o 'klineage.lift.ops = [0-9]*' "$state" | grep -o '[0-9]*$')
  left=$(grep -o 'klineage.lift.llvm_left = [0-9]*' "$state" | grep -o '[0-9]*$')
  check=$("$tool" "$state" --klineage-check-lift="original=$work/$name.ll mutate" 2>"$work/log")
  verdict=$(grep -m1 -o 'equal: .*' <<<"$check")
  score=$(grep -m1 -o '[0-9]* of [0-9]*' <<<"$check")
  [ -n "$verdict" ] || verdict=$(grep -m1 -o 'error: .*' "$work/log" | cut -c1-90)
  echo "| $name | $ops | $left | $verdict | $score |"
}

{
  for folder; do
    echo "| \`experts/$folder\` | llvm ops before | llvm ops left | check | mutants caught |"
    echo "|---|---|---|---|---|"
    for kernel in "$root/experts/$folder"/*.cu; do row "$kernel"; done
    echo
  done
}
