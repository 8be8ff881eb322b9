// SPDX-License-Identifier: Apache-2.0
//
// Emits the arithmetic of the standard partition.

#include "scanweave/Dialect/Weave/Transforms/Partition.h"

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"
#include "scanweave/Runtime/Partition.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace scanweave;

static_assert(runtime::maxGrains == 128, "a shift by 7 divides by it");

Grains scanweave::buildGrains(OpBuilder &builder, Location loc, Value extent) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  if (int64_t n = getStaticExtent(extent); n != ShapedType::kDynamic) {
    int64_t size = runtime::grain(n);
    return {constant(size), constant((n + size - 1) / size)};
  }

  // The smallest power of two >= ceil(n / 128): one more than the highest bit
  // of ceil(n / 128) - 1, whose 64 leading zeros make it 1 for n <= 128.
  Type i64 = builder.getI64Type();
  auto constant64 = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, i64, value);
  };
  Value n = arith::IndexCastOp::create(builder, loc, i64, extent);
  Value quotient = arith::ShRSIOp::create(
      builder, loc, arith::AddIOp::create(builder, loc, n, constant64(127)),
      constant64(7));
  quotient = arith::MaxSIOp::create(builder, loc, quotient, constant64(1));
  Value zeros = math::CountLeadingZerosOp::create(
      builder, loc,
      arith::SubIOp::create(builder, loc, quotient, constant64(1)));
  Value shift = arith::SubIOp::create(builder, loc, constant64(64), zeros);
  Value size = arith::ShLIOp::create(builder, loc, constant64(1), shift);
  Value rounded = arith::AddIOp::create(
      builder, loc, n,
      arith::SubIOp::create(builder, loc, size, constant64(1)));
  Value count = arith::ShRSIOp::create(builder, loc, rounded, shift);
  Type index = builder.getIndexType();
  return {arith::IndexCastOp::create(builder, loc, index, size),
          arith::IndexCastOp::create(builder, loc, index, count)};
}

IndexRange scanweave::buildShardRange(OpBuilder &builder, Location loc,
                                      Value extent, Value worker,
                                      Value workers) {
  Grains grains = buildGrains(builder, loc, extent);
  // At most 128 grains: the product cannot overflow.
  auto bound = [&](Value w) -> Value {
    Value product = arith::MulIOp::create(builder, loc, w, grains.count);
    Value grain = arith::DivUIOp::create(builder, loc, product, workers);
    Value first = arith::MulIOp::create(builder, loc, grain, grains.size);
    return arith::MinSIOp::create(builder, loc, first, extent);
  };
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value offset = bound(worker);
  Value end = bound(arith::AddIOp::create(builder, loc, worker, one));
  return {offset, arith::SubIOp::create(builder, loc, end, offset)};
}
