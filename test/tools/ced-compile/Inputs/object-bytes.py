"""object-bytes.py <IR of the target phase> <file>: the bytes of its only sched.object."""
import re
import sys

text = open(sys.argv[1], encoding="latin-1").read()
found = re.findall(r'^ *sched\.object .* "((?:[^"\\]|\\.)*)"[^"]*$', text, re.MULTILINE)
if len(found) != 1:
    sys.exit(f"expected one sched.object, got {len(found)}")
escape = re.compile(r"\\([0-9A-F]{2}|.)")
plain = escape.sub(lambda m: chr(int(m[1], 16)) if len(m[1]) == 2 else m[1], found[0])
open(sys.argv[2], "wb").write(plain.encode("latin-1"))
