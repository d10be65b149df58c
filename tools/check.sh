#!/usr/bin/env bash
# Builds Cedilla, runs every test, and fuzz targets for a minute each. Ends with a line `N passed, N failed`, exit 1 if any failed.
set -uo pipefail
cd "$(dirname "$0")/.."

tools/setup.sh || exit 1
cmake --preset default || exit 1
log=build/check.log
cmake --build --preset default && cmake --build --preset default --target check-cedilla 2>&1 | tee "$log"
status=$?
# Schedules are left to test/fuzz/run.sh by hand: one takes a second or two, so a minute says little.
CEDILLA_FUZZ_JOBS=$(nproc) test/fuzz/run.sh "${CEDILLA_FUZZ_SECONDS:-60}" config safetensors package tokens 2>&1 | tee -a "$log"
fuzzed=$?
[ "$status" -ne 0 ] || status=$fuzzed

# lit closes with one line per outcome, e.g. `  Passed: 120 (98.36%)`; run.sh with two of the same form.
count() { sed -n "s/^ *$1 *: *\([0-9]*\).*/\1/p" "$log" 2>/dev/null | awk '{ n += $1 } END { print n + 0 }'; }
passed=$(count Passed)
failed=$(($(count Failed) + $(count Unresolved) + $(count 'Timed Out') + $(count 'Unexpectedly Passed')))
[ "$status" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
