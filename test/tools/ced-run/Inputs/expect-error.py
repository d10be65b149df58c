"""expect-error.py <text> <command ...>: the command must exit with 2, print nothing on stdout and one
line `error: CED<number>: …<text>…` on stderr."""

import re
import subprocess
import sys

text, command = sys.argv[1], sys.argv[2:]
result = subprocess.run(command, capture_output=True, text=True)
lines = result.stderr.splitlines()
good = (
    result.returncode == 2
    and result.stdout == ""
    and len(lines) == 1
    and re.match(r"error: CED\d{4}: ", lines[0])
    and text in lines[0]
)
if not good:
    print(f"expected exit code 2 and one line 'error: …{text}…', got {result.returncode}")
    print("stdout:", result.stdout)
    print("stderr:", result.stderr)
sys.exit(not good)
