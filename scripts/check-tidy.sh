#!/usr/bin/env bash
# Usage: scripts/check-tidy.sh [file.cpp...]
# Runs clang-tidy 22 with our .clang-tidy on the given files, or on those that differ
# from main. Needs a configured and built preset dev; the package is clang-tidy-22.
set -euo pipefail
cd "$(dirname "$0")/.."
tidy=$(command -v clang-tidy-22) || { echo "check-tidy: needs clang-tidy-22" >&2; exit 1; }
changed=()
[ $# -gt 0 ] || mapfile -t changed < <(git diff --name-only --diff-filter=d main -- 'lib/*.cpp' 'tools/*.cpp' 'unittests/*.cpp')
set -- "$@" "${changed[@]}"
[ $# -gt 0 ] || { echo "check-tidy: no C++ file differs from main"; exit 0; }
printf '%s\0' "$@" | xargs -0 -n 1 -P "${JOBS:-$(nproc)}" "$tidy" -p build/dev --quiet --warnings-as-errors='*'
echo "check-tidy: $# files are in order"
