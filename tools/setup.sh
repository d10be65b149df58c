#!/usr/bin/env bash
# Installs what Cedilla is built and tested with on Debian 12; does nothing when it is all there.
set -euo pipefail

packages=(
  cmake ninja-build ccache python3 libstdc++-12-dev
  clang-22 libclang-rt-22-dev lld-22 llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools
  nlohmann-json3-dev libxxhash-dev
  # LLVM's own CMake files look for these.
  zlib1g-dev libzstd-dev libcurl4-openssl-dev libedit-dev
)

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

root=()
[ "$(id -u)" -eq 0 ] || root=(sudo)
echo "installing: ${missing[*]}" >&2
"${root[@]}" apt-get update -q >&2
DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}" >&2
