// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,7,33,64 --seeds=8
// RUN: ced-conformance %s --target=nvptx --rows=1,7,33 --seeds=2 --racecheck

// Whole caches are compared: a row that should not have been written is found. Rings of 7 rows meet sequences
// of up to 64: rows that a later one of the step overwrites. Codes and scales lie byte by byte where the interpreter, and the attention kernels
// that are compared with it, look for them (case 54).

!ring = !ced.window<5 + 2, !ced.scaled<48, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!wide = !ced.window<128 + 8, !ced.scaled<512, f8E4M3FN, 1x32, f8E8M0FNU, row>>
!paged = !ced.paged<ratio 2, page 16, !ced.scaled<80, f4E2M1FN, 1x16, f8E4M3FN, row>>
!each = !ced.paged<ratio 1, page 16, !ced.scaled<128, f4E2M1FN, 1x32, f8E8M0FNU, row>>

module attributes {sched.limits = {max_rows = 64, max_batch = 3, max_context = 256, page = 16}} {

func.func @window(%c: !ring, %rows: !ced.scaled<?x48, f8E4M3FN, 1x32, f8E8M0FNU>,
                  %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"}) -> !ring {
  %r = ced.append_window %c, %rows at %p, %s : !ring, !ced.scaled<?x48, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?xi32>, tensor<?xi32> -> !ring
  return %r : !ring
}

func.func @window_released(%c: !wide, %rows: !ced.scaled<?x512, f8E4M3FN, 1x32, f8E8M0FNU>,
                           %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"}) -> !wide {
  %r = ced.append_window %c, %rows at %p, %s : !wide, !ced.scaled<?x512, f8E4M3FN, 1x32, f8E8M0FNU>, tensor<?xi32>, tensor<?xi32> -> !wide
  return %r : !wide
}

func.func @paged(%c: !paged, %rows: !ced.scaled<?x80, f4E2M1FN, 1x16, f8E4M3FN>, %p: tensor<?xi32> {ced.name = "positions"},
                 %s: tensor<?xi32> {ced.name = "slots"}, %t: tensor<?x?xi32> {ced.name = "pages"}) -> !paged {
  %r = ced.append_paged %c, %rows at %p, %s, %t : !paged, !ced.scaled<?x80, f4E2M1FN, 1x16, f8E4M3FN>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> !paged
  return %r : !paged
}

func.func @paged_each(%c: !each, %rows: !ced.scaled<?x128, f4E2M1FN, 1x32, f8E8M0FNU>, %p: tensor<?xi32> {ced.name = "positions"},
                      %s: tensor<?xi32> {ced.name = "slots"}, %t: tensor<?x?xi32> {ced.name = "pages"}) -> !each {
  %r = ced.append_paged %c, %rows at %p, %s, %t : !each, !ced.scaled<?x128, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> !each
  return %r : !each
}

}
