"""must-fail.py <folder> <golden>: compiles every mistake that <folder>/names lists; the golden check must refuse each,
by a layer that is beyond tolerance (exit code 1), not by an error."""

import pathlib
import subprocess
import sys

folder, golden = pathlib.Path(sys.argv[1]), sys.argv[2]
unseen = []
for name in (folder / "names").read_text().split():
    package = folder / f"{name}.ced"
    subprocess.run(["ced-compile", "--from=fuse", folder / f"{name}.mlir", "-o", package], check=True)
    check = subprocess.run(
        ["ced-run", package, "--weights", golden, "--check-golden", golden], capture_output=True, text=True
    )
    layers = [line for line in check.stdout.splitlines() if line.startswith("beyond tolerance: layer")]
    print(f"{name}: exit code {check.returncode}; {layers[0] if layers else 'no layer is beyond tolerance'}")
    if check.returncode != 1 or not layers:
        unseen.append(name)
        print(check.stdout[-2000:], check.stderr[-2000:])
print("not seen:", unseen)
sys.exit(bool(unseen))
