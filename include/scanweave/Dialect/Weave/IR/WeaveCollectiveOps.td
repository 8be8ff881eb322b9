// SPDX-License-Identifier: Apache-2.0
//
// Collectives over the lanes of an enclosing map.

#ifndef SCANWEAVE_DIALECT_WEAVE_IR_WEAVECOLLECTIVEOPS_TD
#define SCANWEAVE_DIALECT_WEAVE_IR_WEAVECOLLECTIVEOPS_TD

include "scanweave/Dialect/Weave/IR/WeaveLoopOps.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

/// Common to all: rule C1, the axis is the first body argument of an enclosing map.
class Weave_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : Weave_Op<mnemonic, !listconcat([Pure], traits)> {
  let hasVerifier = 1;
}

def Weave_NumberOrTensor : AnyTypeOf<[AnySignlessInteger, AnyFloat,
    RankedTensorOf<[AnySignlessInteger, AnyFloat]>], "number or tensor of numbers">;

class Weave_ReducingCollectiveOp<string mnemonic, list<Trait> traits = []>
    : Weave_CollectiveOp<mnemonic, !listconcat(traits,
        [DeclareOpInterfaceMethods<InferTypeOpInterface>])> {
  let arguments = (ins Weave_NumberOrTensor:$value, Weave_AxisType:$axis);
  let results = (outs Weave_NumberOrTensor:$result);
  let assemblyFormat = "$value `over` $axis attr-dict `:` type($value)";
  let hasFolder = 1;
}

def Weave_PSumOp : Weave_ReducingCollectiveOp<"psum"> {
  let summary = "sum of a value over all lanes of an axis";
  let description = [{
    Every lane gets the sum, taken in the fixed tree over lanes (see
    `weave.reduce`). Integers wrap; a sum of i1 counts and is i32.

        %s = weave.psum %y over %i : f32

    Rules:
    * C1: the axis belongs to an enclosing map.
  }];
}
def Weave_PMeanOp : Weave_ReducingCollectiveOp<"pmean"> {
  let summary = "mean of a value over all lanes of an axis";
  let description = [{
    The sum (as `weave.psum`) divided by the number of lanes. The mean of
    integers is f32.

        %m = weave.pmean %y over %i : tensor<10xf32>
  }];
}
def Weave_PMaxOp : Weave_ReducingCollectiveOp<"pmax"> {
  let summary = "largest value over all lanes of an axis";
  let description = [{
    NaN on any lane gives NaN, and +0.0 is larger than -0.0. Integers compare
    as signed; of truth values, true is the larger.

        %m = weave.pmax %y over %i : f32
  }];
}
def Weave_PMinOp : Weave_ReducingCollectiveOp<"pmin"> {
  let summary = "smallest value over all lanes of an axis";
  let description = [{
    NaN on any lane gives NaN, and -0.0 is smaller than +0.0. Integers compare
    as signed; of truth values, true is the larger.

        %m = weave.pmin %y over %i : f32
  }];
}

def Weave_AllGatherOp : Weave_CollectiveOp<"all_gather"> {
  let summary = "the values of all lanes, stacked";
  let description = [{
    Every lane gets all lanes' values, stacked along dimension `dim` (default 0).

        %all = weave.all_gather %y over %i : f32 -> tensor<4xf32>

    Rules:
    * C1: the axis belongs to an enclosing map.
    * C2: the result's type is the operand's with the number of lanes at `dim`.
  }];
  let arguments = (ins Weave_NumberOrTensor:$value, Weave_AxisType:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$dim);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$value `over` $axis (`dim` `(` $dim^ `)`)? attr-dict `:` type($value) `->` type($result)";
}

def Weave_AxisIndexOp : Weave_CollectiveOp<"axis_index", [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "this lane's number, from 0";
  let description = [{
        %lane = weave.axis_index %i : index

    Rules:
    * C1: the axis belongs to an enclosing map.
  }];
  let arguments = (ins Weave_AxisType:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Weave_AxisSizeOp : Weave_CollectiveOp<"axis_size"> {
  let summary = "the number of lanes of an axis";
  let description = [{
        %n = weave.axis_size %i : index

    Rules:
    * C1: the axis belongs to an enclosing map.
  }];
  let arguments = (ins Weave_AxisType:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
  let hasFolder = 1;
}

#endif // SCANWEAVE_DIALECT_WEAVE_IR_WEAVECOLLECTIVEOPS_TD
