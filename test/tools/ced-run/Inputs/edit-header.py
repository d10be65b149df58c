"""edit-header.py <in> <out> <statements>: a safetensors file with its header, the dict h, changed; its bytes stay."""

import json
import sys

source, target, edit = sys.argv[1:]
data = open(source, "rb").read()
size = int.from_bytes(data[:8], "little")
h = json.loads(data[8 : 8 + size])
exec(edit)
header = json.dumps(h).encode()
open(target, "wb").write(len(header).to_bytes(8, "little") + header + data[8 + size :])
