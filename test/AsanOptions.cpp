//===- AsanOptions.cpp - AddressSanitizer for code that is linked with plain MLIR -----------------===//
//
// Instrumented headers poison what LLVM's arenas and the standard containers hold in reserve; plain code of the
// libraries takes from it without saying so.
//
//===------------------------------------------------------------------------------------------===//

extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0:detect_container_overflow=0"; }
