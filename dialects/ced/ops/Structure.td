//===- Structure.td - layer table, weights, groups, marks ------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_CED_OPS_STRUCTURE
#define CEDILLA_DIALECTS_CED_OPS_STRUCTURE

include "dialects/ced/CedTypes.td"
include "dialects/ced/CedAttrs.td"

def Ced_LayerTableOp : Ced_Op<"layer_table", [Symbol]> {
  let summary = "modes and owners of every layer";
  let description = [{
    Structural rules, for every model:
    C1: `kv`, `select`, `pool` name layers that exist and come no later than the layer itself.
    C2: `kv` is -1 exactly where `ratio` is 0; `select` is -1 where `kv` is -1.
    C3: the layer named by `kv` owns its KV (its own `kv` is itself) and has the same ratio.
    C4: the layer named by `select` selects itself, and reads the same KV owner.
    C5: the layer named by `pool` has `pool` = itself, selects itself, and has the same ratio (a later KV owner may use
        an earlier pool: equal ratios make equal entry numbers equal tokens); only layers that select themselves have a pool.
    C6: windows are positive; ratios are not negative.
    Rules of arch "deepseek_v41":
    C7: a KV owner selects itself (it runs an indexer).
    C8: a pool owner owns its KV.

    ```mlir
    ced.layer_table @layers arch "deepseek_v41" [
      #ced.layer<window = 16, ratio = 0, kv = -1, select = -1, pool = -1, engram = true>,
      #ced.layer<window = 16, ratio = 2, kv = 1, select = 1, pool = -1, engram = true>]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$arch, TypedArrayAttrBase<Ced_LayerAttr, "layers">:$layers);
  let assemblyFormat = "$sym_name `arch` $arch $layers attr-dict";
  let hasVerifier = 1;
}

def Ced_WeightOp : Ced_Op<"weight", [Pure]> {
  let summary = "a tensor of the checkpoint";
  let description = [{
    `names` are checkpoint names without `.weight` / `.scale` where the type is block-scaled, whole names otherwise.
    With several names, or one and the unit attribute `ced.stacked`, the tensors are stacked along a new first dim (the experts of a layer).

    ```mlir
    %w = ced.weight ["layers.0.attn.wq_a"] : !ced.scaled<64x256, f8E4M3FN, 32x32, f8E8M0FNU>
    %n = ced.weight ["layers.0.attn.q_norm.weight"] : tensor<64xbf16>
    %e = ced.weight ["layers.0.ffn.experts.0.w1", "layers.0.ffn.experts.1.w1"]
           : !ced.scaled<2x128x256, f4E2M1FN, 1x32, f8E8M0FNU>
    ```
    C1: at least one name. C2: with more than one name the first dim equals their number.
    C3: the result is a static tensor or a static planar block-scaled type.
  }];
  let arguments = (ins StrArrayAttr:$names);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$names attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Ced_MarkOp : Ced_Op<"mark", [AllTypesMatch<["value", "result"]>]> {
  let summary = "a named place where a value may be read or replaced while the program runs";
  let description = [{
    The identity. Interpreters and runtimes call an observer here with `name` and `layer` (-1: none); the golden
    check replaces the stream at layer boundaries and reads the rest. Fusion does not move computation across it.

    ```mlir
    %x1 = ced.mark "stream" 3 %x : tensor<?x4x256xbf16>
    ```
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$layer, AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$name $layer $value attr-dict `:` type($value)";
}

def Ced_ReshapeOp : Ced_Op<"reshape", [Pure]> {
  let summary = "split the columns of each row into heads, or join them";
  let description = [{
    Values keep their order; nothing is moved or rounded.

    ```mlir
    %h = ced.reshape %q : tensor<?x256xbf16> -> tensor<?x4x64xbf16>
    ```
    C1: both have a rank of at least 2 and the same first dim; the other dims are static, and their products agree.
  }];
  let arguments = (ins Ced_BF16Tensor:$x);
  let results = (outs Ced_BF16Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
}

def Ced_GroupOp : Ced_Op<"group", [SingleBlock, IsolatedFromAbove]> {
  let summary = "ops that become one kernel";
  let description = [{
    `kernel` names the kernel family that builds it. The region takes the inputs as block arguments and ends with
    `ced.yield` of the results. Interpreting a group is interpreting its body.

    ```mlir
    %q = ced.group "norm_cast" (%x, %w) : (tensor<?x64xbf16>, tensor<64xbf16>) -> !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU> {
    ^bb0(%a: tensor<?x64xbf16>, %b: tensor<64xbf16>):
      ...
      ced.yield %r : !ced.scaled<?x64, f8E4M3FN, 1x32, f8E8M0FNU>
    }
    ```
    C1: block arguments have the types of the inputs, the yielded values those of the results.
  }];
  let arguments = (ins StrAttr:$kernel, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$kernel `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs) $body";
  let hasVerifier = 1;
}

def Ced_YieldOp : Ced_Op<"yield", [Terminator, Pure, HasParent<"GroupOp">]> {
  let summary = "ends a group";
  let description = [{
    `values` become the results of the `ced.group`, in order and with the same types.
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif
