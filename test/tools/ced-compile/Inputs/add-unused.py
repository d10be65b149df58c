"""add-unused.py <model> <names>: fills the index up to so many names with those of draft experts (2304) and vision, in a shard of
their own whose header is all there is of it."""
import json
import os
import sys

folder, wanted = sys.argv[1], int(sys.argv[2])
path = os.path.join(folder, "model.safetensors.index.json")
index = json.load(open(path))
names = [
    f"mtp.{block}.ffn.experts.{expert}.w{number}.{part}"
    for block in range(3)
    for expert in range(128)
    for number in (1, 2, 3)
    for part in ("weight", "scale")
]
missing = wanted - len(index["weight_map"]) - len(names)
if missing <= 0:
    sys.exit(f"expected fewer than {wanted} names, got {len(index['weight_map'])} and {len(names)}")
names += [f"vision.blocks.{i}.weight" for i in range(missing)]
header = {name: {"dtype": "U8", "shape": [1 << 20], "data_offsets": [i << 20, (i + 1) << 20]} for i, name in enumerate(names)}
text = json.dumps(header).encode()
with open(os.path.join(folder, "model-unused.safetensors"), "wb") as file:
    file.write(len(text).to_bytes(8, "little") + text)
    file.truncate(8 + len(text) + (len(names) << 20))
index["weight_map"].update({name: "model-unused.safetensors" for name in names})
json.dump(index, open(path, "w"))
