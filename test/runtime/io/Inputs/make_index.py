"""Write an index of 96,085 tensors in 48 shards that do not exist."""

import json
import sys

names = ("layers.%d.ffn.experts.%d.w%d.weight.%d" % (i % 40, i % 384, i % 3, i) for i in range(96085))
shards = {name: "model-%05d-of-00048.safetensors" % (i * 48 // 96085 + 1) for i, name in enumerate(names)}
json.dump({"metadata": {"total_size": 510286023000}, "weight_map": shards}, open(sys.argv[1], "w"))
