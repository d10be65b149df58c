"""two-chips.py <toy.json>: the manifest with a second program of each name for nvptx sm_90a, on stdout."""

import copy
import json
import sys

manifest = json.load(open(sys.argv[1]))
count = len(manifest["kernels"])
manifest["objects"].append({"target": "nvptx", "chip": "sm_90a"})
for kernel in manifest["kernels"][:count]:
    manifest["kernels"].append(dict(kernel, object=1, threads=32))
for program in list(manifest["programs"]):
    second = copy.deepcopy(program)
    for step in second["steps"]:
        if step["op"] == "dispatch":
            step["kernel"] += count
    program.update(target="x86", chip="avx2")
    second.update(target="nvptx", chip="sm_90a")
    manifest["programs"].append(second)
json.dump(manifest, sys.stdout)
