"""What the released V4.1-Flash must move in a decode step, from `ced-inspect schedule --json` read from standard input.

  released.py reuse      one Reuse layer and its kernels at batch 1
  released.py step US    the sum of the step, in microseconds of bytes at 4.3 TB/s (within 0.5 %)
"""

import json
import sys


def close(name, found, expected, tolerance):
    if abs(found - expected) > tolerance:
        sys.exit(f"{name}: expected {expected} (+- {tolerance}), got {found}")
    print(f"{name}: {found:.3f}")


report = json.load(sys.stdin)
assert report["rates"] == "nvptx:sm_90a", report["rates"]
decode = next(phase for phase in report["phases"] if phase["name"] == "decode")

if sys.argv[1] == "step":
    expected = float(sys.argv[2])
    found = sum(
        kernel["memory_us"] * len(kind["layers"]) for kind in decode["layer_kinds"] for kernel in kind["kernels"]
    )
    close("step", found, expected, 0.005 * expected)
    sys.exit(0)

reuse = next(kind for kind in decode["layer_kinds"] if kind["kind"] == "reuse m=1" and len(kind["layers"]) > 5)


def kernel_with(*ops):
    found = [k for k in reuse["kernels"] if all(op in k["fuses"] for op in ops)]
    assert len(found) >= 1, (ops, [k["fuses"] for k in reuse["kernels"]])
    return found


def us(kernels):
    return sum(kernel["bytes"] for kernel in kernels) / 4.3e6


def linear(columns, rows):
    """The product alone whose weight has so many codes and that writes so many bf16 columns."""
    codes = columns * rows
    alone = [k for k in kernel_with("linear") if len(k["fuses"]) == 1 and codes < k["bytes_read"] < 1.01 * codes]
    return [k for k in alone if k["bytes_written"] == 2 * columns]


total = sum(kernel["bytes"] for kernel in reuse["kernels"])
close("layer, MB", total / 1e6, 283.7, 0.1)
close("layer, us", us(reuse["kernels"]), 66.0, 0.05)
close("experts", us(kernel_with("expert_up", "expert_down", "combine")), 34.5, 0.05)
close("wq_b", us(linear(32768, 1280)), 9.8, 0.05)
close("wo_a", us(kernel_with("grouped_linear")), 7.8, 0.05)
close("wo_b", us(linear(5120, 8192)), 9.8, 0.05)
close("wq_a || wkv", us([k for k in kernel_with("linear") if k["fuses"] == ["linear", "linear"]]), 2.1, 0.05)
close("gate", us(kernel_with("route")), 0.9, 0.05)
mixing = kernel_with("hc_mix")
assert len(mixing) == 2
for kernel in mixing:
    close("mixing", us([kernel]), 0.48, 0.01)
