// RUN: ced-opt %s --ced-x86-check-vectors -split-input-file -verify-diagnostics

llvm.func @registers(%a: vector<8xf32>, %b: vector<8xi64>) {
  %c = llvm.fadd %a, %a : vector<8xf32>
  %d = llvm.add %b, %b : vector<8xi64>
  llvm.return
}

// -----

llvm.func @large(%a: vector<64xf32>) {
  // expected-error @+1 {{'llvm.fadd' op expected vectors of at most 512 bits for LLVM, got 'vector<64xf32>'}}
  %c = llvm.fadd %a, %a : vector<64xf32>
  llvm.return
}
