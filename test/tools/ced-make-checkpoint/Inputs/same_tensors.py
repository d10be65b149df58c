"""Fail unless two model folders hold the same tensors: same_tensors.py <a> <b>."""

import glob
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "Inputs"))
from safetensors_file import read

a, b = ({}, {})
for folder, tensors in zip(sys.argv[1:], (a, b)):
    for path in glob.glob(os.path.join(folder, "model*.safetensors")):
        tensors.update({name: (t.dtype, t.shape, t.data) for name, t in read(path).items()})
sys.exit(a != b or not a)
