#!/usr/bin/env bash
# Usage: scripts/check-format.sh [-f]
# Says which C++ files clang-format 22 would change; -f changes them.
set -euo pipefail
cd "$(dirname "$0")/.."
format=$(command -v clang-format-22) || { echo "check-format: needs clang-format-22 (scripts/setup.sh)" >&2; exit 1; }
mapfile -t files < <(git ls-files '*.cpp' '*.h')
if [ "${1:-}" = -f ]; then
  "$format" -i "${files[@]}"
elif [ $# -gt 0 ]; then
  sed -n '2,3s/^# //p' "$0" >&2
  exit 2
elif ! "$format" --dry-run -Werror "${files[@]}" 2>&1 | sed -n 's/: error: .*//p' | cut -d: -f1 | sort -u | tee /dev/stderr | (! grep -q .); then
  echo "check-format: run scripts/check-format.sh -f" >&2
  exit 1
fi
