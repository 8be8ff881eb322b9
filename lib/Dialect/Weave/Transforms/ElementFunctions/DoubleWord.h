// SPDX-License-Identifier: Apache-2.0
//
// Numbers of twice the digits: the unevaluated sum of two floats, the second of
// which is what rounding took from the first. The algorithms are those of
// Dekker (A floating-point technique for extending the available precision,
// 1971) and Knuth, products and remainders by fused multiply-add.

#ifndef SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_ELEMENTFUNCTIONS_DOUBLEWORD_H
#define SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_ELEMENTFUNCTIONS_DOUBLEWORD_H

#include "ElementArithmetic.h"

namespace scanweave {

struct DoubleWord {
  mlir::Value head, tail;
};

/// x + y, exactly, where |x| >= |y| or x = 0.
inline DoubleWord addOrdered(ElementArithmetic &a, mlir::Value x,
                             mlir::Value y) {
  mlir::Value head = a.add(x, y);
  return {head, a.sub(y, a.sub(head, x))};
}

/// x + y, exactly.
inline DoubleWord addExact(ElementArithmetic &a, mlir::Value x, mlir::Value y) {
  mlir::Value head = a.add(x, y);
  mlir::Value virtualY = a.sub(head, x);
  return {head, a.add(a.sub(x, a.sub(head, virtualY)), a.sub(y, virtualY))};
}

/// x * y, exactly where nothing underflows.
inline DoubleWord mulExact(ElementArithmetic &a, mlir::Value x, mlir::Value y) {
  mlir::Value head = a.mul(x, y);
  return {head, a.fma(x, y, a.neg(head))};
}

/// The same number with the head as near as it can be.
inline DoubleWord normalize(ElementArithmetic &a, DoubleWord x) {
  return addOrdered(a, x.head, x.tail);
}

/// A double-word constant.
inline DoubleWord constant(ElementArithmetic &a, double head, double tail) {
  return {a.constant(head), a.constant(tail)};
}

/// x + y for |x| >= |y| or x = 0.
inline DoubleWord addOrdered(ElementArithmetic &a, DoubleWord x, DoubleWord y) {
  DoubleWord sum = addOrdered(a, x.head, y.head);
  return {sum.head, a.add(sum.tail, a.add(x.tail, y.tail))};
}

inline DoubleWord negate(ElementArithmetic &a, DoubleWord x) {
  return {a.neg(x.head), a.neg(x.tail)};
}

inline DoubleWord mul(ElementArithmetic &a, DoubleWord x, DoubleWord y) {
  DoubleWord product = mulExact(a, x.head, y.head);
  mlir::Value cross = a.fma(x.head, y.tail, a.mul(x.tail, y.head));
  return {product.head, a.add(product.tail, cross)};
}

/// x / y for normalised operands.
inline DoubleWord div(ElementArithmetic &a, DoubleWord x, DoubleWord y) {
  mlir::Value head = a.div(x.head, y.head);
  mlir::Value minus = a.neg(head);
  mlir::Value rest = a.fma(minus, y.head, x.head);
  rest = a.add(rest, a.fma(minus, y.tail, x.tail));
  return {head, a.div(rest, y.head)};
}

/// The square root of a normalised x, which is exact or not less than a normal
/// number with twice the digits.
inline DoubleWord sqrt(ElementArithmetic &a, DoubleWord x) {
  mlir::Value head = a.sqrt(x.head);
  // sqrt(x) = head + d with 2 d head = x - head^2.
  mlir::Value rest = a.add(a.fma(a.neg(head), head, x.head), x.tail);
  mlir::Value tail = a.div(a.mul(rest, a.constant(0.5)), head);
  mlir::Value isZero = a.isEqual(head, a.constant(0.0));
  return {head, a.select(isZero, head, tail)};
}

inline DoubleWord select(ElementArithmetic &a, mlir::Value condition,
                         DoubleWord x, DoubleWord y) {
  return {a.select(condition, x.head, y.head),
          a.select(condition, x.tail, y.tail)};
}

/// The float next to `x`.
inline mlir::Value round(ElementArithmetic &a, DoubleWord x) {
  return a.add(x.head, x.tail);
}

} // namespace scanweave

#endif // SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_ELEMENTFUNCTIONS_DOUBLEWORD_H
