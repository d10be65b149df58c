#!/usr/bin/env bash
# make-docs.sh <folder>: reference pages of every dialect (ops, attributes, types, enums) and of every room's passes, from their
# TableGen files, and a list of them. The build target `docs` makes build/docs. Needs mlir-tblgen on PATH or in MLIR_TBLGEN.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: tools/make-docs.sh <folder>" >&2; exit 2; }
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/.."
tblgen=$(readlink -f "$(command -v "${MLIR_TBLGEN:-mlir-tblgen}")")
include=$(dirname "$tblgen")/../include

# page <name> <generator> <file.td> [options]: written beside its place first, so that none is ever half there.
page() {
  local name=$1 generator=$2 file=$3
  shift 3
  "$tblgen" "-gen-$generator" "$file" -I . -I "$include" "$@" > "$folder/$name.partial"
  mv "$folder/$name.partial" "$folder/$name"
  echo "- [$name]($name): $file" >> "$folder/README.partial"
}

printf '# Reference pages\n\nGenerated; `tools/make-docs.sh` says how.\n\n' > "$folder/README.partial"
for main in dialects/ced/Ced.td dialects/sched/Sched.td dialects/tile/Tile.td; do
  dialect=$(basename "$(dirname "$main")")
  page "dialect-$dialect.md" dialect-doc "$main" "-dialect=$dialect"
done
for passes in $(find compiler -name Passes.td | LC_ALL=C sort); do
  room=$(dirname "${passes#compiler/}")
  page "passes-${room//\//-}.md" pass-doc "$passes"
done
mv "$folder/README.partial" "$folder/README.md"
