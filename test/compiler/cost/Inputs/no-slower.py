"""Of two schedules as JSON, every phase of the first is expected to take no longer than that of the second."""

import json
import sys

first, second = (json.load(open(name)) for name in sys.argv[1:3])
others = {phase["name"]: phase["total_expected_us"] for phase in second["phases"]}
assert {phase["name"] for phase in first["phases"]} == others.keys() >= {"prefill", "decode"}
for phase in first["phases"]:
    name, time = phase["name"], phase["total_expected_us"]
    assert time <= others[name], f"{name}: expected at most {others[name]} us, got {time} us"
