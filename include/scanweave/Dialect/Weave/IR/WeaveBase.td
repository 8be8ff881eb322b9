// SPDX-License-Identifier: Apache-2.0
//
// The weave dialect, its types and its attributes.

#ifndef SCANWEAVE_DIALECT_WEAVE_IR_WEAVEBASE_TD
#define SCANWEAVE_DIALECT_WEAVE_IR_WEAVEBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Weave_Dialect : Dialect {
  let name = "weave";
  let summary = "Scans with parallel maps inside";
  let description = [{
    Models programs that loop over steps and map a function over lanes in each
    step. `scan` is the loop, `pmap` maps lanes over workers, `vmap` over SIMD;
    collectives combine values over the lanes of a map. `spmd` is what the
    compiler makes of them: one region that every worker runs over its own
    lanes, with explicit exchanges.

    Elementwise work, contractions and shape work stay in arith, math, linalg
    and tensor.
  }];
  let cppNamespace = "::scanweave";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

class Weave_Type<string name, string typeMnemonic> : TypeDef<Weave_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Weave_AxisType : Weave_Type<"Axis", "axis"> {
  let summary = "the mapped axis of an enclosing pmap or vmap";
  let description = [{
    A token that a map hands to its body. A collective names its axis by this
    value, so there is no shadowing of names, and no transformation can carry
    the collective out of its map.
  }];
}

def Weave_TeamType : Weave_Type<"Team", "team"> {
  let summary = "one worker's view of the team that runs an spmd region";
  let description = [{
    Gives the worker's number, the size of the team and its exchange slots.
    Every worker has its own. Becomes a pointer to the runtime's
    `scanweave_worker`.
  }];
}

/// How the partial results of a reduction are combined. Also fixes the
/// identity: -0.0 for a floating-point sum, since x + -0.0 is x for every x.
def Weave_CombineKind : I32Enum<"CombineKind", "how two partial results combine", [
    I32EnumCase<"add", 0>, I32EnumCase<"mul", 1>,
    I32EnumCase<"max", 2>, I32EnumCase<"min", 3>,
    I32EnumCase<"umax", 4>, I32EnumCase<"umin", 5>,
    I32EnumCase<"and_", 6, "and">, I32EnumCase<"or_", 7, "or">,
    I32EnumCase<"xor_", 8, "xor">]> {
  let cppNamespace = "::scanweave";
}
def Weave_CombineKindAttr : EnumAttr<Weave_Dialect, Weave_CombineKind, "combine"> {
  let assemblyFormat = "`<` $value `>`";
}

/// How a map's lanes are handed to workers.
def Weave_Schedule : I32Enum<"Schedule", "how lanes are handed to workers", [
    I32EnumCase<"static_", 0, "static">, I32EnumCase<"dynamic", 1>]> {
  let cppNamespace = "::scanweave";
}
def Weave_ScheduleAttr : EnumAttr<Weave_Dialect, Weave_Schedule, "schedule"> {
  let assemblyFormat = "`<` $value `>`";
}

def Weave_PlacementAttr : AttrDef<Weave_Dialect, "Placement"> {
  let mnemonic = "placement";
  let summary = "how a value lives across the workers of a team";
  let description = [{
    `replicated`: every worker holds the same value. `sharded(d)`: dimension d
    is cut by the standard partition of its extent (see `weave.shard_range`).
    `partial`: every worker holds summands that are still to be combined.
    `in_place`: in a `weave.finish` only: the worker has written its part of
    the init itself.
  }];
  let parameters = (ins "::scanweave::PlacementKind":$kind, "int64_t":$dim);
  let hasCustomAssemblyFormat = 1;
  let builders = [
    AttrBuilder<(ins "::scanweave::PlacementKind":$kind), "return $_get($_ctxt, kind, 0);">
  ];
  let extraClassDeclaration = [{
    static PlacementAttr replicated(::mlir::MLIRContext *context) {
      return get(context, PlacementKind::replicated, 0);
    }
    static PlacementAttr sharded(::mlir::MLIRContext *context, int64_t dim) {
      return get(context, PlacementKind::sharded, dim);
    }
    static PlacementAttr partial(::mlir::MLIRContext *context) {
      return get(context, PlacementKind::partial, 0);
    }
    static PlacementAttr inPlace(::mlir::MLIRContext *context) {
      return get(context, PlacementKind::in_place, 0);
    }
    bool isReplicated() const { return getKind() == PlacementKind::replicated; }
    bool isSharded() const { return getKind() == PlacementKind::sharded; }
    bool isPartial() const { return getKind() == PlacementKind::partial; }
    bool isInPlace() const { return getKind() == PlacementKind::in_place; }
  }];
}
def Weave_PlacementKind : I32Enum<"PlacementKind", "how a value lives across workers", [
    I32EnumCase<"replicated", 0>, I32EnumCase<"sharded", 1>, I32EnumCase<"partial", 2>,
    I32EnumCase<"in_place", 3>]> {
  let cppNamespace = "::scanweave";
}
def Weave_PlacementArrayAttr : TypedArrayAttrBase<Weave_PlacementAttr, "array of placements">;

#endif // SCANWEAVE_DIALECT_WEAVE_IR_WEAVEBASE_TD
