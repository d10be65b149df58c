# Feeds every phase what it does not take. Arguments: the folder of {empty,import,fuse,..}.mlir, ced-compile.
set -u
folder=$1 compile=$2
refuse() { # phase, input
  out=$("$compile" "$folder/$2.mlir" --from="$1" -o "$folder/wrong.ced" 2>&1)
  status=$?
  if [ $status -ne 2 ] || [ -e "$folder/wrong.ced" ] || ! grep -q "$1 phase" <<<"$out"; then
    echo "--from=$1 of $2.mlir: status $status: $out"
    exit 1
  fi
}
for phase in fuse schedule tile target package; do refuse $phase empty; done
for input in schedule tile target; do refuse fuse $input; refuse schedule $input; done
for input in import fuse tile target; do refuse tile $input; done
for input in import fuse schedule target; do refuse target $input; done
for input in import fuse schedule tile; do refuse package $input; done
refuse schedule import
