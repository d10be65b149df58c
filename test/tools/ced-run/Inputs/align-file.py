"""align-file.py <file.safetensors> <n>: pads the header so that tensors begin at a multiple of n."""

import struct
import sys

path, align = sys.argv[1], int(sys.argv[2])
data = open(path, "rb").read()
(size,) = struct.unpack("<Q", data[:8])
header, rest = data[8 : 8 + size].rstrip(b" "), data[8 + size :]
header += b" " * (-(8 + len(header)) % align)
open(path, "wb").write(struct.pack("<Q", len(header)) + header + rest)
