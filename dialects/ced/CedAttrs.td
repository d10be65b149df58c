//===- CedAttrs.td - layer table rows, rotary parameters -------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_ATTRS
#define CEDILLA_DIALECTS_CED_ATTRS

include "dialects/ced/CedBase.td"

def Ced_Placement : I32EnumAttr<"Placement", "where the scales of a block-scaled value lie", [
  I32EnumAttrCase<"Planar", 0, "planar">,
  I32EnumAttrCase<"Row", 1, "row">]> {
  let cppNamespace = "::cedilla::ced";
}

class Ced_Attr<string name, string mnem> : AttrDef<CedDialect, name> { let mnemonic = mnem; }

def Ced_RopeAttr : Ced_Attr<"Rope", "rope"> {
  let summary = "rotary embedding of the last `dim` columns, adjacent pairs";
  let description = [{
    Pairs are columns (2p, 2p+1) of the last `dim` columns; angle = position x f_p in f32. f_p = 1/theta^(2p/dim),
    each step in f32. With `original` > 0 YaRN: low/high = floor/ceil of dim*ln(original/(2 pi r))/(2 ln theta) for
    r = beta_fast / beta_slow, clipped to [0, dim-1]; ramp_p = clamp((p-low)/max(high-low, 1e-3), 0, 1); k = 1 - ramp;
    f_p <- f_p/factor*(1-k) + f_p*k. No amplitude factor. `ropeFrequencies` in Ced.h computes the table.

    ```mlir
    #ced.rope<dim = 64, theta = 1.6e5, original = 65536, factor = 1.6e1, beta_fast = 3.2e1, beta_slow = 1.0>
    ```
    C1: dim is positive and even. C2: theta > 1. C3: original >= 0; with original > 0, factor >= 1 and betas > 0.
  }];
  let parameters = (ins "int64_t":$dim, Ced_Double:$theta, "int64_t":$original, Ced_Double:$factor,
                        Ced_Double:$beta_fast, Ced_Double:$beta_slow);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Ced_LayerAttr : Ced_Attr<"Layer", "layer"> {
  let summary = "one row of the layer table";
  let description = [{
    Columns are independent. `ratio` 0 means no main KV. `kv` is the layer whose main KV is read (-1 none), `select`
    the layer whose index list is used (-1 none; its own number if it runs an indexer), `pool` the layer whose
    candidate pool limits this layer's own selection (-1 none; its own number if it builds the pool but selects over
    all). The mode (`swa`, `full`, `reindex`, `reuse`) is derived: see `LayerAttr::getMode`.

    ```mlir
    #ced.layer<window = 128, ratio = 1, kv = 20, select = 24, pool = 20, engram = false>
    ```
  }];
  let parameters = (ins "int64_t":$window, "int64_t":$ratio, "int64_t":$kv, "int64_t":$select,
                        "int64_t":$pool, "bool":$engram);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// "swa", "full" (owns KV and index), "reindex" (own index over another's KV) or "reuse".
    /// `self` is the layer's own number.
    ::llvm::StringRef getMode(int64_t self) const;
  }];
}

#endif
