"""check-includes.py <root>: prints and counts include lines that the house rules forbid."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
# Room -> rooms whose headers it may include.
allowed = {
    "dialects": ["dialects", "runtime/io", "runtime/engine", "runtime/base"],
    "kernels-gen": ["dialects", "kernels-gen", "runtime/engine"],
    "compiler": ["dialects", "kernels-gen", "compiler", "runtime/base", "runtime/io", "runtime/engine", "runtime/package"],
    "runtime": ["runtime"],
}
# Rooms and programs that must not know LLVM or MLIR.
plain = ["runtime", "tools/ced-run", "tools/ced-bench"]
line = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]')

bad, seen = [], 0
for path in sorted(root.glob("*/**/*")):
    name = path.relative_to(root).as_posix()
    if path.suffix not in (".h", ".cpp", ".c"):
        continue
    room = name.split("/")[0]
    for number, text in enumerate(path.read_text().splitlines(), 1):
        found = line.match(text)
        if not found:
            continue
        seen += 1
        header = found.group(1)
        ours = header.split("/")[0] in ("dialects", "kernels-gen", "compiler", "runtime", "tools", "test")
        if room in allowed and ours and not any(header.startswith(place + "/") for place in allowed[room]):
            bad.append(f"{name}:{number}: {room} may not include {header}")
        if any(name.startswith(place + "/") for place in plain) and re.match(r"(mlir|llvm)/", header):
            bad.append(f"{name}:{number}: {header} in a place without LLVM")
print("\n".join(bad))
sys.exit(bool(bad) or seen < 100)
