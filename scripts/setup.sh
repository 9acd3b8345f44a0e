#!/usr/bin/env bash
# Usage: scripts/setup.sh
# Installs all that building and testing need on Debian 12. Run it again at any
# time: it only adds what is missing.
set -euo pipefail

packages=(
  cmake ninja-build ccache git python3
  clang-22 clang-format-22 lld-22 llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools
  libgtest-dev nlohmann-json3-dev libcurl4-openssl-dev libzstd-dev zlib1g-dev zstd
)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: everything is installed"
  exit 0
fi
sudo=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: these packages are missing; install them as root: ${missing[*]}" >&2
    exit 1
  fi
  sudo=(sudo)
fi
"${sudo[@]}" apt-get update -qq
if [ -z "$(apt-cache policy llvm-22-dev | sed -n 's/  Candidate: //p' | grep -v '(none)')" ]; then
  echo "setup: LLVM 22 is in Debian's security suite; add the suite 'bookworm-security' to the apt sources" >&2
  exit 1
fi
DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
echo "setup: installed ${missing[*]}"
