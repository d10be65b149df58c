"""provoke.py <Errors.def> <provoke.sh>: each number of the table has a function ced<number> in the script, which must fail with
one line `error: CED<number>: ..` on stderr (a phase says more lines before it) and exit code 1 or 2."""

import os
import re
import subprocess
import sys

table, script = sys.argv[1:]
numbers = re.findall(r"^CED_ERROR\(\w+, (\d+),", open(table).read(), re.M)
provoked = re.findall(r"^ced(\d+)\(\)", open(script).read(), re.M)


def bash(body):
    return subprocess.run(["bash", "-c", f". {script}\n{body}"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, errors="replace")


# A limit of memory is what provokes it, and a sanitizer's map of memory is beyond it.
unprovoked = ["5090"] if os.environ.get("CEDILLA_SANITIZED") else []


def check(number):
    if number in unprovoked:
        return ""
    if number not in provoked:
        return "no command provokes it"
    run = bash("ced" + number)
    lines = [line for line in run.stderr.splitlines() if line.startswith("error: CED")]
    if len(lines) == 1 and re.match(rf"error: CED{number}: \S", lines[0]) and run.returncode in (1, 2):
        return ""
    return f"expected one line 'error: CED{number}: ..' and exit code 1 or 2, got {run.returncode} and\n{run.stderr}"


wrong = {number: check(number) for number in numbers}
wrong |= {number: "not in the table" for number in provoked if number not in numbers}
wrong |= {number: "twice in the table" for number in numbers if numbers.count(number) > 1}
for number, why in wrong.items():
    if why:
        print(f"CED{number}: {why}")
sys.exit(any(wrong.values()))
