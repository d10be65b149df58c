// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,3,7,33,128 --seeds=6
// RUN: ced-conformance %s --target=nvptx --rows=1,7,33 --seeds=2 --racecheck

// The whole state is compared, bit for bit: what is kept of open groups, and that nothing else is written.
// Means: the exponentials differ from the interpreter's in the last bit, which moves a rounding by an ulp.

module attributes {sched.limits = {max_rows = 128, max_batch = 4, max_context = 512, page = 64}} {

func.func @pairs(%c: tensor<?x64xf32>, %g: tensor<?x64xf32>, %open: !ced.state<1x2x64xf32>,
                 %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"},
                 %b: tensor<?xi32> {ced.name = "starts"})
    -> (tensor<?x64xbf16> {check.ulp = 1}, !ced.state<1x2x64xf32>) {
  %z, %next = ced.compress %c, %g, %open at %p, %s, %b ratio 2
    : tensor<?x64xf32>, tensor<?x64xf32>, !ced.state<1x2x64xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?x64xbf16>, !ced.state<1x2x64xf32>
  return %z, %next : tensor<?x64xbf16>, !ced.state<1x2x64xf32>
}

func.func @channels_cut(%c: tensor<?x100xf32>, %g: tensor<?x100xf32>, %open: !ced.state<1x2x100xf32>,
                        %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"},
                        %b: tensor<?xi32> {ced.name = "starts"})
    -> (tensor<?x100xbf16> {check.ulp = 1}, !ced.state<1x2x100xf32>) {
  %z, %next = ced.compress %c, %g, %open at %p, %s, %b ratio 2
    : tensor<?x100xf32>, tensor<?x100xf32>, !ced.state<1x2x100xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?x100xbf16>, !ced.state<1x2x100xf32>
  return %z, %next : tensor<?x100xbf16>, !ced.state<1x2x100xf32>
}

func.func @threes(%c: tensor<?x48xf32>, %g: tensor<?x48xf32>, %open: !ced.state<2x2x48xf32>,
                  %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"},
                  %b: tensor<?xi32> {ced.name = "starts"})
    -> (tensor<?x48xbf16> {check.ulp = 1}, !ced.state<2x2x48xf32>) {
  %z, %next = ced.compress %c, %g, %open at %p, %s, %b ratio 3
    : tensor<?x48xf32>, tensor<?x48xf32>, !ced.state<2x2x48xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?x48xbf16>, !ced.state<2x2x48xf32>
  return %z, %next : tensor<?x48xbf16>, !ced.state<2x2x48xf32>
}

func.func @fours(%c: tensor<?x64xf32>, %g: tensor<?x64xf32>, %open: !ced.state<3x2x64xf32>,
                 %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"},
                 %b: tensor<?xi32> {ced.name = "starts"})
    -> (tensor<?x64xbf16> {check.ulp = 1}, !ced.state<3x2x64xf32>) {
  %z, %next = ced.compress %c, %g, %open at %p, %s, %b ratio 4
    : tensor<?x64xf32>, tensor<?x64xf32>, !ced.state<3x2x64xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?x64xbf16>, !ced.state<3x2x64xf32>
  return %z, %next : tensor<?x64xbf16>, !ced.state<3x2x64xf32>
}

func.func @long_groups(%c: tensor<?x32xf32>, %g: tensor<?x32xf32>, %open: !ced.state<15x2x32xf32>,
                       %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"},
                       %b: tensor<?xi32> {ced.name = "starts"})
    -> (tensor<?x32xbf16> {check.ulp = 1}, !ced.state<15x2x32xf32>) {
  %z, %next = ced.compress %c, %g, %open at %p, %s, %b ratio 16
    : tensor<?x32xf32>, tensor<?x32xf32>, !ced.state<15x2x32xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?x32xbf16>, !ced.state<15x2x32xf32>
  return %z, %next : tensor<?x32xbf16>, !ced.state<15x2x32xf32>
}

func.func @released(%c: tensor<?x512xf32>, %g: tensor<?x512xf32>, %open: !ced.state<1x2x512xf32>,
                    %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"},
                    %b: tensor<?xi32> {ced.name = "starts"})
    -> (tensor<?x512xbf16> {check.ulp = 1}, !ced.state<1x2x512xf32>) {
  %z, %next = ced.compress %c, %g, %open at %p, %s, %b ratio 2
    : tensor<?x512xf32>, tensor<?x512xf32>, !ced.state<1x2x512xf32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<?x512xbf16>, !ced.state<1x2x512xf32>
  return %z, %next : tensor<?x512xbf16>, !ced.state<1x2x512xf32>
}

}
