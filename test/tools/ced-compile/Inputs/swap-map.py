"""swap-map.py <engram_token_map.safetensors> <test/Inputs>: exchanges the compressed ids of two tokens: another tokenizer's map."""

import sys

sys.path.insert(0, sys.argv[2])
import safetensors_file

tensors = safetensors_file.read(sys.argv[1])
data = tensors["token_map"].data
first, size = data[:4], 4
other = next(at for at in range(size, len(data), size) if data[at : at + size] != first)
tensors["token_map"].data = data[other : other + size] + data[size:other] + first + data[other + size :]
safetensors_file.write(sys.argv[1], tensors)
