# every-config.sh <folder> <program> [argument]...: what the program says of each JSON file of the folder, a line for each. Fails
# where it says more than one line of a file that it refuses, or ends with another code than 0 or 2.
folder=$1
shift
cd "$folder" || exit 1
LC_ALL=C
for file in configs/*.json *.json; do
  said=$("$@" "$file" 2>&1 > /dev/null)
  code=$?
  if [ "$code" -eq 0 ]; then
    echo "$file: ok"
  elif [ "$code" -eq 2 ] && [ "$(echo "$said" | wc -l)" -eq 1 ]; then
    said=${said#error: CED????: }
    echo "$file: exit 2: ${said#"$file": }"
  else
    echo "$file: exit $code, expected 0, or 2 with one line: $said"
  fi
done
