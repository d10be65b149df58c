//===- Families.cpp - the list of kernel families -----------------------------------------------------===//
//
// To add a family: a folder, a class, and one line in each of the two lists below.
//
//===------------------------------------------------------------------------------------------===//

#include "kernels-gen/common/Family.h"
#include "kernels-gen/linear/Linear.h"

using namespace cedilla;

llvm::ArrayRef<const Family *> cedilla::families() {
  static const LinearFamily linear;
  static const Family *const list[] = {&linear};
  return list;
}

const Family *cedilla::findFamily(llvm::StringRef name) {
  for (const Family *family : families())
    if (family->name() == name)
      return family;
  return nullptr;
}
