"""sha256.py <file>: its SHA-256, from another implementation than ours."""

import hashlib
import sys

print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())
