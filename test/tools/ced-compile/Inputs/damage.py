"""damage.py <cache>: changes a byte in every fourth object, cuts every fourth, empties every fourth; a fourth stays whole. Every module is
damaged in one of these ways."""
import pathlib
import sys

files = sorted(pathlib.Path(sys.argv[1]).rglob("*.object"))
if len(files) < 20:
    sys.exit(f"expected at least 20 files, got {len(files)}")
modules = sorted(pathlib.Path(sys.argv[1]).rglob("*.module"))
for way, file in [(i % 4, file) for i, file in enumerate(files)] + [(i % 3, file) for i, file in enumerate(modules)]:
    data = bytearray(file.read_bytes())
    if way == 0:
        data[len(data) // 2] ^= 1
    elif way == 1:
        del data[len(data) // 2 :]
    elif way == 2:
        data.clear()
    file.write_bytes(data)
