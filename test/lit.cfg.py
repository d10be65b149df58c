"""lit configuration: which files are tests, which words and features they may use.

  ced-opt, FileCheck, not, ...   programs by name: the build's bin folder, then LLVM's
  %golden, %data                 test/golden (captures of the reference code), test/data (configs)
  %source, %include              the repository's root; runtime/include
  %cc                            the C compiler of the build
  REQUIRES: cuda | avx2 | avx512 | ptxas; UNSUPPORTED: sanitized (the programs are built with AddressSanitizer, whose map of memory is
  beyond any limit of memory that a test may set)
"""

import ctypes
import os
import shutil

import lit.formats

config.name = "cedilla"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["golden", "data", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
source = os.path.dirname(config.test_source_root)

if config.sanitized:
    config.environment["CEDILLA_SANITIZED"] = "1"
config.environment["PATH"] = os.pathsep.join(
    [config.cedilla_tools_dir, config.llvm_tools_dir, os.environ.get("PATH", "")]
)

for word, value in (
    ("%golden", os.path.join(config.test_source_root, "golden")),
    ("%data", os.path.join(config.test_source_root, "data")),
    ("%source", source),
    ("%include", os.path.join(source, "runtime", "include")),
    ("%cc", config.c_compiler),
):
    config.substitutions.append((word, value))


def has_cuda_device():
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0


def cpu_flags():
    try:
        with open("/proc/cpuinfo") as info:
            return next((line.split() for line in info if line.startswith("flags")), [])
    except OSError:
        return []


flags = cpu_flags()
for feature, present in (
    ("cuda", has_cuda_device()),
    ("avx2", "avx2" in flags),
    ("avx512", "avx512f" in flags and "avx512bw" in flags),
    ("sanitized", config.sanitized),
    ("ptxas", shutil.which("ptxas") is not None),
):
    if present:
        config.available_features.add(feature)
