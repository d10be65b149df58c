// RUN: ced-opt %s -split-input-file -verify-diagnostics

func.func @decode_c1(%c: !tile.tile<8x32xi8>, %s: !tile.tile<8x1xi8>) {
  // expected-error @+1 {{'tile.decode' op expected codes of 8x16, got 8x32}}
  %v = tile.decode %c, %s element f4E2M1FN scale f8E8M0FNU block 1 x 32 : !tile.tile<8x32xi8>, !tile.tile<8x1xi8> -> !tile.tile<8x32xf32>
  return
}

// -----

func.func @decode_c1(%c: !tile.tile<8x32xi8>, %s: !tile.tile<8x1xi32>) {
  // expected-error @+1 {{'tile.decode' op expected scales of i8, got 'i32'}}
  %v = tile.decode %c, %s element f8E4M3FN scale f8E8M0FNU block 1 x 32 : !tile.tile<8x32xi8>, !tile.tile<8x1xi32> -> !tile.tile<8x32xf32>
  return
}

// -----

func.func @decode_c1(%c: !tile.tile<8x16xi8>, %s: !tile.tile<8x1xi8>) {
  // expected-error @+1 {{'tile.decode' op expected an even number of columns for f4E2M1FN, got 31}}
  %v = tile.decode %c, %s element f4E2M1FN scale f8E8M0FNU block 1 x 32 : !tile.tile<8x16xi8>, !tile.tile<8x1xi8> -> !tile.tile<8x31xf32>
  return
}

// -----

func.func @decode_c2(%c: !tile.tile<33x33xi8>, %s: !tile.tile<1x1xi8>) {
  // expected-error @+1 {{'tile.decode' op expected scales of 2x2, got 1x1}}
  %v = tile.decode %c, %s element f8E4M3FN scale f8E8M0FNU block 32 x 32 : !tile.tile<33x33xi8>, !tile.tile<1x1xi8> -> !tile.tile<33x33xf32>
  return
}

// -----

func.func @decode_c2(%c: !tile.tile<8x8xi8>, %s: !tile.tile<1x1xi8>) {
  // expected-error @+1 {{'tile.decode' op expected a positive block, got 0 x 32}}
  %v = tile.decode %c, %s element f8E4M3FN scale f8E8M0FNU block 0 x 32 : !tile.tile<8x8xi8>, !tile.tile<1x1xi8> -> !tile.tile<8x8xf32>
  return
}

// -----

func.func @decode_c3(%c: !tile.tile<8x8xi8>, %s: !tile.tile<1x1xi8>) {
  // expected-error @+1 {{'tile.decode' op expected element f8E4M3FN or f4E2M1FN, got 'f8E5M2'}}
  %v = tile.decode %c, %s element f8E5M2 scale f8E8M0FNU block 8 x 8 : !tile.tile<8x8xi8>, !tile.tile<1x1xi8> -> !tile.tile<8x8xf32>
  return
}

// -----

func.func @decode_c3(%c: !tile.tile<8x8xi8>, %s: !tile.tile<1x1xi8>) {
  // expected-error @+1 {{'tile.decode' op expected scale f8E8M0FNU or f8E4M3FN, got 'f32'}}
  %v = tile.decode %c, %s element f8E4M3FN scale f32 block 8 x 8 : !tile.tile<8x8xi8>, !tile.tile<1x1xi8> -> !tile.tile<8x8xf32>
  return
}

// -----

func.func @decode_c4(%c: !tile.tile<8x8xi8>, %s: !tile.tile<1x1xi8>) {
  // expected-error @+1 {{'tile.decode' op expected a result of f32 or bf16, got 'i8'}}
  %v = tile.decode %c, %s element f8E4M3FN scale f8E8M0FNU block 8 x 8 : !tile.tile<8x8xi8>, !tile.tile<1x1xi8> -> !tile.tile<8x8xi8>
  return
}

// -----

func.func @encode_c1(%x: !tile.tile<8x32xbf16>) {
  // expected-error @+1 {{'tile.encode' op expected x of f32, got 'bf16'}}
  %q, %s = tile.encode %x element f8E4M3FN scale f8E8M0FNU group 32 : !tile.tile<8x32xbf16> -> !tile.tile<8x32xi8>, !tile.tile<8x1xi8>
  return
}

// -----

func.func @encode_c1(%x: !tile.tile<8x33xf32>) {
  // expected-error @+1 {{'tile.encode' op expected scales of 8x2, got 8x1}}
  %q, %s = tile.encode %x element f8E4M3FN scale f8E8M0FNU group 32 : !tile.tile<8x33xf32> -> !tile.tile<8x33xi8>, !tile.tile<8x1xi8>
  return
}

// -----

func.func @encode_c2(%x: !tile.tile<8x32xf32>) {
  // expected-error @+1 {{'tile.encode' op expected one of the rules f8E4M3FN/f8E8M0FNU/32, f4E2M1FN/f8E8M0FNU/32, f4E2M1FN/f8E4M3FN/16, got 'f8E4M3FN'/'f8E8M0FNU'/16}}
  %q, %s = tile.encode %x element f8E4M3FN scale f8E8M0FNU group 16 : !tile.tile<8x32xf32> -> !tile.tile<8x32xi8>, !tile.tile<8x2xi8>
  return
}
