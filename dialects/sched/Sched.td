//===- Sched.td - the sched dialect: when and where ---------------------------------*- tablegen -*-===//

#ifndef CEDILLA_DIALECTS_SCHED
#define CEDILLA_DIALECTS_SCHED

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def SchedDialect : Dialect {
  let name = "sched";
  let cppNamespace = "::cedilla::sched";
  let summary = "a flat program of dispatches on buffers";
  let description = [{
    A module holds buffers, kernels and programs. A kernel is first a `sched.kernel` (the group of ced ops it computes, its
    family and its config) and after the tile phase a `tile.kernel` of the same name. Programs refer to both by symbol.
    Everything here can be printed, edited and read back.
  }];
  let useDefaultAttributePrinterParser = 1;
}

class Sched_Op<string mnemonic, list<Trait> traits = []> : Op<SchedDialect, mnemonic, traits>;

def Sched_BufferKind : I32EnumAttr<"BufferKind", "where a buffer comes from", [
  I32EnumAttrCase<"Input", 0, "input">, I32EnumAttrCase<"State", 1, "state">, I32EnumAttrCase<"Weight", 2, "weight">,
  I32EnumAttrCase<"Constant", 3, "constant">, I32EnumAttrCase<"Workspace", 4, "workspace">]> {
  let cppNamespace = "::cedilla::sched";
}

def Sched_BufferOp : Sched_Op<"buffer", [Symbol]> {
  let summary = "memory that dispatches read and write";
  let description = [{
    `input`: filled by the session each step, or by a program for the step behind it. `state`: caches and per-slot state; `paged` where the first dim
    counts pages, not slots. `weight`: `tensors` of the checkpoint, one behind
    the other, each of `tensor_dtype` (safetensors name) and `tensor_shape`. `workspace`: bytes [offset, offset + size) of the scratch
    area. A dynamic first dim is the step's row count; `max_rows` of the module bounds it.

    ```mlir
    sched.buffer @prefill_v3 workspace : memref<?x256xbf16> {offset = 0 : i64}
    sched.buffer @w7 weight : memref<64x256xi8> {tensors = ["layers.0.attn.wq_a.weight"], tensor_dtype = "F8_E4M3", tensor_shape = array<i64: 64, 256>}
    ```
    C1: row-major, only the first dim dynamic. C2: weights have tensors, tensor_dtype and tensor_shape. C3: offsets, of workspace, are not negative; sched-plan-workspace gives them.
    C4: only input and workspace have a dynamic dim. C5: only a state is paged.
    C6: at most 2^56 bytes, 2^40 for each row of a dynamic dim.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Sched_BufferKind:$kind, TypeAttrOf<AnyMemRef>:$type, OptionalAttr<I64Attr>:$offset,
                       OptionalAttr<StrArrayAttr>:$tensors, OptionalAttr<StrAttr>:$tensor_dtype, OptionalAttr<DenseI64ArrayAttr>:$tensor_shape,
                       UnitAttr:$paged);
  let assemblyFormat = "$sym_name $kind `:` $type attr-dict";
  let hasVerifier = 1;
}

def Sched_KernelOp : Sched_Op<"kernel", [Symbol, IsolatedFromAbove, SingleBlock]> {
  let summary = "a kernel still to be built: the ced ops it computes, by which family, with which config";
  let description = [{
    The body is a `ced.group` body: block arguments are the group's inputs and `sched.result` its results. A kernel's memory
    arguments are, in order, the parts of the inputs, then the parts of those results that are not caches (a cache is written in
    place), then the scratch memory of its family. Parts of a planar block-scaled value are codes and scales; every other value
    has one part.

    ```mlir
    sched.kernel @norm_cast_0 family "norm_cast" config {block_m = 4 : i64} {
    ^bb0(%x: tensor<?x64xbf16>, %w: tensor<64xbf16>):
      %n = ced.rms_norm %x, %w eps 1.0e-20 : tensor<?x64xbf16>, tensor<64xbf16>
      sched.result %n : tensor<?x64xbf16>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$family, DictionaryAttr:$config);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `family` $family `config` $config attr-dict-with-keyword $body";
}

def Sched_ResultOp : Sched_Op<"result", [Terminator, Pure, HasParent<"KernelOp">]> {
  let summary = "the results of a kernel";
  let description = [{
    `values` are what the kernel writes, in the order of its buffers behind those it reads; a cache among them is written in place.
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Sched_PhasesOp : Sched_Op<"phases", [Symbol, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "one kernel made of several: phases that run one after the other, each over its own grid";
  let description = [{
    A dispatch names it like any other kernel; `arguments` says for each phase which of the dispatch's buffers are its kernel's
    memory arguments. A phase sees all that earlier ones wrote. What only phases hand to each other is a workspace buffer like
    any other.

    ```mlir
    sched.phases @gate_0 [@linear_5, @route_0] on [array<i64: 0, 1, 4>, array<i64: 4, 2, 3, 5, 6>]
    ```
    C1: as many argument lists as kernels, at least two. C2: the kernels exist and are not phases themselves. C3: arguments are not
    negative, and every number up to the largest occurs. C4: a tile.kernel has as many memory arguments as its list is long.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypedArrayAttrBase<FlatSymbolRefAttr, "kernels">:$kernels,
                       TypedArrayAttrBase<DenseI64ArrayAttr, "arguments of phases">:$arguments);
  let assemblyFormat = "$sym_name $kernels `on` $arguments attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// How many buffers a dispatch of it has.
    int64_t getNumBuffers();
  }];
}

def Sched_ProgramOp : Sched_Op<"program", [Symbol, SingleBlock, NoTerminator]> {
  let summary = "what runs, in order";
  let description = [{
    `logits` names the buffer that holds the result; of a program that is given logits, those.

    ```mlir
    sched.program @decode logits @decode_v90 {
      sched.dispatch @norm_cast_0(@decode_v3, @w7, @decode_v4) : "rms_norm" 2
      sched.mark "stream" 2 @decode_v9
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$logits);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `logits` $logits attr-dict-with-keyword $body";
}

def Sched_DispatchOp : Sched_Op<"dispatch", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run a kernel over its grid";
  let description = [{
    `what` names the ced ops, `layer` the layer they belong to (the number of layers: behind the last one); both are for people.

    C1: the kernel exists: a sched.kernel, tile.kernel or sched.phases. C2: every buffer exists. C3: a tile.kernel or sched.phases has as many memory arguments as there are
    buffers.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, TypedArrayAttrBase<FlatSymbolRefAttr, "buffers">:$buffers, StrAttr:$what, I64Attr:$layer);
  let assemblyFormat = "$kernel $buffers `:` $what $layer attr-dict";
}

def Sched_MarkOp : Sched_Op<"mark", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a named place where a buffer may be read or replaced";
  let description = [{
    `type` is that of the marked value (the buffer may hold a reshaped view). With `phase`, the place lies inside the dispatch
    before it: in front of that phase.

    C1: the buffer exists. C2: `phase` is one of those of the dispatch before it, and not the first; marks of a dispatch
    stand in the order of their places, those behind all its phases last.
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$layer, FlatSymbolRefAttr:$buffer, TypeAttrOf<AnyMemRef>:$type,
                       OptionalAttr<I64Attr>:$phase);
  let assemblyFormat = "$name $layer $buffer `:` $type attr-dict";
}

def Sched_ObjectOp : Sched_Op<"object", [Symbol]> {
  let summary = "the native image a target made of the module's kernels";
  let description = [{
    `kernels` maps each kernel's name to {symbol, arena, threads, shared, dependent, code, registers, spills}; `data` is the image itself.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$target, StrAttr:$chip, DictionaryAttr:$kernels, StrAttr:$data);
  let assemblyFormat = "$sym_name $target $chip $kernels $data attr-dict";
}

#endif
