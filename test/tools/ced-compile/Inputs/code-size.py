"""Checks the code bytes of every kernel in IR that the target phase wrote.

Arguments: the file, the largest size allowed, the fewest kernels expected.
"""
import re
import sys

path, limit, fewest = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
kernels = {}
for line in open(path):
    if "sched.object" in line:
        for name, code in re.findall(r"(\w+) = \{[^{}]*?\bcode = (\d+) : i64", line):
            kernels[name] = int(code)
if len(kernels) < fewest:
    sys.exit(f"expected at least {fewest} kernels, got {len(kernels)}")
wrong = {name: code for name, code in kernels.items() if not 0 < code <= limit}
if wrong:
    sys.exit(f"expected 1 to {limit} bytes of code, got {wrong}")
