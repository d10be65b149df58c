"""Change a checkpoint in one place at a time and show what a program says of each.

  mutate_checkpoint.py <model folder> <work folder> <test file> <program> [argument]...

Every line `MUTATE: <statements>` of the test file is one run on a fresh copy, with these names:
  t            the tensors by name; each has dtype, shape, data (bytes) and may be changed or deleted
  config       config.json
  shards(n)    store the tensors in n files with an index, dealt out in turn
  index        what the index will say (after shards): tensor -> file
  side(name)   tensors of another file of the folder, e.g. side("engram_token_map.safetensors")
  later(f)     f(folder) runs when all files are written
  raw(b)       model.safetensors is exactly these bytes
  header(text, data=b"")  model.safetensors is this header text and this data
One line is printed per run: `ok: <first matching line>` or `exit N: <message without the folder's name>`,
further lines of a message after it, separated by ` | `.
"""

import copy
import json
import os
import re
import shutil
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
from safetensors_file import Tensor, read, write


class Model:
    def __init__(self, folder):
        self.t = read(os.path.join(folder, "model.safetensors"))
        self.config = json.load(open(os.path.join(folder, "config.json")))
        self.folder, self.files, self.sides, self.after, self.bytes = folder, None, {}, [], None
        self.index = {}

    def shards(self, count):
        self.files = ["model-%d-of-%d.safetensors" % (i + 1, count) for i in range(count)]
        self.index.update({name: self.files[i % count] for i, name in enumerate(self.t)})
        self.place = dict(self.index)

    def side(self, name):
        if name not in self.sides:
            self.sides[name] = read(os.path.join(self.folder, name))
        return self.sides[name]

    def raw(self, data):
        self.bytes = data

    def header(self, text, data=b""):
        self.raw(struct.pack("<Q", len(text)) + text.encode() + data)

    def store(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for name in os.listdir(self.folder):
            if name.endswith("token_map.safetensors"):
                shutil.copy(os.path.join(self.folder, name), folder)
        json.dump(self.config, open(os.path.join(folder, "config.json"), "w"))
        for name, tensors in self.sides.items():
            path = os.path.join(folder, name)
            if os.path.exists(path):
                os.remove(path)
            write(path, tensors)
        self.storeWeights(folder)
        for action in self.after:
            action(folder)

    def storeWeights(self, folder):
        single = os.path.join(folder, "model.safetensors")
        if self.bytes is not None:
            open(single, "wb").write(self.bytes)
        elif not self.files:
            write(single, self.t)
        else:
            for file in self.files:
                write(os.path.join(folder, file), {n: v for n, v in self.t.items() if self.place.get(n) == file})
            index = {"metadata": {}, "weight_map": self.index}
            json.dump(index, open(os.path.join(folder, "model.safetensors.index.json"), "w"))


def main():
    base, work, test, *command = sys.argv[1:]
    original = Model(base)
    for line in open(test):
        if " MUTATE: " not in line:
            continue
        model = copy.deepcopy(original)
        names = {"t": model.t, "config": model.config, "index": model.index, "Tensor": Tensor, "os": os, "struct": struct}
        names.update(shards=model.shards, side=model.side, raw=model.raw, header=model.header, later=model.after.append)
        names.update(cut=lambda name, size: model.after.append(lambda d: os.truncate(os.path.join(d, name), size)))
        names.update(remove=lambda name: model.after.append(lambda d: os.remove(os.path.join(d, name))))
        exec(line.split(" MUTATE: ", 1)[1].strip(), names)
        model.store(work)
        run = subprocess.run(command + [work], capture_output=True, text=True)
        text = re.sub(r"error: CED\d{4}: ", "", run.stderr if run.returncode else run.stdout).replace(work + "/", "").replace(work + ": ", "")
        print("%s: %s" % ("exit %d" % run.returncode if run.returncode else "ok", " | ".join(l.strip() for l in text.strip().split("\n"))))


main()
