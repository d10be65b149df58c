// RUN: ced-opt %s -split-input-file -verify-diagnostics

func.func @load_c1(%x: memref<4x8xf32>, %i: index) {
  // expected-error @+1 {{'tile.load' op expected one offset for each of the 2 dims of 'memref<4x8xf32>', got 1}}
  %t = tile.load %x[%i] : memref<4x8xf32> -> !tile.tile<2x8xf32>
  return
}

// -----

func.func @load_c2(%x: memref<4x8xf32>, %i: index) {
  // expected-error @+1 {{'tile.load' op expected dims from -1 to 1, got 2}}
  %t = tile.load %x[%i, %i] dims [0, 2] : memref<4x8xf32> -> !tile.tile<2x8xf32>
  return
}

// -----

func.func @load_c2(%x: memref<4x8xf32>, %i: index) {
  // expected-error @+1 {{'tile.load' op expected 2 dims, got 1}}
  %t = tile.load %x[%i, %i] dims [0] : memref<4x8xf32> -> !tile.tile<2x8xf32>
  return
}

// -----

func.func @load_c2(%x: memref<4x8xf32>, %i: index) {
  // expected-error @+1 {{'tile.load' op expected two different dims, got 1 twice}}
  %t = tile.load %x[%i, %i] dims [1, 1] : memref<4x8xf32> -> !tile.tile<2x8xf32>
  return
}

// -----

func.func @load_c2(%x: memref<8xf32>, %i: index) {
  // expected-error @+1 {{'tile.load' op expected dim -1 only where the tile's dim is 1, got '!tile.tile<2x8xf32>'}}
  %t = tile.load %x[%i] : memref<8xf32> -> !tile.tile<2x8xf32>
  return
}

// -----

func.func @load_c3(%x: memref<4x8xbf16>, %i: index) {
  // expected-error @+1 {{'tile.load' op expected memory of element 'f32', got 'bf16'}}
  %t = tile.load %x[%i, %i] : memref<4x8xbf16> -> !tile.tile<2x8xf32>
  return
}

// -----

func.func @store_c3(%x: memref<4x8xbf16>, %t: !tile.tile<2x8xf32>, %i: index) {
  // expected-error @+1 {{'tile.store' op expected memory of element 'f32', got 'bf16'}}
  tile.store %t, %x[%i, %i] : !tile.tile<2x8xf32>, memref<4x8xbf16>
  return
}

// -----

func.func @gather_c2(%x: memref<8xf32>, %at: !tile.tile<1x1xi32>, %i: index) {
  // expected-error @+1 {{'tile.gather' op expected a memref dim for the rows, got -1}}
  %t = tile.gather %x[%i] at %at : memref<8xf32>, !tile.tile<1x1xi32> -> !tile.tile<1x8xf32>
  return
}

// -----

func.func @gather_c4(%x: memref<4x8xf32>, %at: !tile.tile<1x2xi32>, %i: index) {
  // expected-error @+1 {{'tile.gather' op expected an index tile of 2x1, got 1x2}}
  %t = tile.gather %x[%i, %i] at %at : memref<4x8xf32>, !tile.tile<1x2xi32> -> !tile.tile<2x8xf32>
  return
}

// -----

func.func @scatter_c4(%x: memref<4x8xf32>, %t: !tile.tile<2x8xf32>, %at: !tile.tile<2x1xf32>, %i: index) {
  // expected-error @+1 {{'tile.scatter' op expected an index tile of i32 or i64, got 'f32'}}
  tile.scatter %t, %x[%i, %i] at %at : !tile.tile<2x8xf32>, memref<4x8xf32>, !tile.tile<2x1xf32>
  return
}
