// SPDX-License-Identifier: Apache-2.0
//
// weave-expand-random: every draw becomes one linalg.generic whose body hashes
// its element's counter, and keys become scalar code. An element depends on its
// counter and key alone, so any tiling, fusion or split of these loops gives
// the same numbers.

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"
#include "scanweave/Dialect/Weave/Transforms/ElementFunctions.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

namespace scanweave {
#define GEN_PASS_DEF_EXPANDRANDOM
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

namespace {

Value wordConstant(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantOp::create(
      b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// One word of an unbatched key. A key that was sliced out of several is read
/// where it lies, so that no buffer is needed for the slice, and none for the
/// keys if they are known words.
Value extractWord(ImplicitLocOpBuilder &b, Value key, int64_t word) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  auto slice = key.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || !slice.hasUnitStride() ||
      !llvm::equal(slice.getDroppedDims().set_bits(),
                   llvm::seq<unsigned>(0, slice.getSourceType().getRank() - 1)))
    return tensor::ExtractOp::create(b, key, ValueRange{constant(word)});
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
  SmallVector<Value> indices =
      llvm::map_to_vector(offsets, [&](OpFoldResult offset) {
        return getValueOrCreateConstantIndexOp(b, b.getLoc(), offset);
      });
  // Keys have two words: a slice with both of them begins at the first.
  indices.back() = constant(word);
  return b.createOrFold<tensor::ExtractOp>(slice.getSource(), indices);
}

WordPair extractWords(ImplicitLocOpBuilder &b, Value key) {
  Value first = extractWord(b, key, 0);
  return {first, extractWord(b, key, 1)};
}

/// All keys' words of one place: keys without their last dimension.
Value sliceWords(ImplicitLocOpBuilder &b, Value keys, int64_t word) {
  auto type = cast<RankedTensorType>(keys.getType());
  int64_t rank = type.getRank();
  SmallVector<OpFoldResult> offsets(rank, b.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), keys);
  SmallVector<OpFoldResult> strides(rank, b.getIndexAttr(1));
  offsets.back() = b.getIndexAttr(word);
  sizes.back() = b.getIndexAttr(1);
  auto words =
      RankedTensorType::get(type.getShape().drop_back(), type.getElementType());
  return tensor::ExtractSliceOp::create(b, words, keys, offsets, sizes,
                                        strides);
}

Value toWord(ImplicitLocOpBuilder &b, Value integer) {
  if (isa<IndexType>(integer.getType()))
    return arith::IndexCastOp::create(b, b.getI32Type(), integer);
  return integer;
}

/// In a generic's body, the word that loop `dim` of extent 2 asks for.
Value chooseWord(ImplicitLocOpBuilder &b, WordPair words, int64_t dim) {
  Value place = linalg::IndexOp::create(b, dim);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value isFirst =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, place, zero);
  return arith::SelectOp::create(b, isFirst, words.first, words.second);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// An elementwise linalg.generic into an empty tensor. The inputs have the
/// result's leading dimensions.
Value createElementwise(
    ImplicitLocOpBuilder &b, RankedTensorType type, ValueRange sizes,
    ValueRange inputs,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> element) {
  Value empty = tensor::EmptyOp::create(b, type, sizes);
  unsigned rank = type.getRank();
  SmallVector<AffineMap> maps;
  for (Value input : inputs) {
    unsigned inputRank = cast<RankedTensorType>(input.getType()).getRank();
    maps.push_back(AffineMap::getMultiDimIdentityMap(rank, b.getContext())
                       .getMajorSubMap(inputRank));
    // A map of no dimensions still has the loops'.
    if (inputRank == 0)
      maps.back() = AffineMap::get(rank, 0, b.getContext());
  }
  maps.push_back(AffineMap::getMultiDimIdentityMap(rank, b.getContext()));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, TypeRange{type}, inputs, ValueRange{empty}, maps, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        ImplicitLocOpBuilder body(loc, inner);
        Value result = element(body, arguments.drop_back());
        linalg::YieldOp::create(body, result);
      });
  return generic.getResult(0);
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

/// The greatest value of an index that is never negative, if it is known.
std::optional<int64_t> getUpperBound(Value index) {
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, index, /*stopCondition=*/nullptr,
      /*closedUB=*/true);
  if (failed(bound) || *bound < 0)
    return std::nullopt;
  return *bound;
}

/// The draw's counters, offset + sum of index * stride, as pairs of words.
class Counters {
public:
  /// Of loops `firstLoop`, ... with these extents. A dynamic one has a value in
  /// `sizes`.
  Counters(ImplicitLocOpBuilder &b, Value offset, int64_t firstLoop,
           ArrayRef<int64_t> extents, ArrayRef<int64_t> strides,
           ValueRange sizes)
      : firstLoop(firstLoop), extents(extents), strides(strides) {
    std::optional<int64_t> first = offset ? getUpperBound(offset) : 0;
    if (offset && getStaticExtent(offset) == 0)
      offset = nullptr;
    for (int64_t extent : extents) {
      std::optional<int64_t> bound = extent;
      if (ShapedType::isDynamic(extent)) {
        bound = getUpperBound(sizes.front());
        sizes = sizes.drop_front();
      }
      greatestIndices.push_back(bound ? *bound - 1 : ShapedType::kDynamic);
    }
    std::optional<uint64_t> greatest = getGreatest(0);
    narrow = greatest && first &&
             *greatest + static_cast<uint64_t>(*first) <= UINT32_MAX;
    if (!offset)
      return;
    Type word = narrow ? b.getI32Type() : b.getI64Type();
    this->offset = arith::IndexCastOp::create(b, word, offset);
  }

  /// Whether every counter's high word is 0.
  bool isNarrow() const { return narrow; }

  /// In the body of the loops: the counter of the element.
  WordPair build(ImplicitLocOpBuilder &b) const {
    if (narrow) {
      Value low = sum(b, b.getI32Type(), offset, 0, extents.size());
      return {wordConstant(b, 0), low};
    }
    // The 64-bit part comes from the outer loops where the innermost one is
    // short enough for a word: loops over vectors then stay in words, but for a
    // carry.
    size_t inner = extents.size();
    if (inner > 0 && getGreatest(inner - 1))
      --inner;
    Value base = sum(b, b.getI64Type(), offset, 0, inner);
    Value by = arith::ConstantOp::create(b, b.getI64IntegerAttr(32));
    Value high = arith::TruncIOp::create(b, b.getI32Type(),
                                         arith::ShRUIOp::create(b, base, by));
    Value low = arith::TruncIOp::create(b, b.getI32Type(), base);
    if (inner == extents.size())
      return {high, low};
    Value total =
        sum(b, b.getI32Type(), low, extents.size() - 1, extents.size());
    Value carries =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, total, low);
    Value carry = arith::ExtUIOp::create(b, b.getI32Type(), carries);
    return {arith::AddIOp::create(b, high, carry), total};
  }

private:
  /// The greatest sum that loops `first`, ... contribute, if it is a word and
  /// known.
  std::optional<uint64_t> getGreatest(size_t first) const {
    uint64_t greatest = 0;
    for (size_t i = first; i < extents.size(); ++i) {
      if (greatestIndices[i] == -1)
        return 0;
      if (ShapedType::isDynamic(greatestIndices[i]) || strides[i] < 0)
        return std::nullopt;
      greatest = llvm::SaturatingMultiplyAdd<uint64_t>(greatestIndices[i],
                                                       strides[i], greatest);
    }
    if (greatest > UINT32_MAX)
      return std::nullopt;
    return greatest;
  }

  /// start (0 if null) + the sum over loops first, ..., last - 1.
  Value sum(ImplicitLocOpBuilder &b, Type type, Value start, size_t first,
            size_t last) const {
    Value total = start;
    for (size_t i = first; i < last; ++i) {
      if (extents[i] == 1 || strides[i] == 0)
        continue;
      Value term = arith::IndexCastOp::create(
          b, type, linalg::IndexOp::create(b, firstLoop + i));
      if (strides[i] != 1) {
        // A word's product is the same modulo 2^32.
        auto stride =
            IntegerAttr::get(type, APInt(64, strides[i], /*isSigned=*/true)
                                       .trunc(type.getIntOrFloatBitWidth()));
        term = arith::MulIOp::create(b, term,
                                     arith::ConstantOp::create(b, stride));
      }
      total = total ? arith::AddIOp::create(b, total, term) : term;
    }
    if (!total)
      total = arith::ConstantOp::create(b, IntegerAttr::get(type, 0));
    return total;
  }

  int64_t firstLoop;
  SmallVector<int64_t> extents, strides;
  /// -1 for none, dynamic if not known.
  SmallVector<int64_t> greatestIndices;
  bool narrow = false;
  /// Of the counters' type, null if it is 0.
  Value offset;
};

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

Value expand(ImplicitLocOpBuilder &b, RandomKeyOp op) {
  Value seed = op.getSeed(), high, low = seed;
  if (seed.getType().isInteger(64)) {
    Value by = arith::ConstantOp::create(b, b.getI64IntegerAttr(32));
    high = arith::TruncIOp::create(b, b.getI32Type(),
                                   arith::ShRUIOp::create(b, seed, by));
    low = arith::TruncIOp::create(b, b.getI32Type(), seed);
  } else {
    high = wordConstant(b, 0);
  }
  return tensor::FromElementsOp::create(b, op.getType(), ValueRange{high, low});
}

Value expand(ImplicitLocOpBuilder &b, RandomFoldInOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  bool batchedKey = cast<RankedTensorType>(op.getKey().getType()).getRank() > 1;
  Value data = op.getData();
  bool batchedData = isa<RankedTensorType>(data.getType());

  ThreefryKey key;
  if (!batchedKey)
    key = buildThreefryKey(b, extractWords(b, op.getKey()));
  if (!batchedKey && !batchedData) {
    WordPair hash =
        buildThreefry(b, key, {wordConstant(b, 0), toWord(b, data)});
    return tensor::FromElementsOp::create(b, type,
                                          ValueRange{hash.first, hash.second});
  }

  SmallVector<Value> inputs;
  if (batchedKey)
    inputs = {sliceWords(b, op.getKey(), 0), sliceWords(b, op.getKey(), 1)};
  if (batchedData)
    inputs.push_back(data);
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(b, inputs.front(), dim));
  return createElementwise(
      b, type, sizes, inputs,
      [&](ImplicitLocOpBuilder &body, ValueRange elements) {
        ThreefryKey elementKey = key;
        if (batchedKey)
          elementKey = buildThreefryKey(body, {elements[0], elements[1]});
        Value number = batchedData ? elements.back() : data;
        WordPair hash = buildThreefry(
            body, elementKey, {wordConstant(body, 0), toWord(body, number)});
        return chooseWord(body, hash, type.getRank() - 1);
      });
}

/// A draw's elements, from the hashes of their counters.
using ElementOfHash = function_ref<Value(ImplicitLocOpBuilder &, WordPair)>;

/// Whether a vector would have place for more than a row.
bool hasShortRows(RankedTensorType type) {
  constexpr int64_t longRow = 64;
  return type.getRank() >= 2 && type.getShape().back() < longRow &&
         llvm::none_of(type.getShape().drop_front(), ShapedType::isDynamic);
}

/// Draws consecutive counters, words all of them, in one loop. `draw` is
/// expandDraw's.
template <typename DrawOp, typename Draw>
Value drawFlat(ImplicitLocOpBuilder &b, DrawOp op, Draw draw) {
  RankedTensorType type = op.getType();
  int64_t row = computeProduct(type.getShape().drop_front());
  int64_t total = ShapedType::kDynamic;
  SmallVector<Value> sizes;
  if (type.hasStaticShape()) {
    total = type.getNumElements();
  } else {
    // Where the extent is known, for the buffer to leave the same loops.
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfterValue(op.getSizes().front());
    Value factor = arith::ConstantIndexOp::create(b, row);
    sizes.push_back(arith::MulIOp::create(b, op.getSizes().front(), factor));
  }
  auto flat = RankedTensorType::get(total, type.getElementType());
  Counters counters(b, op.getOffset(), 0, flat.getShape(), {1}, sizes);
  ReassociationIndices all =
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  SmallVector<OpFoldResult> shape =
      getMixedValues(type.getShape(), op.getSizes(), b);
  return tensor::ExpandShapeOp::create(b, type, draw(flat, sizes, counters),
                                       ArrayRef<ReassociationIndices>{all},
                                       shape);
}

/// `wordDims` trailing dimensions of the result hold the words of one counter.
template <typename DrawOp>
Value expandDraw(ImplicitLocOpBuilder &b, DrawOp op, int64_t wordDims,
                 ElementOfHash element) {
  RankedTensorType type = op.getType();
  int64_t batchDims =
      cast<RankedTensorType>(op.getKey().getType()).getRank() - 1;
  ArrayRef<int64_t> extents =
      type.getShape().drop_front(batchDims).drop_back(wordDims);
  SmallVector<int64_t> strides;
  if (op.getStrides())
    strides.assign(op.getStrides()->begin(), op.getStrides()->end());
  else // Only the first extent may be dynamic, and no stride depends on it.
    strides = computeSuffixProduct(extents);
  ValueRange sizes = op.getSizes().drop_front(llvm::count_if(
      type.getShape().take_front(batchDims), ShapedType::isDynamic));
  Counters counters(b, op.getOffset(), batchDims, extents, strides, sizes);

  if (batchDims > 0) {
    Value words[] = {sliceWords(b, op.getKey(), 0),
                     sliceWords(b, op.getKey(), 1)};
    return createElementwise(
        b, type, op.getSizes(), words,
        [&](ImplicitLocOpBuilder &body, ValueRange elements) {
          ThreefryKey key = buildThreefryKey(body, {elements[0], elements[1]});
          return element(body, buildThreefry(body, key, counters.build(body)));
        });
  }
  ThreefryKey key = buildThreefryKey(b, extractWords(b, op.getKey()));
  auto draw = [&](RankedTensorType type, ValueRange sizes,
                  const Counters &counters) {
    return createElementwise(
        b, type, sizes, {}, [&](ImplicitLocOpBuilder &body, ValueRange) {
          return element(body, buildThreefry(body, key, counters.build(body)));
        });
  };
  if (wordDims > 0 || !counters.isNarrow() || !hasShortRows(type) ||
      ArrayRef(strides) != ArrayRef(computeSuffixProduct(extents)))
    return draw(type, op.getSizes(), counters);
  return drawFlat(b, op, draw);
}

Value expand(ImplicitLocOpBuilder &b, RandomSplitOp op) {
  RankedTensorType type = op.getType();
  bool batched = cast<RankedTensorType>(op.getKey().getType()).getRank() > 1;
  if (!batched && type.hasStaticShape() && type.getNumElements() == 2) {
    // A single key, as a loop over split keys asks for: two words, no loop.
    ThreefryKey key = buildThreefryKey(b, extractWords(b, op.getKey()));
    Counters counters(b, op.getOffset(), 0, {}, {}, {});
    WordPair hash = buildThreefry(b, key, counters.build(b));
    return tensor::FromElementsOp::create(b, type,
                                          ValueRange{hash.first, hash.second});
  }
  return expandDraw(b, op, /*wordDims=*/1,
                    [&](ImplicitLocOpBuilder &body, WordPair hash) {
                      return chooseWord(body, hash, type.getRank() - 1);
                    });
}

Value expand(ImplicitLocOpBuilder &b, RandomBitsOp op) {
  unsigned width = op.getType().getElementTypeBitWidth();
  return expandDraw(b, op, /*wordDims=*/0,
                    [&](ImplicitLocOpBuilder &body, WordPair hash) {
                      return buildRandomBits(body, hash, width);
                    });
}

Value expand(ImplicitLocOpBuilder &b, RandomUniformOp op) {
  auto element = cast<FloatType>(op.getType().getElementType());
  return expandDraw(b, op, /*wordDims=*/0,
                    [&](ImplicitLocOpBuilder &body, WordPair hash) {
                      return buildUniform(body, hash, element);
                    });
}

Value expand(ImplicitLocOpBuilder &b, RandomNormalOp op) {
  auto element = cast<FloatType>(op.getType().getElementType());
  return expandDraw(b, op, /*wordDims=*/0,
                    [&](ImplicitLocOpBuilder &body, WordPair hash) {
                      return buildNormal(body, hash, element);
                    });
}

struct ExpandRandom final : scanweave::impl::ExpandRandomBase<ExpandRandom> {
  using Base::Base;

  void runOnOperation() override {
    // Keys before the draws that use them, as they stand.
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Operation *op) {
      ImplicitLocOpBuilder b(op->getLoc(), rewriter);
      b.setInsertionPoint(op);
      Value expanded = TypeSwitch<Operation *, Value>(op)
                           .Case<RandomKeyOp, RandomFoldInOp, RandomSplitOp,
                                 RandomBitsOp, RandomUniformOp, RandomNormalOp>(
                               [&](auto draw) { return expand(b, draw); })
                           .Default([](Operation *) { return Value(); });
      if (expanded)
        rewriter.replaceOp(op, expanded);
    });
  }
};

} // namespace
