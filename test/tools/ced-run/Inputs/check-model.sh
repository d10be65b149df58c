# check-model.sh <cpu|emulator> <folder> <config.json | model>: what the interpreter computes with a model, or with weights made for a
# config, and whether a package does: each layer fed with the interpreter's values, then end to end. Prints the check's verdict,
# with how many of the index scores and of the lists that layers selected are equal.
set -eu
device=$1 folder=$2 model=$3
rm -rf "$folder/made" "$folder/set"
mkdir -p "$folder/set"
if [ ! -d "$model" ]; then
  ced-make-checkpoint "$model" --seed 3 -o "$folder/made" > "$folder/log"
  model=$folder/made
fi
ced-run --reference "$model" --tokens 5,9,301,7,7,7,44,210,3,111,18,18,92,6,131,40,77,2,350 --max-new 3 \
  --dump-golden --dump "$folder/set/golden.safetensors" >> "$folder/log"
if [ "$device" = emulator ]; then
  ced-emulate compile "$model" "$folder/model.ced" 32 > /dev/null 2>> "$folder/log"
  run=ced-emulate
else
  ced-compile "$model" -o "$folder/model.ced" --max-context 32 --max-batch 1 --max-rows 32 > /dev/null 2>> "$folder/log"
  run=ced-run
fi
if ! $run "$folder/model.ced" --weights "$model" --check-golden "$folder/set" > "$folder/out"; then
  cat "$folder/out" >&2
  exit 1
fi
found=$(grep -o 'scores .*, lists [0-9/-]*' "$folder/out")
echo "$device: $(tail -1 "$folder/out"), ${found/ equal/}"
