"""Checks what the assembler said of every kernel in IR that the target phase wrote for a GPU.

Arguments: the file, the most bytes of shared memory, the fewest kernels expected. No kernel spills, each has at
most 255 registers a thread, and a block's registers fit a multiprocessor's 65536.
"""
import re
import sys

path, shared, fewest = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
kernels = {}
for line in open(path):
    if "sched.object" in line:
        for name, members in re.findall(r"(\w+) = \{([^{}]*)\}", line):
            found = dict(re.findall(r"(\w+) = (\d+) : i64", members))
            if "registers" in found:
                kernels[name] = {key: int(value) for key, value in found.items()}
if len(kernels) < fewest:
    sys.exit(f"expected at least {fewest} kernels, got {len(kernels)}")
wrong = {
    name: k
    for name, k in kernels.items()
    if k["spills"] or not 0 < k["registers"] <= 255 or k["shared"] > shared or k["registers"] * k["threads"] > 65536
}
if wrong:
    sys.exit(f"expected no spills, 1 to 255 registers, at most {shared} bytes of shared memory, got {wrong}")
