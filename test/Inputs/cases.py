"""cases.py <test folder> <cases.txt>: every case is named by a test, as "(case 40)" or "(cases 24, 37)" in a comment, or has a line
"- 40: why" in README.md under "Cases without a test of their own". Prints each that has neither, each number that is no case, and how many
there are of both kinds."""

import pathlib
import re
import sys

folder, cases = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
known = {int(line.split()[0]): line.split(maxsplit=1)[1] for line in cases.read_text().splitlines() if line[:1].isdigit()}
named, explained, wrong = {}, {}, []

for file in sorted(folder.rglob("*")):
    if file.suffix not in {".test", ".mlir", ".cpp", ".c", ".ll"} or "golden" in file.parts:
        continue
    for match in re.finditer(r"\(cases? (\d+(?:, \d+)*)\)", file.read_text()):
        for number in map(int, match[1].split(", ")):
            named.setdefault(number, set()).add(str(file.relative_to(folder)))

section = (folder / "README.md").read_text().partition("## Cases without a test of their own")[2].partition("\n## ")[0]
for match in re.finditer(r"^- (\d+(?:, \d+)*): (\S.*)$", section, re.M):
    explained.update({int(number): match[2] for number in match[1].split(", ")})

for number in sorted(known.keys() - named.keys() - explained.keys()):
    wrong.append(f"case {number}: neither a test nor a line in test/README.md: {known[number]}")
for number in sorted((named.keys() | explained.keys()) - known.keys()):
    wrong.append(f"case {number}: there is no such case, named by {', '.join(sorted(named.get(number, {'README.md'})))}")
for number in sorted(explained.keys() & named.keys()):
    wrong.append(f"case {number}: explained in test/README.md and named by {', '.join(sorted(named[number]))}")
print("\n".join(wrong + [f"{len(known)} cases: {len(known.keys() & named.keys())} named by tests, {len(known.keys() & explained.keys())} explained"]))
sys.exit(bool(wrong))
