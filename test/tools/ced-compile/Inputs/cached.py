"""cached.py <report> none|some|all: how many of a compile's objects came from the cache."""
import json
import sys

for code in json.load(open(sys.argv[1]))["codes"]:
    found, all_objects = code["cached"], code["objects"]
    said = "none" if found == 0 else "all" if found == all_objects else "some"
    if all_objects < 10 or said != sys.argv[2]:
        sys.exit(f"expected {sys.argv[2]} of at least 10 objects, got {found} of {all_objects}")
