"""lines.py <plain.ptx> <lines.ptx> <tile.mlir> <plain.ced> <lines.ced>: line information changes no instruction of the PTX, no
operation of the machine's (ptxas may name a few registers otherwise), and leads back. Every place that the PTX names is a line of the file, and of an op; nearly all lines of ops in loops, loads and
products name the ced op that they are there for. The cubin has a line table that names the file."""

import re
import struct
import sys

plain, lines, text, plain_package, package = sys.argv[1:]


def code(file):
    """Instructions, without names of labels, lines and comments."""
    kept = []
    for line in open(file):
        line = line.split("//")[0].strip()
        if line and not re.match(r"\.(loc|file|section)\b|\$L__tmp\d+:|\$L__func_(begin|end)\d+:", line):
            kept.append(line)
    return kept


def sections(file):
    """Of the cubin in a package."""
    data = open(file, "rb").read()
    data = data[data.index(b"\x7fELF") :]
    offset, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, offset + i * size) for i in range(count)]
    strings = headers[names][4]
    end = lambda at: data.index(b"\0", at)
    return {data[strings + h[0] : end(strings + h[0])].decode(): data[h[4] : h[4] + h[5]] for h in headers}


def operations(text):
    """The low twelve bits of each instruction of 16 bytes."""
    return [int.from_bytes(text[at : at + 2], "little") & 0xFFF for at in range(0, len(text), 16)]


if code(plain) != code(lines):
    sys.exit("the code differs")
before, after = sections(plain_package), sections(package)
for name in before:
    if name.startswith(".text.") and operations(before[name]) != operations(after[name]):
        sys.exit(f"{name}: other operations with lines than without")
if ".debug_line" in before or ".debug_line" not in after or text.split("/")[-1].encode() not in after[".debug_line"]:
    sys.exit("expected a line table that names the file, and none without being asked")

source = open(text).read().split("\n")
files = dict(re.findall(r'\.file\s+(\d+) "([^"]*)"', open(lines).read()))
named, places = 0, [(f, int(l)) for f, l in re.findall(r"\.loc\s+(\d+) (\d+) \d+", open(lines).read()) if int(l)]
for file, line in places:
    if files[file] != text:
        sys.exit(f"a line of {files[file]}, expected one of {text}")
    if not re.search(r"(%\S+ = |^\s*)\"?(tile|arith|math|scf|sched|builtin)\b", source[line - 1]):
        sys.exit(f"line {line} is no op: {source[line - 1]}")
    named += "// ced." in source[line - 1]
kernels = sorted({match for line in source if "tile.kernel" in line for match in re.findall(r"// (.*)", line)})
print(f"{len(places)} places, {100 * named // len(places)} % named after a ced op; kernels of {'; '.join(kernels)}")
