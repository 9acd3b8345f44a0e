#!/usr/bin/env bash
# Usage: scripts/build.sh [preset]
# Configures and builds a preset of CMakePresets.json (default: dev).
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-dev}
cmake --preset "$preset"
cmake --build --preset "$preset" -j "${JOBS:-$(nproc)}"
