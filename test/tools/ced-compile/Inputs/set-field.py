"""set-field.py <config.json> <out.json> <field of text_config> <JSON value>."""

import json
import sys

path, out, field, value = sys.argv[1:]
with open(path) as file:
    config = json.load(file)
config["text_config"][field] = json.loads(value)
with open(out, "w") as file:
    json.dump(config, file)
