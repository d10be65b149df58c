"""Safetensors files in plain Python: read(path) -> {name: Tensor}, write(path, tensors)."""

import json
import struct


class Tensor:
    def __init__(self, dtype, shape, data):
        self.dtype, self.shape, self.data = dtype, list(shape), data


def read(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    header.pop("__metadata__", None)
    return {
        name: Tensor(e["dtype"], e["shape"], data[e["data_offsets"][0] : e["data_offsets"][1]]) for name, e in header.items()
    }


def write(path, tensors):
    header, parts, at = {}, [], 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": tensor.dtype, "shape": tensor.shape, "data_offsets": [at, at + len(tensor.data)]}
        parts.append(tensor.data)
        at += len(tensor.data)
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))
