#!/usr/bin/env bash
# run.sh <seconds> [target...]: builds the fuzz targets, runs each on its corpus and then for so many seconds on changed inputs.
# Ends with lines as lit writes them, `  Passed: n` and `  Failed: n`; exit 1 if any failed. What a target failed with stays
# in build-fuzz/found/<target>. CEDILLA_FUZZ_JOBS targets run at a time (default 1).
set -uo pipefail
cd "$(dirname "$0")/../.."

[[ ${1:-} =~ ^[1-9][0-9]*$ ]] || { echo "usage: test/fuzz/run.sh <seconds> [target...]" >&2; exit 2; }
seconds=$1
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(config safetensors package tokens schedule)

cmake --preset fuzz > /dev/null && cmake --build --preset fuzz --target "${targets[@]/#/fuzz-}" || exit 1

export CEDILLA_FUZZ_MODEL=$PWD/test/golden/tiny-six-role/config.json CEDILLA_FUZZ_SCHEDULE=split
export UBSAN_OPTIONS=print_stacktrace=1

# One target; new inputs are collected beside the repository's.
run_target() {
  local target=$1 found=build-fuzz/found/$1 grown=build-fuzz/corpus/$1 length=16384 limit=10 status
  mkdir -p "$found" "$grown"
  # A whole schedule takes a second or two, more on a machine with other work.
  [ "$target" = schedule ] && length=512 limit=60
  build-fuzz/bin/fuzz-"$target" -seed=1 -max_len=$length -timeout=$limit -rss_limit_mb=2048 -max_total_time="$seconds" \
    -print_final_stats=1 -use_value_profile=1 -artifact_prefix="$found/" "$grown" test/fuzz/corpus/"$target" > "build-fuzz/$target.log" 2>&1
  status=$?
  if [ $status -eq 0 ]; then
    echo "PASS: fuzz-$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "build-fuzz/$target.log") inputs, $(grep -o 'cov: [0-9]*' "build-fuzz/$target.log" | tail -1)"
  else
    tail -40 "build-fuzz/$target.log"
    echo "FAIL: fuzz-$target: exit $status, see build-fuzz/$target.log"
  fi
}
export -f run_target
export seconds

result=build-fuzz/result.log
printf '%s\n' "${targets[@]}" | xargs -P "${CEDILLA_FUZZ_JOBS:-1}" -I{} bash -c 'run_target {}' | tee "$result"
passed=$(grep -c '^PASS: fuzz-' "$result")
echo "  Passed: $passed"
echo "  Failed: $((${#targets[@]} - passed))"
[ "$passed" -eq ${#targets[@]} ]
