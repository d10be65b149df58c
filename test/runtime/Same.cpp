//===- Same.cpp - ced-test-same: are tensors of two files equal, byte for byte? -------------------===//
//
//   ced-test-same <a> <prefix> <b> <prefix> <name> ...
//
//===------------------------------------------------------------------------------------------===//

#include "runtime/base/Error.h"
#include "runtime/io/Safetensors.h"

#include <cstdio>
#include <cstring>

using namespace cedilla;

static const TensorView &get(const SafetensorsFile &file, const std::string &name) {
  if (const TensorView *view = file.find(name))
    return *view;
  fail(Err::Unnumbered, file.path(), ": no tensor '", name, "'");
}

int main(int argc, char **argv) {
  try {
    if (argc < 6)
      fail(Err::Unnumbered, "expected <a> <prefix> <b> <prefix> <name> ...");
    SafetensorsFile a(argv[1]), b(argv[3]);
    for (int i = 5; i < argc; ++i) {
      const TensorView &x = get(a, std::string(argv[2]) + argv[i]);
      const TensorView &y = get(b, std::string(argv[4]) + argv[i]);
      if (x.dtype != y.dtype || x.shape != y.shape || std::memcmp(x.data, y.data, x.bytes) != 0)
        fail(Err::Unnumbered, "'", x.name, "' ", shapeText(x.shape), " and '", y.name, "' ", shapeText(y.shape),
             " differ");
    }
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
