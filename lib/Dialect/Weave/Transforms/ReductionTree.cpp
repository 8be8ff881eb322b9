// SPDX-License-Identifier: Apache-2.0
//
// The tree of a fixed reduction, in place on its rows.

#include "ReductionLoops.h"

#include "scanweave/Dialect/Weave/Transforms/Combine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace scanweave;

/// Combines row `target` with row `source` into row `target`, element by
/// element: bufferization does not see that two slices of one tensor are
/// disjoint, and would copy one of them.
static Value combineRows(OpBuilder &builder, Location loc, CombineKind kind,
                         Value rows, Value target, Value source) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, rows);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> from = {target}, with = {source};
  OpBuilder::InsertionGuard guard(builder);
  Value carried = rows;
  scf::ForOp outermost;
  for (OpFoldResult size : llvm::drop_begin(sizes)) {
    auto loop = scf::ForOp::create(
        builder, loc, zero, getValueOrCreateConstantIndexOp(builder, loc, size),
        one, carried);
    if (outermost)
      scf::YieldOp::create(builder, loc, loop.getResults());
    else
      outermost = loop;
    carried = loop.getRegionIterArg(0);
    from.push_back(loop.getInductionVar());
    with.push_back(loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
  }
  Value combined =
      buildCombine(builder, loc, kind,
                   tensor::ExtractOp::create(builder, loc, carried, from),
                   tensor::ExtractOp::create(builder, loc, carried, with));
  Value stored =
      tensor::InsertOp::create(builder, loc, combined, carried, from);
  if (!outermost)
    return stored;
  scf::YieldOp::create(builder, loc, stored);
  return outermost.getResult(0);
}

/// The first `levels` levels of the tree. Row i stands for the rows from i to
/// i + stride.
static Value buildLevels(OpBuilder &builder, Location loc, CombineKind kind,
                         Value rows, Value count, Value levels) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto perLevel = [&](OpBuilder &nested, Location loc, Value level,
                      ValueRange carried) {
    Value stride = arith::ShLIOp::create(nested, loc, one, level);
    Value step = arith::ShLIOp::create(nested, loc, stride, one);
    // A row without a neighbour moves up unchanged.
    Value last = arith::SubIOp::create(nested, loc, count, stride);
    auto pairs = scf::ForOp::create(
        nested, loc, zero, last, step, carried,
        [&](OpBuilder &inner, Location loc, Value i, ValueRange carried) {
          Value neighbour = arith::AddIOp::create(inner, loc, i, stride);
          scf::YieldOp::create(
              inner, loc,
              combineRows(inner, loc, kind, carried.front(), i, neighbour));
        });
    scf::YieldOp::create(nested, loc, pairs.getResults());
  };
  return scf::ForOp::create(builder, loc, zero, levels, one, rows, perLevel)
      .getResult(0);
}

/// The number of levels of a tree over `count` rows, of type index.
static Value buildLevelCount(OpBuilder &builder, Location loc, Value count) {
  Type i64 = builder.getI64Type();
  Value one = arith::ConstantIntOp::create(builder, loc, i64, 1);
  Value width = arith::ConstantIntOp::create(builder, loc, i64, 64);
  Value n = arith::IndexCastOp::create(builder, loc, i64, count);
  Value last = arith::SubIOp::create(
      builder, loc, arith::MaxSIOp::create(builder, loc, n, one), one);
  Value zeros = math::CountLeadingZerosOp::create(builder, loc, last);
  return arith::IndexCastOp::create(
      builder, loc, builder.getIndexType(),
      arith::SubIOp::create(builder, loc, width, zeros));
}

Value scanweave::buildTreeInPlace(OpBuilder &builder, Location loc,
                                  CombineKind kind, Rows rows) {
  int64_t bound =
      getConstantIntValue(rows.count)
          .value_or(
              cast<RankedTensorType>(rows.tensor.getType()).getDimSize(0));
  Value count = getValueOrCreateConstantIndexOp(builder, loc, rows.count);
  Value levels = ShapedType::isDynamic(bound)
                     ? buildLevelCount(builder, loc, count)
                     : arith::ConstantIndexOp::create(builder, loc,
                                                      llvm::Log2_64_Ceil(bound))
                           .getResult();
  return buildLevels(builder, loc, kind, rows.tensor, count, levels);
}

/// Row `index`; a number is taken out of the rows.
static Value getRow(OpBuilder &builder, Location loc, Value rows,
                    int64_t index) {
  auto type = cast<RankedTensorType>(rows.getType());
  if (type.getRank() > 1)
    return extractRow(builder, loc, rows, builder.getIndexAttr(index));
  Value position = arith::ConstantIndexOp::create(builder, loc, index);
  Value number = tensor::ExtractOp::create(builder, loc, rows, position);
  return tensor::FromElementsOp::create(
      builder, loc, RankedTensorType::get({}, type.getElementType()), number);
}

Value scanweave::buildTree(OpBuilder &builder, Location loc, CombineKind kind,
                           Rows rows, Value init) {
  Value result;
  std::optional<int64_t> count = getConstantIntValue(rows.count);
  if (count && *count > 1) {
    // The last level goes into a tensor of its own, which may become the place
    // where the result is wanted.
    int64_t levels = llvm::Log2_64_Ceil(*count) - 1;
    Value tensor = rows.tensor;
    if (levels > 0)
      tensor =
          buildLevels(builder, loc, kind, tensor,
                      arith::ConstantIndexOp::create(builder, loc, *count),
                      arith::ConstantIndexOp::create(builder, loc, levels));
    int64_t second = int64_t(1) << levels;
    result =
        buildCombineTensors(builder, loc, kind, getRow(builder, loc, tensor, 0),
                            getRow(builder, loc, tensor, second));
  } else {
    Value tensor =
        count ? rows.tensor : buildTreeInPlace(builder, loc, kind, rows);
    result = getRow(builder, loc, tensor, 0);
  }
  if (!init || isIdentity(kind, init))
    return result;
  return buildCombineTensors(builder, loc, kind, init, result);
}
