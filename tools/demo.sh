#!/usr/bin/env bash
# Builds Cedilla, makes a small V4.1 checkpoint, compiles it and generates tokens on the CPU.
set -euo pipefail
cd "$(dirname "$0")/.."

tools/setup.sh
cmake --preset default >/dev/null
cmake --build --preset default --target ced-compile ced-run ced-inspect ced-make-checkpoint

bin=build/bin
model=build/demo/model
mkdir -p build/demo
[ -f "$model/config.json" ] || "$bin/ced-make-checkpoint" models/deepseek_v41/small.json -o "$model" --seed 1
"$bin/ced-compile" "$model" -o build/demo/small.ced
"$bin/ced-inspect" table "$model"
"$bin/ced-inspect" kv "$model"
"$bin/ced-run" build/demo/small.ced --weights "$model" --tokens 11,12,13,14,15,16,17,18 --max-new 32
