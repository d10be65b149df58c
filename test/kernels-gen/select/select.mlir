// REQUIRES: avx2
// RUN: ced-conformance %s --rows=1,2,7,33 --seeds=5
// RUN: ced-conformance %s --target=nvptx --rows=1,7,33 --seeds=2 --racecheck

// Lists are equal, element by element. Every length takes the same path: 1, odd, all there are, more (cases 2, 11).

!keys = !ced.paged<ratio 1, page 16, !ced.scaled<64, f4E2M1FN, 1x32, f8E8M0FNU, row>>

module attributes {sched.limits = {max_rows = 64, max_batch = 3, max_context = 500, page = 16}} {

func.func @few(%x: tensor<?x500xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> !ced.index_set<8> {
  %i = ced.topk %x at %p ratio 1 : tensor<?x500xbf16>, tensor<?xi32> -> !ced.index_set<8>
  return %i : !ced.index_set<8>
}

func.func @one(%x: tensor<?x500xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> !ced.index_set<1> {
  %i = ced.topk %x at %p ratio 1 : tensor<?x500xbf16>, tensor<?xi32> -> !ced.index_set<1>
  return %i : !ced.index_set<1>
}

func.func @odd(%x: tensor<?x250xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> !ced.index_set<37> {
  %i = ced.topk %x at %p ratio 2 : tensor<?x250xbf16>, tensor<?xi32> -> !ced.index_set<37>
  return %i : !ced.index_set<37>
}

func.func @three(%x: tensor<?x250xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> !ced.index_set<3> {
  %i = ced.topk %x at %p ratio 2 : tensor<?x250xbf16>, tensor<?xi32> -> !ced.index_set<3>
  return %i : !ced.index_set<3>
}

func.func @half(%x: tensor<?x500xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> !ced.index_set<255> {
  %i = ced.topk %x at %p ratio 1 : tensor<?x500xbf16>, tensor<?xi32> -> !ced.index_set<255>
  return %i : !ced.index_set<255>
}

func.func @all(%x: tensor<?x500xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> !ced.index_set<500> {
  %i = ced.topk %x at %p ratio 1 : tensor<?x500xbf16>, tensor<?xi32> -> !ced.index_set<500>
  return %i : !ced.index_set<500>
}

func.func @many_more(%x: tensor<?x500xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> !ced.index_set<4095> {
  %i = ced.topk %x at %p ratio 1 : tensor<?x500xbf16>, tensor<?xi32> -> !ced.index_set<4095>
  return %i : !ced.index_set<4095>
}

func.func @more_than_there_are(%x: tensor<?x250xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> !ced.index_set<512> {
  %i = ced.topk %x at %p ratio 2 : tensor<?x250xbf16>, tensor<?xi32> -> !ced.index_set<512>
  return %i : !ced.index_set<512>
}

func.func @blocks(%x: tensor<?x500xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> !ced.index_set<12> {
  %m = ced.block_max %x at %p block 8 ratio 1 : tensor<?x500xbf16>, tensor<?xi32> -> tensor<?x63xbf16>
  %i = ced.candidate_blocks %m at %p block 8 ratio 1 : tensor<?x63xbf16>, tensor<?xi32> -> !ced.index_set<12>
  return %i : !ced.index_set<12>
}

func.func @blocks_odd(%x: tensor<?x250xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> !ced.index_set<5> {
  %m = ced.block_max %x at %p block 7 ratio 2 : tensor<?x250xbf16>, tensor<?xi32> -> tensor<?x36xbf16>
  %i = ced.candidate_blocks %m at %p block 7 ratio 2 : tensor<?x36xbf16>, tensor<?xi32> -> !ced.index_set<5>
  return %i : !ced.index_set<5>
}

func.func @single_entries(%x: tensor<?x500xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> !ced.index_set<40> {
  %m = ced.block_max %x at %p block 1 ratio 1 : tensor<?x500xbf16>, tensor<?xi32> -> tensor<?x500xbf16>
  %i = ced.candidate_blocks %m at %p block 1 ratio 1 : tensor<?x500xbf16>, tensor<?xi32> -> !ced.index_set<40>
  return %i : !ced.index_set<40>
}

func.func @all_blocks(%x: tensor<?x500xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> !ced.index_set<100> {
  %m = ced.block_max %x at %p block 8 ratio 1 : tensor<?x500xbf16>, tensor<?xi32> -> tensor<?x63xbf16>
  %i = ced.candidate_blocks %m at %p block 8 ratio 1 : tensor<?x63xbf16>, tensor<?xi32> -> !ced.index_set<100>
  return %i : !ced.index_set<100>
}

func.func @large_blocks(%x: tensor<?x500xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> !ced.index_set<2> {
  %m = ced.block_max %x at %p block 300 ratio 1 : tensor<?x500xbf16>, tensor<?xi32> -> tensor<?x2xbf16>
  %i = ced.candidate_blocks %m at %p block 300 ratio 1 : tensor<?x2xbf16>, tensor<?xi32> -> !ced.index_set<2>
  return %i : !ced.index_set<2>
}

func.func @maxima(%x: tensor<?x500xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> tensor<?x63xbf16> {
  %m = ced.block_max %x at %p block 8 ratio 1 : tensor<?x500xbf16>, tensor<?xi32> -> tensor<?x63xbf16>
  return %m : tensor<?x63xbf16>
}

func.func @maxima_odd(%x: tensor<?x250xbf16>, %p: tensor<?xi32> {ced.name = "positions"}) -> tensor<?x84xbf16> {
  %m = ced.block_max %x at %p block 3 ratio 2 : tensor<?x250xbf16>, tensor<?xi32> -> tensor<?x84xbf16>
  return %m : tensor<?x84xbf16>
}

// The whole indexer: rectified scores tie at 0, entries outside the pool at -inf. Ties at the cut, and what is padded, are in the list or
// not by their places alone (cases 3, 4).
func.func @indexer(%q: !ced.scaled<?x4x64, f4E2M1FN, 1x32, f8E8M0FNU>, %w: tensor<?x4xbf16>, %keys: !keys,
                   %p: tensor<?xi32> {ced.name = "positions"}, %s: tensor<?xi32> {ced.name = "slots"}, %t: tensor<?x?xi32> {ced.name = "pages"})
    -> (!ced.index_set<6>, !ced.index_set<40>, !ced.index_set<60>) {
  %all = ced.index_scores %q, %w, %keys at %p, %s, %t
    : !ced.scaled<?x4x64, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?x4xbf16>, !keys, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32> -> tensor<?x?xbf16>
  %m = ced.block_max %all at %p block 8 ratio 1 : tensor<?x?xbf16>, tensor<?xi32> -> tensor<?x?xbf16>
  %pool = ced.candidate_blocks %m at %p block 8 ratio 1 : tensor<?x?xbf16>, tensor<?xi32> -> !ced.index_set<6>
  %first = ced.topk %all at %p ratio 1 : tensor<?x?xbf16>, tensor<?xi32> -> !ced.index_set<40>
  %some = ced.index_scores %q, %w, %keys at %p, %s, %t pool %pool of 8
    : !ced.scaled<?x4x64, f4E2M1FN, 1x32, f8E8M0FNU>, tensor<?x4xbf16>, !keys, tensor<?xi32>, tensor<?xi32>, tensor<?x?xi32>, !ced.index_set<6> -> tensor<?x?xbf16>
  %second = ced.topk %some at %p ratio 1 : tensor<?x?xbf16>, tensor<?xi32> -> !ced.index_set<60>
  return %pool, %first, %second : !ced.index_set<6>, !ced.index_set<40>, !ced.index_set<60>
}

}
