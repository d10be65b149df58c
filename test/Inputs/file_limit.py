"""Run a program that cannot write more than so much into a file, as on a full disk:
file_limit.py <bytes> <program> [argument]..."""

import os
import resource
import signal
import sys

size = int(sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
os.execvp(sys.argv[2], sys.argv[2:])
