"""finite.py <file.safetensors> <tensor>: an f32 tensor must hold finite values that are not all the same."""

import json
import math
import struct
import sys

data = open(sys.argv[1], "rb").read()
(size,) = struct.unpack("<Q", data[:8])
entry = json.loads(data[8 : 8 + size])[sys.argv[2]]
assert entry["dtype"] == "F32", entry
begin, end = (8 + size + offset for offset in entry["data_offsets"])
values = struct.unpack(f"<{(end - begin) // 4}f", data[begin:end])
bad = sum(not math.isfinite(value) for value in values)
print(f"{len(values)} values, {bad} not finite, {min(values)} to {max(values)}")
sys.exit(bad > 0 or min(values) == max(values))
