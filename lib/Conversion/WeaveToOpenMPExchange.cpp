// SPDX-License-Identifier: Apache-2.0
//
// convert-weave-to-openmp, exchanges: through the runtime's slots, or in the
// plain form with OpenMP's barrier and an array of the workers' addresses.

#include "WeaveToOpenMP.h"

#include "scanweave/Dialect/Weave/Transforms/Combine.h"
#include "scanweave/Dialect/Weave/Transforms/Partition.h"
#include "scanweave/Runtime/Partition.h"
#include "scanweave/Runtime/Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace scanweave;

static Value constantIndex(ImplicitLocOpBuilder &builder, int64_t value) {
  return arith::ConstantIndexOp::create(builder, value);
}
static Value toI64(ImplicitLocOpBuilder &builder, Value index) {
  return arith::IndexCastOp::create(builder, builder.getI64Type(), index);
}

/// The runtime's number for an element type that its slots can combine.
static std::optional<int32_t> getRuntimeType(Type type) {
  if (type.isF32())
    return SCANWEAVE_F32;
  if (type.isF64())
    return SCANWEAVE_F64;
  if (type.isIndex())
    return SCANWEAVE_I64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 1:
      return SCANWEAVE_BOOL;
    case 8:
      return SCANWEAVE_I8;
    case 16:
      return SCANWEAVE_I16;
    case 32:
      return SCANWEAVE_I32;
    case 64:
      return SCANWEAVE_I64;
    }
  }
  return std::nullopt;
}

static_assert(static_cast<int>(CombineKind::add) == SCANWEAVE_ADD &&
              static_cast<int>(CombineKind::mul) == SCANWEAVE_MUL &&
              static_cast<int>(CombineKind::max) == SCANWEAVE_MAX &&
              static_cast<int>(CombineKind::min) == SCANWEAVE_MIN &&
              static_cast<int>(CombineKind::umax) == SCANWEAVE_UMAX &&
              static_cast<int>(CombineKind::umin) == SCANWEAVE_UMIN &&
              static_cast<int>(CombineKind::and_) == SCANWEAVE_AND &&
              static_cast<int>(CombineKind::or_) == SCANWEAVE_OR &&
              static_cast<int>(CombineKind::xor_) == SCANWEAVE_XOR);

static bool isContiguous(MemRefType type) {
  return type.areTrailingDimsContiguous(type.getRank());
}

static bool isDefinedIn(Value value, Operation *op) {
  return op->isProperAncestor(value.getParentBlock()->getParentOp()) ||
         op == value.getParentBlock()->getParentOp();
}

Value WorkerLowering::makeTemporary(Operation *op, MemRefType type,
                                    ValueRange sizes) {
  Operation *point = op;
  while (!isa<func::FuncOp>(point->getParentOp()) &&
         llvm::none_of(sizes, [&](Value size) {
           return isDefinedIn(size, point->getParentOp());
         }))
    point = point->getParentOp();
  ImplicitLocOpBuilder builder(op->getLoc(), point);
  Value buffer = memref::AllocOp::create(builder, type, sizes);
  builder.setInsertionPointAfter(point);
  memref::DeallocOp::create(builder, buffer);
  return buffer;
}

/// The sizes of a buffer's dynamic dimensions, taken from where the buffer was
/// made if that can be seen: a copy of it may then be allocated there too.
static SmallVector<Value> getDynamicSizes(ImplicitLocOpBuilder &builder,
                                          Value buffer) {
  if (auto alloc = buffer.getDefiningOp<memref::AllocOp>())
    return SmallVector<Value>(alloc.getDynamicSizes());
  auto type = cast<MemRefType>(buffer.getType());
  // Dimensions that a subview drops have static sizes.
  if (auto part = buffer.getDefiningOp<memref::SubViewOp>();
      part &&
      part.getSizes().size() == static_cast<size_t>(type.getNumDynamicDims()))
    return SmallVector<Value>(part.getSizes());
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      sizes.push_back(memref::DimOp::create(builder, buffer, d));
  return sizes;
}

static Value getNumElements(ImplicitLocOpBuilder &builder, Value buffer,
                            int64_t begin, int64_t end) {
  Value product = constantIndex(builder, 1);
  for (int64_t d = begin; d < end; ++d)
    product = arith::MulIOp::create(builder, product,
                                    memref::DimOp::create(builder, buffer, d));
  return product;
}

/// Calls `body` in a nest of loops over all elements of a buffer.
static void
forEachElement(ImplicitLocOpBuilder &builder, Value buffer,
               llvm::function_ref<void(OpBuilder &, ValueRange)> body) {
  OpBuilder::InsertionGuard guard(builder);
  Value zero = constantIndex(builder, 0), one = constantIndex(builder, 1);
  SmallVector<Value> indices;
  for (int64_t d = 0, e = cast<MemRefType>(buffer.getType()).getRank(); d < e;
       ++d) {
    Value size = memref::DimOp::create(builder, buffer, d);
    auto loop = scf::ForOp::create(builder, zero, size, one);
    indices.push_back(loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
  }
  body(builder, indices);
}

/// Combines the first `count` rows in the fixed tree, in place, and stores the
/// result.
static void combineRows(ImplicitLocOpBuilder &builder, CombineKind kind,
                        Value rows, Value count, Value dest) {
  Value zero = constantIndex(builder, 0), one = constantIndex(builder, 1);
  auto atRow = [](Value row, ValueRange indices) {
    SmallVector<Value> all = {row};
    llvm::append_range(all, indices);
    return all;
  };
  auto tree = scf::WhileOp::create(
      builder, TypeRange(builder.getIndexType()), count,
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt,
                                           arguments[0], one);
        scf::ConditionOp::create(b, loc, more, arguments);
      },
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        ImplicitLocOpBuilder inner(loc, b);
        Value left = arguments[0];
        Value pairs = arith::ShRUIOp::create(inner, left, one);
        auto loop = scf::ForOp::create(inner, zero, pairs, one);
        inner.setInsertionPointToStart(loop.getBody());
        Value pair = loop.getInductionVar();
        Value first = arith::AddIOp::create(inner, pair, pair);
        Value second = arith::AddIOp::create(inner, first, one);
        forEachElement(inner, dest, [&](OpBuilder &e, ValueRange indices) {
          Value lhs =
              memref::LoadOp::create(e, loc, rows, atRow(first, indices));
          Value rhs =
              memref::LoadOp::create(e, loc, rows, atRow(second, indices));
          memref::StoreOp::create(e, loc, buildCombine(e, loc, kind, lhs, rhs),
                                  rows, atRow(pair, indices));
        });
        // A row without a neighbour moves up unchanged.
        inner.setInsertionPointAfter(loop);
        Value odd = arith::CmpIOp::create(
            inner, arith::CmpIPredicate::ne,
            arith::AddIOp::create(inner, pairs, pairs), left);
        auto move = scf::IfOp::create(inner, odd);
        inner.setInsertionPointToStart(move.thenBlock());
        Value last = arith::SubIOp::create(inner, left, one);
        forEachElement(inner, dest, [&](OpBuilder &e, ValueRange indices) {
          memref::StoreOp::create(
              e, loc,
              memref::LoadOp::create(e, loc, rows, atRow(last, indices)), rows,
              atRow(pairs, indices));
        });
        inner.setInsertionPointAfter(move);
        Value next = arith::ShRUIOp::create(
            inner, arith::AddIOp::create(inner, left, one), one);
        scf::YieldOp::create(inner, next);
      });
  builder.setInsertionPointAfter(tree);
  Value none =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, count, zero);
  Type element = cast<MemRefType>(dest.getType()).getElementType();
  Value identity =
      arith::ConstantOp::create(builder, getIdentity(kind, element));
  forEachElement(builder, dest, [&](OpBuilder &e, ValueRange indices) {
    Location loc = builder.getLoc();
    Value root = memref::LoadOp::create(e, loc, rows, atRow(zero, indices));
    Value value = arith::SelectOp::create(e, loc, none, identity, root);
    memref::StoreOp::create(e, loc, value, dest, indices);
  });
}

void WorkerLowering::lowerBarrier(ImplicitLocOpBuilder &builder, Value team) {
  if (form == ExchangeForm::omp)
    omp::BarrierOp::create(builder);
  else
    runtime.call(builder, "scanweave_barrier", team);
}

void WorkerLowering::gather(ImplicitLocOpBuilder &builder, Value team,
                            Value shard, Value dest, Value outer, Value extent,
                            Value innerBytes) {
  if (form == ExchangeForm::slots) {
    runtime.call(builder, "scanweave_gather_shards",
                 {team, shard, toI64(builder, outer), toI64(builder, extent),
                  toI64(builder, innerBytes), dest});
    return;
  }

  // Say where this worker's part is, wait, copy everyone's, wait until all
  // have.
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value shared = worker.getArguments().back();
  auto getSlot = [&](Value number) -> Value {
    return LLVM::GEPOp::create(builder, pointer, pointer, shared,
                               ArrayRef<LLVM::GEPArg>{toI64(builder, number)});
  };
  auto advance = [&](Value base, Value bytes) -> Value {
    return LLVM::GEPOp::create(builder, pointer, builder.getI8Type(), base,
                               ArrayRef<LLVM::GEPArg>{toI64(builder, bytes)});
  };
  auto multiply = [&](Value a, Value b) -> Value {
    return arith::MulIOp::create(builder, a, b);
  };
  LLVM::StoreOp::create(builder, shard, getSlot(getIndex(team)));
  omp::BarrierOp::create(builder);
  Value zero = constantIndex(builder, 0), one = constantIndex(builder, 1);
  Value workers = getSize(team);
  auto overWorkers = scf::ForOp::create(builder, zero, workers, one);
  builder.setInsertionPointToStart(overWorkers.getBody());
  Value other = overWorkers.getInductionVar();
  IndexRange part =
      buildShardRange(builder, builder.getLoc(), extent, other, workers);
  Value source = LLVM::LoadOp::create(builder, pointer, getSlot(other));
  Value bytes = multiply(part.size, innerBytes);
  auto overOuter = scf::ForOp::create(builder, zero, outer, one);
  builder.setInsertionPointToStart(overOuter.getBody());
  Value block = overOuter.getInductionVar();
  Value position =
      arith::AddIOp::create(builder, multiply(block, extent), part.offset);
  LLVM::MemcpyOp::create(builder, advance(dest, multiply(position, innerBytes)),
                         advance(source, multiply(block, bytes)),
                         toI64(builder, bytes), /*isVolatile=*/false);
  builder.setInsertionPointAfter(overWorkers);
  omp::BarrierOp::create(builder);
}

void WorkerLowering::lowerAllReduce(AllReduceOp op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value team = op.getTeam(), rows = op.getRows(), dest = op.getDest();
  auto rowsType = cast<MemRefType>(rows.getType()),
       destType = cast<MemRefType>(dest.getType());
  Type element = destType.getElementType();

  // The runtime takes contiguous buffers.
  auto makeContiguous = [&](Value like) {
    auto type = cast<MemRefType>(like.getType());
    return makeTemporary(op, MemRefType::get(type.getShape(), element),
                         getDynamicSizes(builder, like));
  };
  if (!isContiguous(rowsType)) {
    Value copy = makeContiguous(rows);
    memref::CopyOp::create(builder, rows, copy);
    rows = copy;
  }

  std::optional<int32_t> type = getRuntimeType(element);
  if (form == ExchangeForm::slots && type && destType.hasStaticShape()) {
    Value target = isContiguous(destType) ? dest : makeContiguous(dest);
    Type i32 = builder.getI32Type();
    auto constant = [&](Type type, int64_t value) -> Value {
      return arith::ConstantIntOp::create(builder, type, value);
    };
    int64_t length = destType.getNumElements();
    runtime.call(builder, "scanweave_all_reduce",
                 {team, constant(i32, static_cast<int32_t>(op.getKind())),
                  constant(i32, *type), getBufferPointer(builder, types, rows),
                  toI64(builder, op.getExtent()),
                  constant(builder.getI64Type(), length),
                  getBufferPointer(builder, types, target)});
    if (target != dest)
      memref::CopyOp::create(builder, target, dest);
    rowBytes = std::max(rowBytes, length * getElementBytes(element));
    return;
  }

  // Gather all rows, then combine them here. The rows of an extent are cut as
  // an extent of as many indices is: both have these grains.
  Value count = buildGrains(builder, op.getLoc(), op.getExtent()).count;
  SmallVector<int64_t> shape = {runtime::maxGrains};
  llvm::append_range(shape, destType.getShape());
  Value all = makeTemporary(op, MemRefType::get(shape, element),
                            getDynamicSizes(builder, dest));
  Value innerBytes = arith::MulIOp::create(
      builder, getNumElements(builder, dest, 0, destType.getRank()),
      constantIndex(builder, getElementBytes(element)));
  gather(builder, team, getBufferPointer(builder, types, rows),
         getBufferPointer(builder, types, all), constantIndex(builder, 1),
         count, innerBytes);
  combineRows(builder, op.getKind(), all, count, dest);
}

void WorkerLowering::lowerGatherShards(GatherShardsOp op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value shard = op.getShard(), dest = op.getDest();
  auto shardType = cast<MemRefType>(shard.getType()),
       destType = cast<MemRefType>(dest.getType());
  Type element = destType.getElementType();
  int64_t dim = op.getDim();

  // The runtime takes contiguous buffers.
  auto makeContiguous = [&](Value like) {
    auto type = cast<MemRefType>(like.getType());
    return makeTemporary(op, MemRefType::get(type.getShape(), element),
                         getDynamicSizes(builder, like));
  };
  if (!isContiguous(shardType)) {
    Value copy = makeContiguous(shard);
    memref::CopyOp::create(builder, shard, copy);
    shard = copy;
  }
  Value target = isContiguous(destType) ? dest : makeContiguous(dest);

  Value outer = getNumElements(builder, target, 0, dim);
  Value extent = memref::DimOp::create(builder, target, dim);
  Value innerBytes = arith::MulIOp::create(
      builder, getNumElements(builder, target, dim + 1, destType.getRank()),
      constantIndex(builder, getElementBytes(element)));
  gather(builder, op.getTeam(), getBufferPointer(builder, types, shard),
         getBufferPointer(builder, types, target), outer, extent, innerBytes);
  if (target != dest)
    memref::CopyOp::create(builder, target, dest);
}
