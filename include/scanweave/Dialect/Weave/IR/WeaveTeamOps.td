// SPDX-License-Identifier: Apache-2.0
//
// The per-worker region, and what workers do together in it.

#ifndef SCANWEAVE_DIALECT_WEAVE_IR_WEAVETEAMOPS_TD
#define SCANWEAVE_DIALECT_WEAVE_IR_WEAVETEAMOPS_TD

include "scanweave/Dialect/Weave/IR/WeaveReduceOps.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/ValueBoundsOpInterface.td"

def Weave_SpmdOp : Weave_Op<"spmd", [
    AttrSizedOperandSegments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"FinishOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a region that every worker of a team runs over its own lanes";
  let description = [{
    Every worker runs the whole body with its own `team` token; values that the
    body captures are the same for all (replicated). With `steps(%n)` the body
    also gets a range of steps `first` to `last`: the runtime may run the n
    steps in several chunks, each with a team of another size; the inits then
    carry the state from chunk to chunk.

    Results are in destination style, one per init. The body's argument for an
    init holds its content at the beginning of the chunk. The terminator
    `weave.finish` says how each comes back: `replicated` (worker 0 stores it),
    `sharded(d)` (every worker stores its range of dimension d) or `in_place`
    (the worker has written its part of the argument itself).

        %x, %xs = weave.spmd steps(%n) inits(%c0 = %x0, %d0 = %dest : tensor<10xf32>, tensor<?x10xf32>) {
        ^bb0(%team: !weave.team, %first: index, %last: index, %c: tensor<10xf32>, %d: tensor<?x10xf32>):
          ...
          weave.finish %x1, %d1 : tensor<10xf32>, tensor<?x10xf32>
              [#weave.placement<replicated>, #weave.placement<in_place>]
        } -> tensor<10xf32>, tensor<?x10xf32>

    Rules:
    * P1: the body's arguments are the team, with `steps` the first and last step, then the inits.
    * P2: results have the inits' types.
    * P3: spmd regions do not nest.
  }];
  let arguments = (ins Optional<Index>:$steps, Variadic<AnyRankedTensor>:$inits);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    (`steps` `(` $steps^ `)`)? (`inits` `(` $inits^ `:` type($inits) `)`)? $region
    (`->` type($results)^)? attr-dict
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    // The body gets its block with arguments; the caller fills and terminates it.
    OpBuilder<(ins "::mlir::Value":$steps, "::mlir::ValueRange":$inits)>
  ];
  let extraClassDeclaration = [{
    ::mlir::BlockArgument getTeam() { return getBody()->getArgument(0); }
    ::mlir::Value getFirst() { return getSteps() ? getBody()->getArgument(1) : ::mlir::Value(); }
    ::mlir::Value getLast() { return getSteps() ? getBody()->getArgument(2) : ::mlir::Value(); }
    ::mlir::Block::BlockArgListType getInitArgs() {
      return getBody()->getArguments().drop_front(getSteps() ? 3 : 1);
    }
  }];
}

def Weave_FinishOp : Weave_Op<"finish", [Terminator, HasParent<"SpmdOp">]> {
  let summary = "say how an spmd region's values come back";
  let description = [{
    One value and one placement for each init of the enclosing `weave.spmd`.

    Rules:
    * P4: as many values and placements as inits.
    * P5: a replicated or in-place value has the init's type; a sharded one too,
      but for its cut dimension, which is dynamic. A partial value is combined first.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values, Weave_PlacementArrayAttr:$placements);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins), "build($_builder, $_state, ::mlir::ValueRange(), $_builder.getArrayAttr({}));">];
}

//===-- Inside a worker ----------------------------------------------------===//

def Weave_WorkerOp : Weave_Op<"worker", [Pure]> {
  let summary = "this worker's number, from 0";
  let arguments = (ins Weave_TeamType:$team);
  let results = (outs Index:$result);
  let assemblyFormat = "$team attr-dict `:` type($result)";
}

def Weave_TeamSizeOp : Weave_Op<"team_size", [Pure]> {
  let summary = "the number of workers of the team";
  let arguments = (ins Weave_TeamType:$team);
  let results = (outs Index:$result);
  let assemblyFormat = "$team attr-dict `:` type($result)";
}

def Weave_ShardRangeOp : Weave_Op<"shard_range", [Pure,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>,
    DeclareOpInterfaceMethods<ValueBoundsOpInterface, ["populateBoundsForIndexValue"]>]> {
  let summary = "this worker's part of an extent";
  let description = [{
    The standard partition: the extent's M grains (see `weave.reduce`) are cut
    into one run for each worker, worker w of W having the grains from
    floor(w*M/W) to floor((w+1)*M/W). Gives the first index and the number of
    indices; a worker may have none.

        %lo, %size = weave.shard_range %team of %n : index, index
  }];
  let arguments = (ins Weave_TeamType:$team, Index:$extent);
  let results = (outs Index:$offset, Index:$size);
  let assemblyFormat = "$team `of` $extent attr-dict `:` type($offset) `,` type($size)";
}

def Weave_GrainOp : Weave_Op<"grain", [Pure]> {
  let summary = "the grain of an extent";
  let description = [{
    G, the smallest power of two with ceil(n/G) <= 128; 1 for an extent of 0.

        %g = weave.grain %n : index
  }];
  let arguments = (ins Index:$extent);
  let results = (outs Index:$result);
  let assemblyFormat = "$extent attr-dict `:` type($result)";
  let hasFolder = 1;
}

//===-- Exchanges ----------------------------------------------------------===//

def Weave_TensorOrBuffer : AnyTypeOf<[AnyRankedTensor, AnyMemRef],
    "ranked tensor or memref", "::mlir::ShapedType">;

/// An exchange is a synchronising communication: all workers of the team run
/// the same exchanges in the same order. Its effect keeps it in place.
class Weave_ExchangeOp<string mnemonic, list<Trait> traits = []> : Weave_Op<mnemonic, !listconcat([
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>], traits)> {
  let hasVerifier = 1;
}

def Weave_TreeReduceOp : Weave_Op<"tree_reduce", [Pure]> {
  let summary = "combine rows in the fixed binary tree";
  let description = [{
    Neighbouring rows combine first; a row without a neighbour moves up
    unchanged. No rows give the identity of the kind.

        %t = weave.tree_reduce <add> %rows : tensor<?x10xf32> -> tensor<10xf32>

    Rules:
    * F5: the element type has the kind's combination.
    * F6: the result's type is the operand's without its first dimension.
  }];
  let arguments = (ins Weave_CombineKindAttr:$kind, AnyRankedTensor:$rows);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$kind $rows attr-dict `:` type($rows) `->` type($result)";
  let hasVerifier = 1;
}

def Weave_AllReduceOp : Weave_ExchangeOp<"all_reduce", [
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues", "bufferize"]>]> {
  let summary = "combine all workers' rows in the fixed binary tree";
  let description = [{
    `rows` holds this worker's rows, one for each grain of its part of `extent`
    (see `weave.shard_range`); every worker gets the `weave.tree_reduce` of
    all workers' rows, written to `dest`.

        %g = weave.all_reduce <add> %team rows(%rows : tensor<?x10xf32>) extent(%n)
             into(%dest : tensor<10xf32>) -> tensor<10xf32>

    Rules:
    * E1: the dest's type is the rows' without their first dimension.
    * E3: on tensors there is a result, of the dest's type; on buffers none.
    * F5: the element type has the kind's combination.
  }];
  let arguments = (ins Weave_CombineKindAttr:$kind, Weave_TeamType:$team,
                       Weave_TensorOrBuffer:$rows, Index:$extent, Weave_TensorOrBuffer:$dest);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $kind $team `rows` `(` $rows `:` type($rows) `)` `extent` `(` $extent `)`
    `into` `(` $dest `:` type($dest) `)` attr-dict (`->` type($result)^)?
  }];
}

def Weave_GatherShardsOp : Weave_ExchangeOp<"gather_shards", [
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues", "bufferize"]>]> {
  let summary = "give every worker all workers' shards of a value";
  let description = [{
    `shard` is this worker's part of a value cut along dimension `dim`, whose
    whole extent is the dest's; every worker gets the whole, written to `dest`.

        %y = weave.gather_shards %team shard(%part : tensor<?xf32>) dim(0)
             into(%dest : tensor<4xf32>) -> tensor<4xf32>

    Rules:
    * E2: shard and dest have the same type but for dimension `dim`.
    * E3: on tensors there is a result, of the dest's type; on buffers none.
  }];
  let arguments = (ins Weave_TeamType:$team, Weave_TensorOrBuffer:$shard, I64Attr:$dim,
                       Weave_TensorOrBuffer:$dest);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $team `shard` `(` $shard `:` type($shard) `)` `dim` `(` $dim `)`
    `into` `(` $dest `:` type($dest) `)` attr-dict (`->` type($result)^)?
  }];
}

def Weave_BarrierOp : Weave_Op<"barrier", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "wait until all workers of the team are here";
  let arguments = (ins Weave_TeamType:$team);
  let assemblyFormat = "$team attr-dict";
}

//===-- Outside of a worker --------------------------------------------------===//

def Weave_LaunchOp : Weave_Op<"launch", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues", "bufferize"]>]> {
  let summary = "run a worker function on a team";
  let description = [{
    What an outlined `weave.spmd` leaves behind. Calls `worker` on every worker
    of a team with (team, first and last step if there are `steps`, inputs,
    inits). Inputs are only read. Inits are read and written in place, each
    worker its own part.

        %x, %xs = weave.launch @main_worker_0 steps(%n) ins(%std : f32)
            inits(%x0, %dest : tensor<10xf32>, tensor<?x10xf32>) -> tensor<10xf32>, tensor<?x10xf32>

    Rules:
    * L1: `worker` is a function with those arguments (tensors as memrefs) and no results.
    * L2: inits that are tensors have a result each, of their type; buffers have none.
  }];
  let arguments = (ins FlatSymbolRefAttr:$worker, Optional<Index>:$steps,
                       Variadic<AnyType>:$inputs, Variadic<Weave_TensorOrBuffer>:$inits);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $worker (`steps` `(` $steps^ `)`)? (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`inits` `(` $inits^ `:` type($inits) `)`)? attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
}

#endif // SCANWEAVE_DIALECT_WEAVE_IR_WEAVETEAMOPS_TD
