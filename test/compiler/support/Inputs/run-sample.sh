# run-sample.sh <config.json> <count> <seed> <folder> <source>: small configurations by chance that support accepts; each gets weights,
# is compiled for x86, run, and compared with the interpreter (check-model.sh). Prints those that differ, and how many there are.
set -eu
config=$1 count=$2 seed=$3 folder=$4 check=$5/test/tools/ced-run/Inputs/check-model.sh
rm -rf "$folder/sample"
ced-test-support "$config" "$count" --seed "$seed" --write "$folder/sample" > "$folder.log" || { cat "$folder.log"; exit 1; }
same=0 other=0
for ((i = 0; i < count; ++i)); do
  if said=$(bash "$check" cpu "$folder/sample/work" "$folder/sample/$i.json" 2>&1) && [[ $said == *"golden check: passed"* ]]; then
    same=$((same + 1))
  else
    other=$((other + 1))
    echo "$folder/sample/$i.json: $said" | tail -5
    [ -f "$folder/sample/work/log" ] && tail -3 "$folder/sample/work/log"
  fi
done
echo "$same ran as the interpreter, $other did not"
