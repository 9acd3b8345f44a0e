#!/usr/bin/env bash
# Usage: scripts/check-readme.sh [TOOL]
# Runs the commands of README's tour and compares what they print, loosely.
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 scripts/check-readme.py "${1:-build/dev/bin/klineage-opt}"
