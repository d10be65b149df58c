"""plant.py <import.mlir> <folder>: writes <folder>/<mistake>.mlir for each mistake, the model's IR with one thing wrong.

Every edit must change something: a mistake that no longer applies to the text is an error here, not a passing test.
"""

import pathlib
import re
import sys


def swap(text, a, b):
    return text.replace(a, "\0").replace(b, a).replace("\0", b)


def own_pre(text):
    """Collapse with the sublayer's own pre instead of the carried one: a mix stands right before its collapse."""
    return re.sub(
        r"(%(\w+), %\w+, %\w+ = ced\.hc_mix (%\w+),[^\n]*\n(?:[^\n]*\n)??\s*%\w+ = ced\.hc_collapse \3, )%\w+", r"\1%\2", text
    )


def no_pool(text):
    text = re.sub(r" pool %\w+ of \d+", "", text)
    return re.sub(r"(ced\.index_scores [^\n]*), !ced\.index_set<3> ->", r"\1 ->", text)


def unquantised_output(text):
    """wo_b multiplies the bf16 value instead of its FP8 rounding; the quantiser's result stays unused."""
    return re.sub(
        r"(ced\.quantize (%\w+) : (tensor<[^>]*>)[^\n]*\n[^\n]*attn\.wo_b[^\n]*\n[^\n]*)ced\.linear %\w+, (%\w+) : <[^>]*>, ",
        r"\1ced.grouped_linear \2, \4 groups 1 : \3, ",
        text,
    )


mistakes = {
    "swapped-thetas": lambda t: swap(t, "theta = 1.000000e+04", "theta = 1.600000e+05"),
    "no-yarn": lambda t: t.replace("original = 32", "original = 0"),
    "window-off-by-one": lambda t: t.replace("<16 + 8,", "<15 + 9,"),
    "another-layers-sink": lambda t: re.sub(r"layers\.\d\.attn\.attn_sink", "layers.3.attn.attn_sink", t),
    "image-bias-for-text": lambda t: re.sub(r"(ced\.route %\w+), (%\w+), (%\w+)", r"\1, \3, \2", t),
    "own-pre": own_pre,
    "no-candidate-pool": no_pool,
    "group-rotates-at-its-last-token": lambda t: t.replace("group 2 ", "group 1 "),
    "no-inverse-rotation": lambda t: t.replace(" inverse :", " :"),
    "missing-quantiser": unquantised_output,
    "gate-and-latent-swapped": lambda t: re.sub(r"(ced\.compress) (%\w+), (%\w+)", r"\1 \3, \2", t),
    "wrong-route-scale": lambda t: t.replace("scale 1.500000e+00", "scale 1.000000e+00"),
}

source, folder = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
for name, plant in mistakes.items():
    changed = plant(source)
    if changed == source:
        sys.exit(f"'{name}' changes nothing: the text of the IR is another one now")
    (folder / f"{name}.mlir").write_text(changed)
print("\n".join(mistakes))
