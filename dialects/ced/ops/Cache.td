//===- Cache.td - writing window rings and paged caches ----------------------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_OPS_CACHE
#define CEDILLA_DIALECTS_CED_OPS_CACHE

include "dialects/ced/CedTypes.td"

def Ced_AppendWindowOp : Ced_Op<"append_window", [Pure, AllTypesMatch<["window", "result"]>]> {
  let summary = "write each row's KV into its slot's ring";
  let description = [{
    Of the rows of one sequence only the last size + slack matter: each ring row ends up with the newest position that maps to it.

    C1: rows is [T,D] of the ring's format (placement aside).
  }];
  let arguments = (ins Ced_Window:$window, Ced_Scaled:$rows, Ced_RowsI32:$positions, Ced_RowsI32:$slots);
  let results = (outs Ced_Window:$result);
  let assemblyFormat = "$window `,` $rows `at` $positions `,` $slots attr-dict `:` type(operands) `->` type($result)";
  let hasVerifier = 1;
}

def Ced_AppendPagedOp : Ced_Op<"append_paged", [Pure, AllTypesMatch<["cache", "result"]>]> {
  let summary = "write the entry of each row that closes a group";
  let description = [{
    Rows with (position+1) mod ratio = 0 write entry (position+1)/ratio - 1; the others write nothing.

    C1: rows is [T,D] of the cache's format (placement aside).
  }];
  let arguments = (ins Ced_Paged:$cache, Ced_Scaled:$rows, Ced_RowsI32:$positions, Ced_RowsI32:$slots, Ced_PageTable:$pages);
  let results = (outs Ced_Paged:$result);
  let assemblyFormat = "$cache `,` $rows `at` $positions `,` $slots `,` $pages attr-dict `:` type(operands) `->` type($result)";
  let hasVerifier = 1;
}

#endif
