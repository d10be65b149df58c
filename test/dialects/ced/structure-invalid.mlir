// RUN: ced-opt %s -split-input-file -verify-diagnostics

func.func @weight_c1() {
  // expected-error @+1 {{'ced.weight' op expected at least one name, got none}}
  %0 = ced.weight [] : tensor<64xbf16>
  return
}

// -----

func.func @weight_c2() {
  // expected-error @+1 {{'ced.weight' op expected a first dim of 2, one for each name, got '!ced.scaled<3x16x64, f4E2M1FN, 1x32, f8E8M0FNU>'}}
  %0 = ced.weight ["experts.0.w1", "experts.1.w1"] : !ced.scaled<3x16x64, f4E2M1FN, 1x32, f8E8M0FNU>
  return
}

// -----

func.func @weight_c2_stacked() {
  // expected-error @+1 {{'ced.weight' op expected a first dim of 1, one for each name, got 'tensor<16x64xbf16>'}}
  %0 = ced.weight ["experts.0.w1"] {ced.stacked} : tensor<16x64xbf16>
  return
}

// -----

func.func @weight_c3() {
  // expected-error @+1 {{'ced.weight' op expected a static tensor or a static planar block-scaled type, got 'tensor<?x64xbf16>'}}
  %0 = ced.weight ["embed.weight"] : tensor<?x64xbf16>
  return
}

// -----

func.func @weight_c3_placement() {
  // expected-error @+1 {{'ced.weight' op expected a static tensor or a static planar block-scaled type, got '!ced.scaled<16x64, f8E4M3FN, 1x32, f8E8M0FNU, row>'}}
  %0 = ced.weight ["embed"] : !ced.scaled<16x64, f8E4M3FN, 1x32, f8E8M0FNU, row>
  return
}

// -----

func.func @weight_c3_type() {
  // expected-error @+1 {{'ced.weight' op expected a static tensor or a static planar block-scaled type, got '!ced.index_set<4>'}}
  %0 = ced.weight ["embed"] : !ced.index_set<4>
  return
}

// -----

func.func @reshape_c1(%x: tensor<?x256xbf16>) {
  // expected-error @+1 {{'ced.reshape' op expected rows of equally many values and the same first dim, got 'tensor<?x256xbf16>' -> 'tensor<?x4x32xbf16>'}}
  %0 = ced.reshape %x : tensor<?x256xbf16> -> tensor<?x4x32xbf16>
  return
}

// -----

// Rows stay rows: heads are not folded into T.
func.func @reshape_c1_rows(%x: tensor<6x64xbf16>) {
  // expected-error @+1 {{'ced.reshape' op expected rows of equally many values and the same first dim, got 'tensor<6x64xbf16>' -> 'tensor<3x64xbf16>'}}
  %0 = ced.reshape %x : tensor<6x64xbf16> -> tensor<3x64xbf16>
  return
}

// -----

func.func @group_c1(%x: tensor<?x64xbf16>) {
  // expected-error @+1 {{'ced.group' op expected block arguments of the inputs' types ('tensor<?x64xbf16>'), got ('tensor<?x32xbf16>')}}
  %q = ced.group "copy" (%x) : (tensor<?x64xbf16>) -> tensor<?x32xbf16> {
  ^bb0(%a: tensor<?x32xbf16>):
    ced.yield %a : tensor<?x32xbf16>
  }
  return
}

// -----

func.func @group_c1_yield(%x: tensor<?x64xbf16>) {
  // expected-error @+1 {{'ced.group' op expected yielded values of the results' types ('tensor<?x32xbf16>'), got ('tensor<?x64xbf16>')}}
  %q = ced.group "copy" (%x) : (tensor<?x64xbf16>) -> tensor<?x32xbf16> {
  ^bb0(%a: tensor<?x64xbf16>):
    // expected-note @+1 {{yielded here}}
    ced.yield %a : tensor<?x64xbf16>
  }
  return
}

// -----

func.func @group_c1_no_yield(%x: tensor<?x64xbf16>) {
  // expected-error @+1 {{'ced.group' op expected the body to end with 'ced.yield'}}
  ced.group "copy" (%x) : (tensor<?x64xbf16>) -> () {
  ^bb0(%a: tensor<?x64xbf16>):
    %0 = ced.scale %a by 1.0 : tensor<?x64xbf16>
  }
  return
}

// -----

// What a group reads is named: nothing reaches in from outside.
func.func @group_isolated(%x: tensor<?x64xbf16>) {
  // expected-note @+1 {{required by region isolation constraints}}
  %q = ced.group "copy" () : () -> tensor<?x64xbf16> {
    // expected-error @+1 {{'ced.yield' op using value defined outside the region}}
    ced.yield %x : tensor<?x64xbf16>
  }
  return
}
