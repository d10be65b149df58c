"""undescribed.py <llvm-tblgen> <folder of pages> [file.td...]: every op, attribute, type and enum of our dialects and every pass has a
summary, all but enums a description, and a page that names it. Files are those that tools/make-docs.sh makes pages of, or the given ones.
Prints what has not, one a line, then a count."""

import json
import os
import re
import shutil
import subprocess
import sys

tblgen, folder, files = sys.argv[1], sys.argv[2], sys.argv[3:]
include = os.path.join(os.path.dirname(os.path.realpath(shutil.which(tblgen))), "..", "include")
files = files or re.findall(r": (\S+\.td)$", open(os.path.join(folder, "README.md")).read(), re.M)
pages = "".join(open(os.path.join(folder, name)).read() for name in sorted(os.listdir(folder)) if name != "README.md")
counts, seen = {}, set()


def ours(record):
    return record.get("opDialect", record.get("dialect", {})).get("def") in {"CedDialect", "SchedDialect", "TileDialect"}


def kind_of(record):
    superclasses = record["!superclasses"]
    if "PassBase" in superclasses:
        return "pass", record["argument"]
    for kind, superclass in (("op", "Op"), ("attribute", "AttrDef"), ("type", "TypeDef")):
        if superclass in superclasses and ours(record):
            return kind, record["opName"] if kind == "op" else record["cppClassName"]
    if "EnumInfo" in superclasses and record.get("cppNamespace", "").startswith("::cedilla"):
        return "enum", record["className"]
    return None, None


for file in files:
    dump = subprocess.run([tblgen, "--dump-json", file, "-I", ".", "-I", include], check=True, capture_output=True).stdout
    records = json.loads(dump)
    for name, record in sorted(records.items()):
        if name.startswith("!") or not isinstance(record, dict) or record.get("!anonymous") or name in seen:
            continue
        kind, shown = kind_of(record)
        # The attribute that stands for an enum is described as the enum.
        if not kind or "EnumAttrInfo" in record["!superclasses"] and kind != "enum":
            continue
        seen.add(name)
        counts[kind] = counts.get(kind, 0) + 1
        for field in ("summary",) if kind == "enum" else ("summary", "description"):
            if not (record.get(field) or "").strip():
                print(f"{file}: {kind} {shown}: no {field}")
        if not re.search(rf"^#+ .*\b{re.escape(shown)}\b", pages, re.M):
            print(f"{file}: {kind} {shown}: on no page")
print(", ".join(f"{counts[kind]} {kind}s" for kind in sorted(counts)).replace("passs", "passes"))
