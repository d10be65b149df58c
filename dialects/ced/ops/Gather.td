//===- Gather.td - attention in steps: caches as bf16 vectors, one list of both --------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_OPS_GATHER
#define CEDILLA_DIALECTS_CED_OPS_GATHER

include "dialects/ced/CedTypes.td"

def Ced_GatherWindowOp : Ced_Op<"gather_window", [Pure]> {
  let summary = "the rings of all slots as bf16(code x scale)";
  let description = [{
    Rows never written hold whatever their bytes mean.

    C1: the result is bf16 [?, ring rows, D].
  }];
  let arguments = (ins Ced_Window:$window);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$window attr-dict `:` type(operands) `->` type($result)";
  let hasVerifier = 1;
}

def Ced_GatherPagedOp : Ced_Op<"gather_paged", [Pure]> {
  let summary = "the entries of all slots, page after page, as bf16(code x scale)";
  let description = [{
    result[s, j] is entry j of slot s. Entries never written hold whatever their bytes mean.

    C1: the result is bf16 [?, ?, D].
  }];
  let arguments = (ins Ced_Paged:$cache, Ced_PageTable:$pages);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$cache `at` $pages attr-dict `:` type(operands) `->` type($result)";
  let hasVerifier = 1;
}

def Ced_CombineListsOp : Ced_Op<"combine_lists", [Pure]> {
  let summary = "where each slot of an attention list lies: window positions, then selected entries";
  let description = [{
    The list of ced.attention as numbers. For row t at position i, window slot n stands for position q = max(0, i-W+1) + n: with
    q < starts[t] it is ring row q mod `ring`, with starts[t] <= q <= i it is `ring` + t-(i-q), a row of the step; otherwise -1.
    Behind the W window slots come those of `index`: the entry, or -1 where it is not visible (0 <= j < floor((i+1)/ratio)).

    C1: window and ring are at least 1, ring at least window. C2: index and ratio are given together; ratio >= 1.
    C3: the result is i32 [T, W + k].
  }];
  let arguments = (ins Optional<Ced_IndexSet>:$index, Ced_RowsI32:$positions, Ced_RowsI32:$starts, I64Attr:$window,
                       I64Attr:$ring, OptionalAttr<I64Attr>:$ratio);
  let results = (outs Ced_PageTable:$result);
  let assemblyFormat = [{
    `window` $window `ring` $ring (`select` $index^ `ratio` $ratio)? `at` $positions `,` $starts attr-dict
    `:` type(operands) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Ced_AttendOp : Ced_Op<"attend", [Pure]> {
  let summary = "ced.attention over vectors that lie gathered";
  let description = [{
    The first `window` numbers of a row's list name rows of `ring` (of the row's slot) or, from the number of ring rows on, rows of
    `fresh`; the others entries of `main` (of the row's slot); a negative one names nothing. Blocks of 64, rounding and the sink are
    those of ced.attention, and so is every bit of the result.

    C1: q is bf16 [T,H,D]; sink f32 [H]; list i32 [T, L]; ring bf16 [?, R, D]; fresh bf16 [T, D]; main bf16 [?, ?, D].
    C2: 1 <= window <= L, and window = L without main. C3: the result has q's type.
  }];
  let arguments = (ins Ced_BF16Tensor:$q, Ced_F32Tensor:$sink, Ced_PageTable:$list, Ced_BF16Tensor:$ring, Ced_BF16Tensor:$fresh,
                       Ced_RowsI32:$slots, Optional<Ced_BF16Tensor>:$main, I64Attr:$window);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = [{
    $q `,` $sink `list` $list `window` $window `of` $ring `,` $fresh `at` $slots (`main` $main^)? attr-dict
    `:` type(operands) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif
