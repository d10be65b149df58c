"""Print how the values of some weights are spread: decoded here from the bytes, independently of the tool."""

import math
import os
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "Inputs"))
from safetensors_file import read

tensors = read(sys.argv[1])


def e4m3(code):
    sign, exponent, mantissa = -1 if code & 128 else 1, code >> 3 & 15, code & 7
    return sign * (mantissa / 8 * 2.0**-6 if exponent == 0 else (1 + mantissa / 8) * 2.0 ** (exponent - 7))


def bf16(name):
    data = tensors[name].data
    return [struct.unpack("<f", b"\0\0" + data[i : i + 2])[0] for i in range(0, len(data), 2)]


def fp8(name):
    codes, scales = tensors[name + ".weight"], tensors[name + ".scale"]
    cols, blocks = codes.shape[1], scales.shape[1]
    return [
        e4m3(code) * 2.0 ** (scales.data[i // cols // 32 * blocks + i % cols // 32] - 127) for i, code in enumerate(codes.data)
    ]


def fp4(name):
    table = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
    codes, scales = tensors[name + ".weight"], tensors[name + ".scale"]
    cols, values = 2 * codes.shape[1], []
    for i in range(2 * len(codes.data)):
        nibble = codes.data[i // 2] >> (4 * (i % 2)) & 15
        scale = 2.0 ** (scales.data[i // cols * scales.shape[1] + i % cols // 32] - 127)
        values.append(table[nibble & 7] * (-1 if nibble & 8 else 1) * scale)
    return values


def rms(values):
    return math.sqrt(sum(v * v for v in values) / len(values))


print("embed.weight rms %.3f" % rms(bf16("embed.weight")))
norm = bf16("layers.0.attn_norm.weight")
print("layers.0.attn_norm.weight mean %.4f" % (sum(norm) / len(norm)))
for name, decode, fan in (
    ("layers.0.attn.wq_a", fp8, 256),
    ("layers.0.attn.wo_b", fp8, 128),
    ("layers.0.ffn.experts.0.w1", fp4, 256),
    ("layers.0.ffn.experts.0.w2", fp4, 128),
):
    print("%s gain %.3f" % (name, rms(decode(name)) * math.sqrt(fan)))
