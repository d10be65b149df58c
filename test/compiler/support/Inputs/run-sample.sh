# run-sample.sh <config.json> <count> <seed> <folder> <source>: small configurations by chance that support accepts; each gets weights,
# is compiled for x86, run, and compared with the interpreter (check-model.sh). In layers of a few dozen values a single flipped code
# is more than that check allows a layer; there the chosen tokens must be equal. Prints those that differ, and how many there are.
set -eu
config=$1 count=$2 seed=$3 folder=$4 check=$5/test/tools/ced-run/Inputs/check-model.sh
tokens="--tokens 5,9,301,7,7,7,44,210,3,111,18,18,92,6,131,40,77,2,350 --max-new 8"
rm -rf "$folder"
ced-test-support "$config" "$count" --seed "$seed" --write "$folder" > /dev/null
layers=0 chosen=0 other=0
for ((i = 0; i < count; ++i)); do
  work=$folder/work
  if said=$(bash "$check" cpu "$work" "$folder/$i.json" 2>&1) && [[ $said == *"golden check: passed"* ]]; then
    layers=$((layers + 1))
  elif right=$(ced-run --reference "$work/made" $tokens | grep generated:) &&
       found=$(ced-run "$work/model.ced" --weights "$work/made" $tokens | grep generated:) && [ "$right" = "$found" ]; then
    chosen=$((chosen + 1))
  else
    other=$((other + 1))
    echo "$folder/$i.json:"
    tail -6 <<< "$said"
    tail -3 "$work/log"
  fi
done
echo "$((layers + chosen)) ran as the interpreter ($layers in every layer), $other did not"
