"""same-dump.py <a> <prefix> <b> <prefix>: every tensor of <a> under its prefix is in <b> under the other, with equal
shape and bytes, and the two hold equally many."""

import json
import struct
import sys


def read(path, prefix):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + length])
    body = data[8 + length :]
    return {
        name[len(prefix) :]: (entry["dtype"], entry["shape"], body[slice(*entry["data_offsets"])])
        for name, entry in header.items()
        if name != "__metadata__" and name.startswith(prefix)
    }


first, second = read(*sys.argv[1:3]), read(*sys.argv[3:5])
different = sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
if not first or different:
    print(f"{len(first)} and {len(second)} tensors, different: {different[:10]}")
sys.exit(not first or bool(different))
