#!/usr/bin/env bash
# Usage: scripts/check-sources.sh [file...]
# Sizes, header texts and words in all tracked files, or in the given ones.
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 scripts/check-sources.py "$@"
