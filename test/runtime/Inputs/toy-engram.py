"""toy-engram.py <toy.json>: the manifest with an Engram table of 40 rows, on stdout."""

import json
import sys

manifest = json.load(open(sys.argv[1]))
buffers = manifest["buffers"]


def add(name, kind, type, shape, size, **more):
    buffers.append({"name": name, "kind": kind, "type": type, "shape": shape, "bytes": size, **more})


def weight(name, type, dtype, shape, size, **more):
    add(name, "weight", type, shape, size, tensors=[name], dtype=dtype, tensorShape=shape, **more)


add("engram_gathered", "input", "i32", [1], 4)
weight("map", "i32", "I32", [16], 64)
weight("t.weight", "i8", "I8", [40, 4], 160, byRow=True)
weight("t.scale", "i8", "I8", [40, 1], 40, byRow=True)
number = {buffer["name"]: i for i, buffer in enumerate(buffers)}
manifest["engram"] = {"orders": 1, "heads": 1, "pad": 2, "tokenMap": "map", "tables": [
    {"codes": "t.weight", "scales": "t.scale", "multipliers": [3, 5], "primes": [31], "offsets": [7]}]}
kernel = len(manifest["kernels"])
manifest["kernels"].append({"name": "engram", "symbol": "toy_engram", "object": 0, "reproducibility": "batch"})
names = ("tokens", "positions", "slots", "pages", "main_kv.0", "map", "engram_gathered", "t.weight", "t.scale", "x")
step = {"op": "dispatch", "kernel": kernel, "grid": [{"value": 1}], "buffers": [number[name] for name in names],
        "name": "engram", "layer": 0}
for program in manifest["programs"]:
    program["steps"].insert(2, step)
json.dump(manifest, sys.stdout)
