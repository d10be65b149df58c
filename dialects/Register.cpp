//===- Register.cpp - all dialects of the project in one call ---------------------------------===//

#include "dialects/Register.h"

#include "dialects/ced/Ced.h"
#include "dialects/sched/Sched.h"
#include "dialects/tile/Tile.h"

void cedilla::registerCedillaDialects(mlir::DialectRegistry &registry) {
  registry.insert<ced::CedDialect, sched::SchedDialect, tile::TileDialect>();
}
