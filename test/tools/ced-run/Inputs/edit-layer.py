"""edit-layer.py <import.mlir> <layer> <op> <old> <new>: replaces <old> in the first such op of the layer in each function."""

import sys

path, layer, op, old, new = sys.argv[1:]
now, done, edits = 0, False, 0
for line in open(path):
    if "func.func" in line:
        now, done = 0, False
    if now == int(layer) and not done and op in line and old in line:
        line, done, edits = line.replace(old, new), True, edits + 1
    if 'ced.mark "stream"' in line:
        now = int(line.split('"stream" ')[1].split()[0]) + 1
    sys.stdout.write(line)
if edits < 2:
    sys.exit(f"expected an op '{op}' with '{old}' in layer {layer} of prefill and decode, found {edits}")
