#!/usr/bin/env bash
# Usage: scripts/test.sh [preset]
# Builds a preset (default: dev) and runs every test; ctest's summary comes last.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-dev}
scripts/build.sh "$preset"
ctest --test-dir "build/$preset" --output-on-failure -j "${JOBS:-$(nproc)}"
