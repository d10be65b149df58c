//===- EmitTest.cpp - what an image may not contain -------------------------------------------===//
//
// A kernel that needs a function from outside is refused before linking, by the function's name; a
// loop that zeroes memory stays a loop. And what the null back end makes.
//
//===------------------------------------------------------------------------------------------===//

#include "Harness.h"

#include "compiler/target/Target.h"
#include "compiler/target/x86/Emit.h"
#include "dialects/tile/Tile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

using namespace x86test;

/// The diagnostics of compiling a module of the LLVM dialect; empty when it compiles.
static std::string messagesOf(const char *text) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::LLVM::LLVMDialect>();
  mlir::MLIRContext context(registry);
  std::string messages;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    messages += diagnostic.str();
    return mlir::success();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  check(bool(module), "the module does not parse: ", messages);
  bool compiles =
      mlir::succeeded(cedilla::x86::emitObject(*module, *cedilla::x86::findChip("avx2")));
  check(compiles == messages.empty(),
        "a failure without a message, or a message without failure: ", messages);
  return messages;
}

static Register imports("imports", [] {
  std::string messages = messagesOf(R"(
llvm.func @expf(f32) -> f32
llvm.func @kernel(%p: !llvm.ptr) {
  %x = llvm.load %p : !llvm.ptr -> f32
  %y = llvm.call @expf(%x) : (f32) -> f32
  llvm.store %y, %p : f32, !llvm.ptr
  llvm.return
})");
  check(messages == "expected kernels without imports, got one of 'expf': an op was lowered to a "
                    "library call",
        "got: ", messages);
  // What LLVM would like to call memset for, or memcpy.
  messages = messagesOf(R"(
llvm.func @kernel(%p: !llvm.ptr, %q: !llvm.ptr {llvm.noalias}, %n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %byte = llvm.mlir.constant(0 : i8) : i8
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %byte, %a : i8, !llvm.ptr
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %more, ^loop(%next : i64), ^copy(%zero : i64)
^copy(%j: i64):
  %b = llvm.getelementptr %p[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %c = llvm.getelementptr %q[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %x = llvm.load %c : !llvm.ptr -> i8
  llvm.store %x, %b : i8, !llvm.ptr
  %after = llvm.add %j, %one : i64
  %again = llvm.icmp "slt" %after, %n : i64
  llvm.cond_br %again, ^copy(%after : i64), ^end
^end:
  llvm.return
})");
  check(messages.empty(), "got: ", messages);
});

static Register nullImage("null image", [] {
  mlir::DialectRegistry registry;
  registry.insert<cedilla::tile::TileDialect>();
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
tile.kernel @first grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%rows: index, %b: index):
  tile.return
}
tile.kernel @second grid [#tile.grid<value = 1, rows_per = 0>] config {} class "run" {
^bb0(%rows: index, %b: index):
  tile.return
})",
                                                        &context);
  check(bool(module), "the module does not parse");
  auto image = cedilla::findTarget("null")->emit(*module, "none");
  check(mlir::succeeded(image) && image->kernels.size() == 2, "expected two kernels");
  std::string text(image->bytes.begin(), image->bytes.end());
  check(text == "first\nsecond\n", "got: ", text);
  check(!cedilla::findTarget("no such"), "expected no back end of an unknown name");
});
