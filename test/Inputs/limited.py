"""Run a program with limits: limited.py <seconds of processor time> <MiB of address space> <program> [argument]..."""

import os
import resource
import sys

seconds, mebibytes = int(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))
os.execvp(sys.argv[3], sys.argv[3:])
