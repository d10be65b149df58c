"""toy-ahead.py <toy.json>: the manifest with the program `advance`, which makes the rows of the next step, on stdout."""

import json
import sys

manifest = json.load(open(sys.argv[1]))
buffers = manifest["buffers"]
number = {buffer["name"]: i for i, buffer in enumerate(buffers)}
for name, width in ("sampling", 2), ("chosen", 5):
    number[name] = len(buffers)
    buffers.append({"name": name, "kind": "state", "type": "i32", "shape": [3, width], "bytes": 12 * width})
kernel = len(manifest["kernels"])
manifest["kernels"].append({"name": "advance", "symbol": "toy_advance", "object": 0, "reproducibility": "batch"})
used = [number[name] for name in ("logits", "slots", "chosen", "tokens", "positions")]
step = {"op": "dispatch", "kernel": kernel, "grid": [{"value": 1}], "buffers": used, "name": "advance", "layer": -1}
manifest["programs"].append({"name": "advance", "logits": number["logits"], "steps": [step]})
json.dump(manifest, sys.stdout)
