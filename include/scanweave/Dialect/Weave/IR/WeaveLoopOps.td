// SPDX-License-Identifier: Apache-2.0
//
// scan, pmap, vmap and their terminator.

#ifndef SCANWEAVE_DIALECT_WEAVE_IR_WEAVELOOPOPS_TD
#define SCANWEAVE_DIALECT_WEAVE_IR_WEAVELOOPOPS_TD

include "scanweave/Dialect/Weave/IR/WeaveBase.td"
include "scanweave/Dialect/Weave/IR/WeaveInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class Weave_Op<string mnemonic, list<Trait> traits = []> : Op<Weave_Dialect, mnemonic, traits>;

def Weave_ScanOp : Weave_Op<"scan", [
    AttrSizedOperandSegments, RecursiveMemoryEffects, RecursivelySpeculatable,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    DeclareOpInterfaceMethods<LoopLikeOpInterface, ["getLoopRegions", "getInitsMutable",
        "getRegionIterArgs", "getYieldedValuesMutable", "getLoopResults"]>,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands"]>]> {
  let summary = "loop over steps with carries, scanned inputs and stacked outputs";
  let description = [{
    Runs the body once a step. The body's arguments are the carries, then one
    slice of each scanned input `xs` along dimension 0. It yields the next
    carries and, for each stacked output, this step's value. Results are the
    final carries, then the stacked outputs `ys`, whose dimension 0 counts the
    steps. The slice of a `tensor<nxT>` is the scalar `T`.

    The number of steps is the extent of the xs, or `length`. Zero steps give
    the inits and empty ys. `reverse` runs from the last step to the first; xs
    and ys keep their order. `unroll(k)` is a hint.

        %x, %xs = weave.scan carry(%c = %x0 : tensor<10xf32>)
                             xs(%key = %keys : tensor<?x2xi32>) {
          ...
          weave.yield carry(%next : tensor<10xf32>) ys(%c : tensor<10xf32>)
        } -> tensor<10xf32>, tensor<?x10xf32>

    Inside `weave.spmd` a scan may also have: `range(%first to %last)`, the
    steps to run (a chunk; xs and ys are still indexed by absolute step);
    `into(%dest...)`, one tensor per stacked output to write it into; and
    `store_if(%cond...)`, one condition per stacked output, which leaves the
    dest as it is on workers that do not own it.

    Rules:
    * S1: carries have the same type as init, body argument, yielded value and result.
    * S2: scanned inputs are tensors of numbers of rank >= 1 that agree in dimension 0, and
      with a constant `length`.
    * S3: without scanned inputs there is a `length` or a `range`; a `length` is not negative.
    * S4: the body argument of a scanned input is its slice along dimension 0.
    * S5: a stacked output's type is the yielded type with the number of steps in front.
    * S6: `into` has one destination per stacked output, of the output's type;
      `store_if` has one condition per destination.
    * S7: `unroll` is at least 1.
  }];
  let arguments = (ins Variadic<AnyType>:$inits, Variadic<AnyRankedTensor>:$xs,
                       Optional<Index>:$length, Optional<Index>:$first, Optional<Index>:$last,
                       Variadic<AnyRankedTensor>:$dests, Variadic<I1>:$storeIf,
                       UnitAttr:$reverse, OptionalAttr<I64Attr>:$unroll);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    // The body gets its block with arguments; the caller fills and terminates it.
    OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::ValueRange":$inits,
                   "::mlir::ValueRange":$xs, CArg<"::mlir::Value", "{}">:$length,
                   CArg<"bool", "false">:$reverse)>
  ];
  let extraClassDeclaration = [{
    unsigned getNumCarries() { return getInits().size(); }
    unsigned getNumStacked() { return getNumResults() - getNumCarries(); }
    ::mlir::ResultRange getFinalCarries() { return getResults().take_front(getNumCarries()); }
    ::mlir::ResultRange getStacked() { return getResults().drop_front(getNumCarries()); }
    ::mlir::Block::BlockArgListType getCarryArgs() {
      return getBody()->getArguments().take_front(getNumCarries());
    }
    ::mlir::Block::BlockArgListType getSliceArgs() {
      return getBody()->getArguments().drop_front(getNumCarries());
    }
    YieldOp getYield();
    /// The number of steps where it is known at compile time, else ShapedType::kDynamic.
    int64_t getStaticLength();
  }];
}

class Weave_MapOp<string mnemonic> : Weave_Op<mnemonic, [
    AttrSizedOperandSegments, RecursiveMemoryEffects, RecursivelySpeculatable,
    SingleBlockImplicitTerminator<"YieldOp">, Weave_MapOpInterface,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    DeclareOpInterfaceMethods<LoopLikeOpInterface, ["getLoopRegions"]>]> {
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs, Optional<Index>:$lanes,
                       DenseI64ArrayAttr:$inAxes, DenseI64ArrayAttr:$outAxes,
                       DefaultValuedAttr<Weave_ScheduleAttr, "::scanweave::Schedule::static_">:$schedule);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    // The body gets its block (axis token, then slices); the caller fills and terminates it.
    OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::ValueRange":$inputs,
                   CArg<"::mlir::Value", "{}">:$lanes,
                   CArg<"::llvm::ArrayRef<int64_t>", "{}">:$inAxes,
                   CArg<"::llvm::ArrayRef<int64_t>", "{}">:$outAxes)>
  ];
}

def Weave_PMapOp : Weave_MapOp<"pmap"> {
  let summary = "map a function over lanes, in parallel over workers";
  let description = [{
    Runs the body once a lane. Its first argument is the axis token, the others
    are the lane's slices of the mapped inputs. Any other value of the program
    may be captured and is then the same for every lane. Each yielded value is
    stacked into a result.

    `lanes(%n)` gives the number of lanes where no input is mapped. `in_axes`
    and `out_axes` say which dimension is mapped or stacked (default 0). Any
    number of lanes runs on any number of workers.

        %ys = weave.pmap %i (%z = %zs : tensor<4x10xf32>) {
          ...
          weave.yield %y : f32
        } -> tensor<4xf32>

    Rules:
    * M1: mapped inputs are tensors of numbers that agree in the extent of the mapped axis,
      and with a constant `lanes`.
    * M2: without mapped inputs there is a `lanes`, which is not negative.
    * M3: `in_axes` has one axis per input within its rank; `out_axes` one per result.
    * M4: the first body argument is the axis, the others are slices of the inputs.
    * M5: a result's type is the yielded type with the lanes at its out axis.
    * M6: element shapes are static: only the mapped axis may be dynamic.
  }];
}

def Weave_VMapOp : Weave_MapOp<"vmap"> {
  let summary = "map a function over lanes, batched into vector operations";
  let description = [{
    As `weave.pmap`, with the lanes batched into one worker's vector operations
    instead of being spread over workers. The same rules (M1 to M6) hold.

        %ys = weave.vmap %i (%z = %zs : tensor<4x10xf32>) {
          ...
          weave.yield %y : f32
        } -> tensor<4xf32>
  }];
}

def Weave_YieldOp : Weave_Op<"yield", [
    Pure, Terminator, AttrSizedOperandSegments,
    ParentOneOf<["ScanOp", "PMapOp", "VMapOp", "ReduceOp", "PartialReduceOp"]>,
    DeclareOpInterfaceMethods<RegionBranchTerminatorOpInterface, ["getMutableSuccessorOperands"]>]> {
  let summary = "hand values to the enclosing scan or map";
  let description = [{
    In a scan: `weave.yield carry(...) ys(...)`, the next carries and this
    step's stacked values. Elsewhere: `weave.yield %a, %b : f32, f32`.

    Rules:
    * Y1: only a scan's yield has carries.
  }];
  let arguments = (ins Variadic<AnyType>:$carries, Variadic<AnyType>:$values);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins), "build($_builder, $_state, ::mlir::ValueRange(), ::mlir::ValueRange());">];
}

#endif // SCANWEAVE_DIALECT_WEAVE_IR_WEAVELOOPOPS_TD
