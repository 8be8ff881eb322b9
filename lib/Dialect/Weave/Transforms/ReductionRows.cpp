// SPDX-License-Identifier: Apache-2.0
//
// The chains of a fixed reduction: one row for every grain.

#include "ReductionLoops.h"

#include "scanweave/Dialect/Weave/Transforms/Combine.h"
#include "scanweave/Dialect/Weave/Transforms/Partition.h"
#include "scanweave/Dialect/Weave/Transforms/Slices.h"
#include "scanweave/Runtime/Partition.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace scanweave;

bool Reduction::hasOneReductionDim() const {
  return llvm::count(iterators, utils::IteratorType::reduction) == 1;
}

int64_t Reduction::getGrainAxis(unsigned i) const {
  std::optional<unsigned> axis = maps[i].getResultPosition(
      getAffineDimExpr(grainDim, maps[i].getContext()));
  return axis ? static_cast<int64_t>(*axis) : -1;
}

OpFoldResult Reduction::buildExtent(OpBuilder &builder, Location loc) const {
  OpFoldResult extent;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    int64_t axis = getGrainAxis(i);
    if (axis < 0)
      continue;
    if (!cast<RankedTensorType>(input.getType()).isDynamicDim(axis))
      return tensor::getMixedSize(builder, loc, input, axis);
    if (!extent)
      extent = tensor::getMixedSize(builder, loc, input, axis);
  }
  return extent;
}

Value Reduction::cloneBody(OpBuilder &builder, ValueRange elements,
                           Value accumulator) const {
  IRMapping mapping;
  mapping.map(body->getArguments().drop_back(), elements);
  mapping.map(body->getArguments().back(), accumulator);
  for (Operation &op : body->without_terminator())
    builder.clone(op, mapping);
  return mapping.lookupOrDefault(body->getTerminator()->getOperand(0));
}

GrainSizes scanweave::buildGrainSizes(OpBuilder &builder, Location loc,
                                      OpFoldResult extent) {
  if (std::optional<int64_t> n = getConstantIntValue(extent)) {
    int64_t size = runtime::grain(*n);
    return {builder.getIndexAttr(size),
            static_cast<int64_t>(llvm::divideCeil(*n, size))};
  }
  return {buildGrains(builder, loc, cast<Value>(extent)).size,
          runtime::maxGrains};
}

/// Whether the rows of grains of one element are the input itself.
static bool isInputOfRows(const Reduction &reduction) {
  Block *body = reduction.body;
  unsigned dims = reduction.iterators.size();
  AffineMap rowsMap = reduction.resultMap.insertResult(
      getAffineDimExpr(reduction.grainDim, body->front().getContext()), 0);
  if (reduction.maps.size() != 1 || reduction.maps.front() != rowsMap ||
      rowsMap.getNumResults() != dims || !llvm::hasNItems(*body, 2))
    return false;
  Operation &op = body->front();
  Value element = body->getArgument(0), accumulator = body->getArgument(1);
  if (getCombineKind(&op) != reduction.kind ||
      body->getTerminator()->getOperand(0) != op.getResult(0))
    return false;
  Value lhs = op.getOperand(0), rhs = op.getOperand(1);
  return (lhs == element && rhs == accumulator) ||
         (lhs == accumulator && rhs == element);
}

//===----------------------------------------------------------------------===//
// One chain
//===----------------------------------------------------------------------===//

/// Rows of one element per grain: no chain, and all grains at once.
static Value buildSingleElementRows(OpBuilder &builder, Location loc,
                                    const Reduction &reduction, Value dest) {
  SmallVector<AffineMap> maps = reduction.maps;
  maps.push_back(reduction.resultMap.insertResult(
      getAffineDimExpr(reduction.grainDim, builder.getContext()), 0));
  SmallVector<utils::IteratorType> iterators = reduction.iterators;
  iterators[reduction.grainDim] = utils::IteratorType::parallel;
  Type element = reduction.rowType.getElementType();
  bool isChain = !reduction.hasOneReductionDim();
  if (isChain) {
    Value identity = buildIdentity(builder, loc, reduction.kind, element);
    dest = linalg::FillOp::create(builder, loc, identity, dest).getResult(0);
  }
  auto body = [&](OpBuilder &nested, Location loc, ValueRange elements) {
    Value accumulator =
        isChain ? elements.back()
                : buildIdentity(nested, loc, reduction.kind, element);
    linalg::YieldOp::create(
        nested, loc,
        reduction.cloneBody(nested, elements.drop_back(), accumulator));
  };
  return linalg::GenericOp::create(builder, loc, dest.getType(),
                                   reduction.inputs, dest, maps, iterators,
                                   body)
      .getResult(0);
}

/// The chain over the part [offset, offset + size) of the grain dimension,
/// written to `dest`.
static Value buildChain(OpBuilder &builder, Location loc,
                        const Reduction &reduction, OpFoldResult offset,
                        OpFoldResult size, Value dest) {
  SmallVector<Value> inputs = reduction.inputs;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    int64_t axis = reduction.getGrainAxis(i);
    if (axis < 0)
      continue;
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(builder, loc, input);
    SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
    offsets[axis] = offset;
    sizes[axis] = size;
    input = createExtractSlice(builder, loc, input, offsets, sizes, strides);
  }
  Value identity = buildIdentity(builder, loc, reduction.kind,
                                 reduction.rowType.getElementType());
  dest = linalg::FillOp::create(builder, loc, identity, dest).getResult(0);
  SmallVector<AffineMap> maps = reduction.maps;
  maps.push_back(reduction.resultMap);
  return linalg::GenericOp::create(
             builder, loc, dest.getType(), inputs, dest, maps,
             reduction.iterators,
             [&](OpBuilder &nested, Location loc, ValueRange elements) {
               linalg::YieldOp::create(nested, loc,
                                       reduction.cloneBody(nested,
                                                           elements.drop_back(),
                                                           elements.back()));
             })
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// All chains
//===----------------------------------------------------------------------===//

/// Writes a new row over row `index` of `rows`.
static Value
replaceRow(OpBuilder &builder, Location loc, Value rows, OpFoldResult index,
           llvm::function_ref<Value(OpBuilder &, Value)> buildRow) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, rows);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  offsets.front() = index;
  sizes.front() = builder.getIndexAttr(1);
  Value row = buildRow(builder, extractRow(builder, loc, rows, index));
  return createInsertSlice(builder, loc, row, rows, offsets, sizes, strides);
}

/// Writes the row of a grain of one element over row `grain` of `rows`.
static Value replaceBySingleElement(OpBuilder &builder, Location loc,
                                    const Reduction &reduction, Value grain,
                                    Value rows) {
  OpFoldResult position = grain;
  if (reduction.rowType.getRank() == 0) {
    Value number = buildUnrolled(builder, loc, reduction, position, {}, {});
    return tensor::InsertOp::create(builder, loc, number, rows, grain);
  }
  return replaceRow(
      builder, loc, rows, grain, [&](OpBuilder &nested, Value row) {
        return buildUnrolled(nested, loc, reduction, position, {}, row);
      });
}

Value scanweave::extractRow(OpBuilder &builder, Location loc, Value rows,
                            OpFoldResult index) {
  auto type = cast<RankedTensorType>(rows.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, rows);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  offsets.front() = index;
  sizes.front() = builder.getIndexAttr(1);
  auto rowType = RankedTensorType::get(type.getShape().drop_front(),
                                       type.getElementType());
  return createExtractSlice(builder, loc, rowType, rows, offsets, sizes,
                            strides);
}

Value scanweave::takeRows(OpBuilder &builder, Location loc, Rows rows) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, rows.tensor);
  if (isEqualConstantIntOrValue(sizes.front(), rows.count))
    return rows.tensor;
  sizes.front() = rows.count;
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  return createExtractSlice(builder, loc, rows.tensor, offsets, sizes, strides);
}

Rows scanweave::buildRows(OpBuilder &builder, Location loc,
                          const Reduction &reduction, OpFoldResult extent,
                          const GrainSizes &grains, bool fillFirst) {
  std::optional<int64_t> staticExtent = getConstantIntValue(extent);
  std::optional<int64_t> staticSize = getConstantIntValue(grains.size);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };

  OpFoldResult count;
  if (staticExtent && staticSize) {
    count = builder.getIndexAttr(llvm::divideCeil(*staticExtent, *staticSize));
  } else {
    Value n = getValueOrCreateConstantIndexOp(builder, loc, extent);
    Value size = getValueOrCreateConstantIndexOp(builder, loc, grains.size);
    Value rounded = arith::AddIOp::create(
        builder, loc, n,
        arith::SubIOp::create(builder, loc, size, constant(1)));
    count = arith::DivUIOp::create(builder, loc, rounded, size).getResult();
  }
  int64_t capacity = getConstantIntValue(count).value_or(grains.maxCount);

  if (staticSize == 1 && !fillFirst && isInputOfRows(reduction))
    return {reduction.inputs.front(), count};

  // A buffer of static size can move out of loops.
  SmallVector<OpFoldResult> sizes = reduction.rowSizes;
  sizes.insert(sizes.begin(), builder.getIndexAttr(capacity));
  Type element = reduction.rowType.getElementType();
  Value rows = tensor::EmptyOp::create(builder, loc, sizes, element);
  if (staticSize == 1 && getConstantIntValue(count))
    return {buildSingleElementRows(builder, loc, reduction, rows), count};

  if (fillFirst)
    rows =
        replaceRow(builder, loc, rows, builder.getIndexAttr(0),
                   [&](OpBuilder &nested, Value row) {
                     Value identity =
                         buildIdentity(nested, loc, reduction.kind, element);
                     return linalg::FillOp::create(nested, loc, identity, row)
                         .getResult(0);
                   });
  auto perGrain = [&](OpBuilder &nested, Location loc, Value grain,
                      Value rows) {
    if (staticSize == 1 && reduction.hasOneReductionDim())
      return replaceBySingleElement(nested, loc, reduction, grain, rows);
    Value size = getValueOrCreateConstantIndexOp(nested, loc, grains.size);
    Value offset = arith::MulIOp::create(nested, loc, grain, size);
    bool divides =
        staticSize &&
        (staticSize == 1 || (staticExtent && *staticExtent % *staticSize == 0));
    OpFoldResult length = grains.size;
    if (!divides) {
      Value n = getValueOrCreateConstantIndexOp(nested, loc, extent);
      Value rest = arith::SubIOp::create(nested, loc, n, offset);
      length = arith::MinSIOp::create(nested, loc, size, rest).getResult();
    }
    return replaceRow(
        nested, loc, rows, grain, [&](OpBuilder &inner, Value row) {
          return buildChain(inner, loc, reduction, offset, length, row);
        });
  };
  auto loop = scf::ForOp::create(
      builder, loc, constant(0),
      getValueOrCreateConstantIndexOp(builder, loc, count), constant(1), rows,
      [&](OpBuilder &nested, Location loc, Value grain, ValueRange carried) {
        scf::YieldOp::create(nested, loc,
                             perGrain(nested, loc, grain, carried.front()));
      });
  return {loop.getResult(0), count};
}
