"""Write the text config alone, with dtype and quantisation folded in: flatten.py <config.json> <out>."""

import json
import sys

config = json.load(open(sys.argv[1]))
flat = config["text_config"]
for key in ("dtype", "quantization_config", "eos_token_id"):
    flat[key] = config[key]
json.dump(flat, open(sys.argv[2], "w"))
