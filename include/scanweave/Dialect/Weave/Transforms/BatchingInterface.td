// SPDX-License-Identifier: Apache-2.0
//
// The interface by which an operation says how it is batched.

#ifndef SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_BATCHINGINTERFACE_TD
#define SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_BATCHINGINTERFACE_TD

include "mlir/IR/OpBase.td"

def Weave_BatchableOpInterface : OpInterface<"BatchableOpInterface"> {
  let cppNamespace = "::scanweave";
  let description = [{
    How weave-batch-vmap makes one operation on stacked lanes of many operations on
    one lane each. Elementwise operations and linalg's structured ones need no such
    rule: they are batched by their traits. What has no rule runs lane by lane.
  }];
  let methods = [
    InterfaceMethod<[{
      Marks the results, and the arguments of regions, that differ from lane to lane.
      Called until nothing changes any more. By default all results do if an operand
      or captured value does.
    }], "void", "propagateBatched", (ins "::scanweave::BatchAnalysis &":$analysis), "",
        "::scanweave::propagateToAllResults($_op, analysis);">,
    InterfaceMethod<[{
      Emits the batched form and maps the results to it. On failure the operation
      runs lane by lane; what was emitted until then is erased.
    }], "::llvm::LogicalResult", "batch", (ins "::scanweave::Batcher &":$batcher)>
  ];
}

#endif // SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_BATCHINGINTERFACE_TD
