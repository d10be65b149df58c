"""self-contained.py <page>: the page must carry its data as JSON and load nothing from elsewhere."""

import json
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
assert text.startswith("<!DOCTYPE html>") and text.rstrip().endswith("</html>")
assert text.count("<script>") == 1 and text.count("</script>") == 1
assert not re.search(r"<(link|img|iframe)|src=|@import|https?://(?!www\.w3\.org/2000/svg)", text)
start = text.index("const data=") + len("const data=")
data, _ = json.JSONDecoder().raw_decode(text[start:])
assert [phase["name"] for phase in data["phases"]] == ["prefill", "decode", "advance"]
assert len(data["layers"]) == 6 and all(layer["owns"] for layer in data["layers"])
for phase in data["phases"]:
    for kind in phase["layer_kinds"]:
        assert kind["layers"] and all(kernel["parts"] for kernel in kind["kernels"]), kind["kind"]
