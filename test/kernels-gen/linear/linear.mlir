// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,7,16,17,33
// RUN: ced-conformance %s --target=nvptx --rows=1,7,33 --racecheck
// Steps of few rows have kernels of their own.
// RUN: sed 's/max_rows = 128/max_rows = 8/' %s > %t.mlir
// RUN: ced-conformance %t.mlir --target=nvptx --rows=1,7 --seeds=1 --racecheck

// Sums over K are added in another order than the interpreter's: one ulp of the row's largest value.
// Odd sizes: N and K that no tile divides (case 105), a single block, K below, at and above the tile; a store beyond a result ends the
// emulated run (case 108).

module attributes {sched.limits = {max_rows = 128, max_batch = 3, max_context = 512, page = 64}} {

func.func @square(%x: !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<64x64, f8E4M3FN, 32x32, f8E8M0FNU>) -> (tensor<?x64xbf16> {check.ulp = 1}) {
  %y = ced.linear %x, %w : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<64x64, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

func.func @odd_n(%x: !ced.scaled<?x160, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<33x160, f8E4M3FN, 32x32, f8E8M0FNU>) -> (tensor<?x33xbf16> {check.ulp = 1}) {
  %y = ced.linear %x, %w : !ced.scaled<?x160, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<33x160, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x33xbf16>
  return %y : tensor<?x33xbf16>
}

func.func @one_channel(%x: !ced.scaled<?x32, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<1x32, f8E4M3FN, 32x32, f8E8M0FNU>) -> (tensor<?x1xbf16> {check.ulp = 1}) {
  %y = ced.linear %x, %w : !ced.scaled<?x32, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<1x32, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x1xbf16>
  return %y : tensor<?x1xbf16>
}

func.func @long_k(%x: !ced.scaled<?x544, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<80x544, f8E4M3FN, 32x32, f8E8M0FNU>) -> (tensor<?x80xbf16> {check.ulp = 1}) {
  %y = ced.linear %x, %w : !ced.scaled<?x544, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<80x544, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x80xbf16>
  return %y : tensor<?x80xbf16>
}

func.func @n31(%x: !ced.scaled<?x96, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<31x96, f8E4M3FN, 32x32, f8E8M0FNU>) -> (tensor<?x31xbf16> {check.ulp = 1}) {
  %y = ced.linear %x, %w : !ced.scaled<?x96, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<31x96, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x31xbf16>
  return %y : tensor<?x31xbf16>
}

func.func @n65(%x: !ced.scaled<?x256, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<65x256, f8E4M3FN, 32x32, f8E8M0FNU>) -> (tensor<?x65xbf16> {check.ulp = 1}) {
  %y = ced.linear %x, %w : !ced.scaled<?x256, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<65x256, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x65xbf16>
  return %y : tensor<?x65xbf16>
}

func.func @fp4(%x: !ced.scaled<?x96, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<80x96, f4E2M1FN, 1x32, f8E8M0FNU>) -> (tensor<?x80xbf16> {check.ulp = 1}) {
  %y = ced.linear %x, %w : !ced.scaled<?x96, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<80x96, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x80xbf16>
  return %y : tensor<?x80xbf16>
}

func.func @fp4_odd_n(%x: !ced.scaled<?x160, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<33x160, f4E2M1FN, 1x32, f8E8M0FNU>) -> (tensor<?x33xbf16> {check.ulp = 1}) {
  %y = ced.linear %x, %w : !ced.scaled<?x160, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<33x160, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x33xbf16>
  return %y : tensor<?x33xbf16>
}

func.func @fp4_long_k(%x: !ced.scaled<?x544, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<64x544, f4E2M1FN, 1x32, f8E8M0FNU>) -> (tensor<?x64xbf16> {check.ulp = 1}) {
  %y = ced.linear %x, %w : !ced.scaled<?x544, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<64x544, f4E2M1FN, 1x32, f8E8M0FNU> -> tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}

func.func @bf16(%x: tensor<?x64xbf16>, %w: tensor<48x64xbf16>) -> (tensor<?x48xbf16> {check.ulp = 1}) {
  %y = ced.matmul %x, %w : tensor<?x64xbf16>, tensor<48x64xbf16> -> tensor<?x48xbf16>
  return %y : tensor<?x48xbf16>
}

func.func @bf16_odd(%x: tensor<?x100xbf16>, %w: tensor<37x100xbf16>) -> (tensor<?x37xbf16> {check.ulp = 1}) {
  %y = ced.matmul %x, %w : tensor<?x100xbf16>, tensor<37x100xbf16> -> tensor<?x37xbf16>
  return %y : tensor<?x37xbf16>
}

func.func @f32(%x: tensor<?x1xbf16>, %w: tensor<24x1xbf16>) -> (tensor<?x24xf32> {check.absolute = 1.0e-3}) {
  %y = ced.matmul %x, %w : tensor<?x1xbf16>, tensor<24x1xbf16> -> tensor<?x24xf32>
  return %y : tensor<?x24xf32>
}

func.func @f32_odd(%x: tensor<?x257xbf16>, %w: tensor<130x257xbf16>) -> (tensor<?x130xf32> {check.absolute = 1.0e-3}) {
  %y = ced.matmul %x, %w : tensor<?x257xbf16>, tensor<130x257xbf16> -> tensor<?x130xf32>
  return %y : tensor<?x130xf32>
}

func.func @groups(%x: tensor<?x256xbf16>, %w: !ced.scaled<128x128, f8E4M3FN, 32x32, f8E8M0FNU>) -> (tensor<?x128xbf16> {check.ulp = 1}) {
  %y = ced.grouped_linear %x, %w groups 2 : tensor<?x256xbf16>, !ced.scaled<128x128, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x128xbf16>
  return %y : tensor<?x128xbf16>
}

func.func @eight_groups(%x: tensor<?x768xbf16>, %w: !ced.scaled<256x96, f8E4M3FN, 32x32, f8E8M0FNU>) -> (tensor<?x256xbf16> {check.ulp = 1}) {
  %y = ced.grouped_linear %x, %w groups 8 : tensor<?x768xbf16>, !ced.scaled<256x96, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x256xbf16>
  return %y : tensor<?x256xbf16>
}

// Several blocks of K for all warps along it, the last one cut.
func.func @very_long_k(%x: !ced.scaled<?x2144, f8E4M3FN, 1x32, f8E8M0FNU>, %w: !ced.scaled<40x2144, f8E4M3FN, 32x32, f8E8M0FNU>) -> (tensor<?x40xbf16> {check.ulp = 1}) attributes {check.alone} {
  %y = ced.linear %x, %w : !ced.scaled<?x2144, f8E4M3FN, 1x32, f8E8M0FNU>, !ced.scaled<40x2144, f8E4M3FN, 32x32, f8E8M0FNU> -> tensor<?x40xbf16>
  return %y : tensor<?x40xbf16>
}

}
