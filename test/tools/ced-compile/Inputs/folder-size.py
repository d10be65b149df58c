"""folder-size.py <folder> <bytes>: its files have at most so many, and some."""
import pathlib
import sys

size = sum(file.stat().st_size for file in pathlib.Path(sys.argv[1]).rglob("*.*"))
if not 0 < size <= int(sys.argv[2]):
    sys.exit(f"expected 1 to {sys.argv[2]} bytes, got {size}")
