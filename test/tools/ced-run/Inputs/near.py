"""Compares the logits of two dumps: the median over positions of max |difference| is below a limit.

Arguments: two files, the limit."""
import json
import statistics
import struct
import sys


def logits(path):
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        entry = header["logits"]
        begin, end = entry["data_offsets"]
        file.seek(8 + size + begin)
        data = file.read(end - begin)
    return entry["shape"], struct.unpack(f"<{len(data) // 4}f", data)


(shape, a), (other, b) = logits(sys.argv[1]), logits(sys.argv[2])
if shape != other:
    sys.exit(f"expected logits of one shape, got {shape} and {other}")
cols = shape[-1]
worst = [max(abs(x - y) for x, y in zip(a[i : i + cols], b[i : i + cols])) for i in range(0, len(a), cols)]
if not statistics.median(worst) <= float(sys.argv[3]):
    sys.exit(f"expected a median of at most {sys.argv[3]}, got {statistics.median(worst)}")
