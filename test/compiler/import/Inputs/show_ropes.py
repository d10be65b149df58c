"""Run ced-inspect graph and print the rotary parameters of the first layer without and with main KV."""

import re
import subprocess
import sys

run = subprocess.run(["ced-inspect", "graph", sys.argv[1]], capture_output=True, text=True)
if run.returncode:
    sys.stderr.write(run.stderr)
    sys.exit(run.returncode)
ropes = []
for found in re.findall(r"dim = \d+, theta = (\S+), original = (\d+), factor = (\S+), beta_fast = (\S+), beta_slow = ([^>]+)>", run.stdout):
    text = "plain " + found[0] if found[1] == "0" else "yarn " + " ".join(found)
    if text not in ropes:
        ropes.append(text)
print("; ".join(ropes))
