// SPDX-License-Identifier: Apache-2.0
//
// How exchanges and launches become ops on buffers: all in destination style,
// so that they never allocate.

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace scanweave;

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

bool AllReduceOp::bufferizesToMemoryRead(OpOperand &operand,
                                         const AnalysisState &) {
  return operand != getDestMutable();
}
bool AllReduceOp::bufferizesToMemoryWrite(OpOperand &, const AnalysisState &) {
  // Rows are combined in place before they are published.
  return true;
}
AliasingValueList AllReduceOp::getAliasingValues(OpOperand &operand,
                                                 const AnalysisState &) {
  if (getResult() && operand == getDestMutable())
    return {{getResult(), BufferRelation::Equivalent}};
  return {};
}
LogicalResult AllReduceOp::bufferize(RewriterBase &rewriter,
                                     const BufferizationOptions &options,
                                     BufferizationState &state) {
  FailureOr<Value> rows = getBuffer(rewriter, getRows(), options, state);
  FailureOr<Value> dest = getBuffer(rewriter, getDest(), options, state);
  if (failed(rows) || failed(dest))
    return failure();
  AllReduceOp::create(rewriter, getLoc(), /*result=*/Type(), getKindAttr(),
                      getTeam(), *rows, getExtent(), *dest);
  replaceOpWithBufferizedValues(rewriter, *this, *dest);
  return success();
}

bool GatherShardsOp::bufferizesToMemoryRead(OpOperand &operand,
                                            const AnalysisState &) {
  return operand != getDestMutable();
}
bool GatherShardsOp::bufferizesToMemoryWrite(OpOperand &operand,
                                             const AnalysisState &) {
  return operand == getDestMutable();
}
AliasingValueList GatherShardsOp::getAliasingValues(OpOperand &operand,
                                                    const AnalysisState &) {
  if (getResult() && operand == getDestMutable())
    return {{getResult(), BufferRelation::Equivalent}};
  return {};
}
LogicalResult GatherShardsOp::bufferize(RewriterBase &rewriter,
                                        const BufferizationOptions &options,
                                        BufferizationState &state) {
  FailureOr<Value> shard = getBuffer(rewriter, getShard(), options, state);
  FailureOr<Value> dest = getBuffer(rewriter, getDest(), options, state);
  if (failed(shard) || failed(dest))
    return failure();
  GatherShardsOp::create(rewriter, getLoc(), /*result=*/Type(), getTeam(),
                         *shard, getDimAttr(), *dest);
  replaceOpWithBufferizedValues(rewriter, *this, *dest);
  return success();
}

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

static bool isInit(LaunchOp launch, OpOperand &operand) {
  unsigned begin = launch.getNumOperands() - launch.getInits().size();
  return operand.getOperandNumber() >= begin;
}

bool LaunchOp::bufferizesToMemoryRead(OpOperand &, const AnalysisState &) {
  return true;
}
bool LaunchOp::bufferizesToMemoryWrite(OpOperand &operand,
                                       const AnalysisState &) {
  return isInit(*this, operand);
}
AliasingValueList LaunchOp::getAliasingValues(OpOperand &operand,
                                              const AnalysisState &) {
  if (!isInit(*this, operand) || getNumResults() == 0)
    return {};
  unsigned begin = getNumOperands() - getInits().size();
  return {{getResult(operand.getOperandNumber() - begin),
           BufferRelation::Equivalent}};
}
LogicalResult LaunchOp::bufferize(RewriterBase &rewriter,
                                  const BufferizationOptions &options,
                                  BufferizationState &state) {
  // Workers take row-major buffers: a part of a larger buffer is handed over in
  // a copy, an init also comes back from it.
  SmallVector<Value> inputs, inits, results;
  for (Value value : getInputs()) {
    if (!isa<TensorType>(value.getType())) {
      inputs.push_back(value);
      continue;
    }
    auto type = cast<RankedTensorType>(value.getType());
    FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
    if (succeeded(buffer))
      buffer = castOrReallocMemRefValue(
          rewriter, *buffer,
          MemRefType::get(type.getShape(), type.getElementType()), options);
    if (failed(buffer))
      return failure();
    inputs.push_back(*buffer);
  }
  for (Value value : getInits()) {
    auto type = cast<RankedTensorType>(value.getType());
    FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
    if (failed(buffer))
      return failure();
    results.push_back(*buffer);
    buffer = castOrReallocMemRefValue(
        rewriter, *buffer,
        MemRefType::get(type.getShape(), type.getElementType()), options);
    if (failed(buffer))
      return failure();
    inits.push_back(*buffer);
  }
  LaunchOp::create(rewriter, getLoc(), TypeRange(), getWorkerAttr(), getSteps(),
                   inputs, inits);
  for (auto [init, result] : llvm::zip_equal(inits, results))
    if (init.getDefiningOp<memref::AllocOp>() && init != result &&
        failed(options.createMemCpy(rewriter, getLoc(), init, result)))
      return failure();
  replaceOpWithBufferizedValues(rewriter, *this, results);
  return success();
}
