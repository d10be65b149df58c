"""flip.py <package> <copy> <command ...>: the command, which reads the copy, must refuse it for each of many flipped bits: some of each byte of
header and table, some between sections, and some spread over all sections."""

import struct
import subprocess
import sys

good = open(sys.argv[1], "rb").read()
table = [struct.unpack_from("<IIQQQ", good, 32 + 32 * i) for i in range(3)]
ends = [128] + [offset + size for _, _, offset, size, _ in table]
gaps = [range(end, offset) for end, (_, _, offset, _, _) in zip(ends, table)]
places = list(range(0, 128, 5)) + [place for gap in gaps for place in (gap[:1], gap[-1:]) for place in place]
places += range(128, len(good), len(good) // 23)
assert any(len(gap) for gap in gaps)

wrong = 0
for number, place in enumerate(places):
    bad = bytearray(good)
    bad[place] ^= 1 << number % 8
    open(sys.argv[2], "wb").write(bad)
    run = subprocess.run(sys.argv[3:], capture_output=True, text=True)
    if run.returncode != 2 or not run.stderr.startswith("error: CED3") or run.stdout:
        print(f"byte {place}, bit {number % 8}: got {run.returncode} {run.stdout} {run.stderr}")
        wrong += 1
sys.exit(wrong != 0)
