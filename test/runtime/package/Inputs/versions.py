"""versions.py <packages> <Layout.h> <work folder>: unpacks each format-<n>.ced.xz, which must be of version n, verify, and generate
what tokens.txt says; every version up to the one that is written must be there."""

import lzma
import os
import re
import subprocess
import sys

packages, layout, work = sys.argv[1:]
newest = int(re.search(r"uint32_t version = (\d+);", open(layout).read()).group(1))
wrong = 0


def said(*command):
    run = subprocess.run(command, capture_output=True, text=True)
    return run.stdout if run.returncode == 0 else run.stderr


expected = dict(line.split(": ", 1) for line in open(os.path.join(packages, "tokens.txt")).read().splitlines())
for version in range(1, newest + 1):
    path = os.path.join(work, f"format-{version}.ced")
    with open(path, "wb") as file:
        file.write(lzma.open(os.path.join(packages, f"format-{version}.ced.xz")).read())
    checked = said("ced-inspect", "verify", path)
    found = said("ced-run", path, "--synthetic-weights", "7", "--tokens", "3,5,9,4", "--max-new", "8").splitlines()[0]
    if f", format {version}\n" not in checked or "\nsha256: " not in checked or found != "generated: " + expected[str(version)]:
        print(f"format {version}: expected tokens {expected[str(version)]}, got {found}\n{checked}")
        wrong += 1
sys.exit(wrong)
