# run-sample.sh <config.json> <count> <seed> <folder> [first]: small configurations by chance that support accepts, from number <first>;
# each gets weights, is compiled for x86, and runs a prompt and eight steps of decode while the interpreter follows (--compare): every
# value that leaves a kernel, and every cache, is what its op makes of the operands that the package had; lists exactly. So a
# rounding that goes the other way counts once, in the op that rounds, and not in what later layers make of it, which in
# layers of a few dozen values may be anything. Prints those that differ, and how many there are.
set -eu
config=$1 count=$2 seed=$3 folder=$4 first=${5:-0}
tokens="--tokens 5,9,301,7,7,7,44,210,3,111,18,18,92,6,131,40,77,2,350 --max-new 8"
rm -rf "$folder"
ced-test-support "$config" "$count" --seed "$seed" --first "$first" --write "$folder" > /dev/null
right=0 other=0 values=0
for ((i = 0; i < count; ++i)); do
  work=$folder/work
  rm -rf "$work"
  mkdir "$work"
  if ced-make-checkpoint "$folder/$i.json" --seed 3 -o "$work/made" > "$work/log" 2>&1 &&
     ced-compile "$work/made" -o "$work/model.ced" --max-context 32 --max-batch 1 --max-rows 32 > "$work/log" 2>&1 &&
     ced-run "$work/model.ced" --compare "$work/made" $tokens > "$work/log" 2>&1; then
    right=$((right + 1))
    values=$((values + $(sed -n 's/^compare: .* steps, \([0-9]*\) values.*/\1/p' "$work/log")))
  else
    other=$((other + 1))
    echo "$folder/$i.json:"
    tail -6 "$work/log"
  fi
done
echo "$right ran as the interpreter ($values values), $other did not"
