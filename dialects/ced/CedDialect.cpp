//===- CedDialect.cpp - registers the dialect's types, attributes and ops ---------------------===//

#include "dialects/ced/Ced.h"

using namespace cedilla::ced;

#include "dialects/ced/CedDialect.cpp.inc"
#include "dialects/ced/CedEnums.cpp.inc"

void CedDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/ced/CedOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "dialects/ced/CedOps.cpp.inc"
