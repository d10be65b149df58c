"""make-phases.py toy.json out.json [phase ..]: the toy model with its mix and head as phases of one kernel.

The phases given are those of marks put in front of the one between the two.
"""
import json
import sys

source, result, *marks = sys.argv[1:]
model = json.load(open(source))
embed, mix, head = model["kernels"]
model["kernels"] = [embed, {**head, "name": "both", "symbol": "toy_both", "phases": 2}]
for program in model["programs"]:
    first, mixed, mark, headed = program["steps"]
    both = {**mixed, "name": "both", "buffers": mixed["buffers"] + headed["buffers"][1:], "laterGrids": [headed["grid"]]}
    both["kernel"] = 1
    before = [{**mark, "phase": int(phase)} for phase in marks]
    program["steps"] = [first, both, *before, {**mark, "phase": 1}]
json.dump(model, open(result, "w"))
