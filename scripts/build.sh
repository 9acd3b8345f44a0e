#!/usr/bin/env bash
# Usage: scripts/build.sh [preset [target...]]
# Configures and builds a preset of CMakePresets.json (default: dev, everything).
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-dev}
cmake --preset "$preset"
cmake --build --preset "$preset" -j "${JOBS:-$(nproc)}" ${2:+--target "${@:2}"}
