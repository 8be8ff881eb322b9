// SPDX-License-Identifier: Apache-2.0
//
// RUN: weave-opt -weave-expand-random -canonicalize -cse %s | FileCheck %s
// RUN: weave-opt -weave-expand-random %s | FileCheck %s --check-prefix=ALL
// ALL-NOT: weave.random
// ALL-NOT: fastmath

// The words of a seed; a 32-bit seed has a high word of 0.
// CHECK-LABEL: func @key(
// CHECK-SAME:    %[[WIDE:.*]]: i64, %[[NARROW:.*]]: i32)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG:     %[[BY:.*]] = arith.constant 32 : i64
// CHECK:         %[[SHIFTED:.*]] = arith.shrui %[[WIDE]], %[[BY]] : i64
// CHECK:         %[[HIGH:.*]] = arith.trunci %[[SHIFTED]] : i64 to i32
// CHECK:         %[[LOW:.*]] = arith.trunci %[[WIDE]] : i64 to i32
// CHECK:         tensor.from_elements %[[HIGH]], %[[LOW]] : tensor<2xi32>
// CHECK:         tensor.from_elements %[[ZERO]], %[[NARROW]] : tensor<2xi32>
func.func @key(%wide: i64, %narrow: i32) -> (tensor<2xi32>, tensor<2xi32>) {
  %a = weave.random.key %wide : i64 -> tensor<2xi32>
  %b = weave.random.key %narrow : i32 -> tensor<2xi32>
  return %a, %b : tensor<2xi32>, tensor<2xi32>
}

// A key folded with an index: two words, no loop.
// CHECK-LABEL: func @fold_in(
// CHECK-SAME:    %[[KEY:.*]]: tensor<2xi32>, %[[DATA:.*]]: index)
// CHECK:         %[[K0:.*]] = tensor.extract %[[KEY]][%c0]
// CHECK:         %[[K1:.*]] = tensor.extract %[[KEY]][%c1]
// CHECK:         %[[WORD:.*]] = arith.index_cast %[[DATA]] : index to i32
// CHECK:         %[[X1:.*]] = arith.addi %[[WORD]], %[[K1]] : i32
// CHECK:         arith.addi %[[K0]], %[[X1]] : i32
// CHECK-NOT:     linalg.generic
// CHECK:         %[[RESULT:.*]] = tensor.from_elements %{{.*}}, %{{.*}} : tensor<2xi32>
// CHECK:         return %[[RESULT]]
func.func @fold_in(%key: tensor<2xi32>, %data: index) -> tensor<2xi32> {
  %k = weave.random.fold_in %key, %data : tensor<2xi32>, index -> tensor<2xi32>
  return %k : tensor<2xi32>
}

// A key for each of several numbers: the body makes both words, and the last
// loop chooses one.
// CHECK-LABEL: func @fold_in_batched_data(
// CHECK-SAME:    %{{.*}}: tensor<2xi32>, %[[DATA:.*]]: tensor<?xindex>)
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[DATA]], %c0
// CHECK:         tensor.empty(%[[SIZE]]) : tensor<?x2xi32>
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[DATA]] : tensor<?xindex>) outs(%{{.*}} : tensor<?x2xi32>)
// CHECK:           %[[PLACE:.*]] = linalg.index 1 : index
// CHECK:           %[[FIRST:.*]] = arith.cmpi eq, %[[PLACE]], %c0 : index
// CHECK:           %[[WORD:.*]] = arith.select %[[FIRST]], %{{.*}}, %{{.*}} : i32
// CHECK:           linalg.yield %[[WORD]] : i32
func.func @fold_in_batched_data(%key: tensor<2xi32>, %data: tensor<?xindex>) -> tensor<?x2xi32> {
  %k = weave.random.fold_in %key, %data : tensor<2xi32>, tensor<?xindex> -> tensor<?x2xi32>
  return %k : tensor<?x2xi32>
}

// Several keys with one number.
// CHECK-LABEL: func @fold_in_batched_key(
// CHECK-SAME:    %[[KEYS:.*]]: tensor<3x2xi32>, %[[DATA:.*]]: i32)
// CHECK:         %[[K0:.*]] = tensor.extract_slice %[[KEYS]][0, 0] [3, 1] [1, 1] : tensor<3x2xi32> to tensor<3xi32>
// CHECK:         %[[K1:.*]] = tensor.extract_slice %[[KEYS]][0, 1] [3, 1] [1, 1] : tensor<3x2xi32> to tensor<3xi32>
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[K0]], %[[K1]] : tensor<3xi32>, tensor<3xi32>) outs(%{{.*}} : tensor<3x2xi32>)
// CHECK-NEXT:    ^bb0(%{{.*}}: i32, %[[W1:.*]]: i32, %{{.*}}: i32):
// CHECK:           arith.addi %[[DATA]], %[[W1]] : i32
func.func @fold_in_batched_key(%keys: tensor<3x2xi32>, %data: i32) -> tensor<3x2xi32> {
  %k = weave.random.fold_in %keys, %data : tensor<3x2xi32>, i32 -> tensor<3x2xi32>
  return %k : tensor<3x2xi32>
}

// Several keys from one.
// CHECK-LABEL: func @split(
// CHECK-SAME:    %{{.*}}: tensor<2xi32>, %[[N:.*]]: index)
// CHECK:         tensor.empty(%[[N]]) : tensor<?x2xi32>
// CHECK:         linalg.generic
// CHECK:           linalg.index 0 : index
// CHECK:           linalg.index 1 : index
// CHECK:           arith.select
func.func @split(%key: tensor<2xi32>, %n: index) -> tensor<?x2xi32> {
  %keys = weave.random.split %key sizes(%n) : tensor<2xi32> -> tensor<?x2xi32>
  return %keys : tensor<?x2xi32>
}

// The key of one step of a loop, sliced out of a split of one: straight code
// without a buffer, down to the draw.
// CHECK-LABEL: func @key_of_step(
// CHECK-SAME:    %[[KEY:.*]]: tensor<2xi32>, %[[STEP:.*]]: index)
// CHECK-DAG:     tensor.extract %[[KEY]][%c0]
// CHECK-DAG:     tensor.extract %[[KEY]][%c1]
// CHECK:         %[[COUNTER:.*]] = arith.index_cast %[[STEP]] : index to i64
// CHECK:         arith.trunci
// CHECK-NOT:     tensor.{{from_elements|extract}}
// CHECK:         linalg.generic
func.func @key_of_step(%key: tensor<2xi32>, %step: index) -> tensor<5xi32> {
  %keys = weave.random.split %key offset(%step) : tensor<2xi32> -> tensor<1x2xi32>
  %k = tensor.extract_slice %keys[0, 0] [1, 2] [1, 1] : tensor<1x2xi32> to tensor<2xi32>
  %bits = weave.random.bits %k : tensor<2xi32> -> tensor<5xi32>
  return %bits : tensor<5xi32>
}

// A key that is sliced out of others is read where it lies.
// CHECK-LABEL: func @sliced_key(
// CHECK-SAME:    %[[KEYS:.*]]: tensor<?x2xi32>, %[[I:.*]]: index)
// CHECK-NOT:     extract_slice
// CHECK:         tensor.extract %[[KEYS]][%[[I]], %c0]
// CHECK:         tensor.extract %[[KEYS]][%[[I]], %c1]
func.func @sliced_key(%keys: tensor<?x2xi32>, %i: index) -> tensor<5xi32> {
  %k = tensor.extract_slice %keys[%i, 0] [1, 2] [1, 1] : tensor<?x2xi32> to tensor<2xi32>
  %bits = weave.random.bits %k : tensor<2xi32> -> tensor<5xi32>
  return %bits : tensor<5xi32>
}

// Bits: one loop, 20 rounds, and counters of 32 bits as none can be larger. The
// high word is 0, so the first addition to the first word is gone.
// CHECK-LABEL: func @bits(
// CHECK-SAME:    %[[KEY:.*]]: tensor<2xi32>)
// CHECK-DAG:     %[[HUNDRED:.*]] = arith.constant 100 : i32
// CHECK:         %[[K0:.*]] = tensor.extract %[[KEY]][%c0]
// CHECK:         %[[K1:.*]] = tensor.extract %[[KEY]][%c1]
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel"]
// CHECK-SAME:      outs(%{{.*}} : tensor<4x100xi32>)
// CHECK:           %[[I:.*]] = linalg.index 0 : index
// CHECK:           %[[I32:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK:           %[[ROW:.*]] = arith.muli %[[I32]], %[[HUNDRED]] : i32
// CHECK:           %[[J:.*]] = linalg.index 1 : index
// CHECK:           %[[J32:.*]] = arith.index_cast %[[J]] : index to i32
// CHECK:           %[[COUNTER:.*]] = arith.addi %[[ROW]], %[[J32]] : i32
// CHECK:           %[[X1:.*]] = arith.addi %[[COUNTER]], %[[K1]] : i32
// CHECK:           arith.addi %[[K0]], %[[X1]] : i32
// CHECK-COUNT-20:  arith.xori
// CHECK:           %[[BITS:.*]] = arith.xori
// CHECK-NEXT:      linalg.yield %[[BITS]] : i32
// CHECK-NOT:     i64
// CHECK:         return
func.func @bits(%key: tensor<2xi32>) -> tensor<4x100xi32> {
  %bits = weave.random.bits %key : tensor<2xi32> -> tensor<4x100xi32>
  return %bits : tensor<4x100xi32>
}

// Short rows are drawn as one, for vectors to take more than one of them.
// CHECK-LABEL: func @short_rows(
// CHECK-NOT:     arith.muli
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel"]
// CHECK-SAME:      outs(%{{.*}} : tensor<40xi32>)
// CHECK-NOT:     arith.muli
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[0, 1, 2\]\]}} output_shape [2, 2, 10]
func.func @short_rows(%key: tensor<2xi32>) -> tensor<2x2x10xi32> {
  %bits = weave.random.bits %key : tensor<2xi32> -> tensor<2x2x10xi32>
  return %bits : tensor<2x2x10xi32>
}

// A worker's share is no larger than the whole: neither are its counters.
// CHECK-LABEL: func @short_rows_of_a_worker(
// CHECK:         %[[LO:.*]], %[[SIZE:.*]] = weave.shard_range
// CHECK:         %[[TOTAL:.*]] = arith.muli %[[SIZE]], %c10 : index
// CHECK:         %[[FIRST:.*]] = arith.muli %[[LO]], %c10 : index
// CHECK:         %[[OFFSET:.*]] = arith.index_cast %[[FIRST]] : index to i32
// CHECK:         tensor.empty(%[[TOTAL]]) : tensor<?xi32>
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel"]
// CHECK:           arith.addi %[[OFFSET]], %{{.*}} : i32
// CHECK-NOT:     i64
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[0, 1\]\]}} output_shape [%[[SIZE]], 10]
func.func @short_rows_of_a_worker(%key: tensor<2xi32>, %team: !weave.team) -> tensor<?x10xi32> {
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %lo, %size = weave.shard_range %team of %c4 : index, index
  %first = arith.muli %lo, %c10 : index
  %bits = weave.random.bits %key offset(%first) sizes(%size) strides [10, 1]
      : tensor<2xi32> -> tensor<?x10xi32>
  return %bits : tensor<?x10xi32>
}

// 8 bits are the low ones of 32; 64 bits are both words.
// CHECK-LABEL: func @widths(
// CHECK:         %[[NARROW:.*]] = arith.trunci %{{.*}} : i32 to i8
// CHECK:         linalg.yield %[[NARROW]] : i8
// CHECK:         %[[FIRST:.*]] = arith.extui %{{.*}} : i32 to i64
// CHECK:         %[[SECOND:.*]] = arith.extui %{{.*}} : i32 to i64
// CHECK:         %[[HIGH:.*]] = arith.shli %[[FIRST]], %{{.*}} : i64
// CHECK:         %[[WIDE:.*]] = arith.ori %[[HIGH]], %[[SECOND]] : i64
// CHECK:         linalg.yield %[[WIDE]] : i64
func.func @widths(%key: tensor<2xi32>) -> (tensor<3xi8>, tensor<3xi64>) {
  %a = weave.random.bits %key : tensor<2xi32> -> tensor<3xi8>
  %b = weave.random.bits %key : tensor<2xi32> -> tensor<3xi64>
  return %a, %b : tensor<3xi8>, tensor<3xi64>
}

// Rows of a larger draw, from an offset: the row's counter has 64 bits, the
// loop along it 32 and a carry.
// CHECK-LABEL: func @rows(
// CHECK-SAME:    %{{.*}}: tensor<2xi32>, %[[OFFSET:.*]]: index, %[[N:.*]]: index)
// CHECK:         %[[START:.*]] = arith.index_cast %[[OFFSET]] : index to i64
// CHECK:         tensor.empty(%[[N]]) : tensor<?x10xi32>
// CHECK:         linalg.generic
// CHECK:           linalg.index 0 : index
// CHECK:           %[[BASE:.*]] = arith.addi %[[START]], %{{.*}} : i64
// CHECK:           %[[SHIFTED:.*]] = arith.shrui %[[BASE]], %{{.*}} : i64
// CHECK:           %[[HIGH:.*]] = arith.trunci %[[SHIFTED]] : i64 to i32
// CHECK:           %[[LOW:.*]] = arith.trunci %[[BASE]] : i64 to i32
// CHECK:           %[[J:.*]] = linalg.index 1 : index
// CHECK:           %[[J32:.*]] = arith.index_cast %[[J]] : index to i32
// CHECK:           %[[SUM:.*]] = arith.addi %[[LOW]], %[[J32]] : i32
// CHECK:           %[[CARRIES:.*]] = arith.cmpi ult, %[[SUM]], %[[LOW]] : i32
// CHECK:           %[[CARRY:.*]] = arith.extui %[[CARRIES]] : i1 to i32
// CHECK:           arith.addi %[[HIGH]], %[[CARRY]] : i32
func.func @rows(%key: tensor<2xi32>, %offset: index, %n: index) -> tensor<?x10xi32> {
  %bits = weave.random.bits %key offset(%offset) sizes(%n) strides [10, 1] : tensor<2xi32> -> tensor<?x10xi32>
  return %bits : tensor<?x10xi32>
}

// A constant offset counts: the first draw's counters are words, the second
// one's last counter is not.
// CHECK-LABEL: func @offsets(
// CHECK:         linalg.generic
// CHECK-NOT:     i64
// CHECK:         linalg.generic
// CHECK:           arith.cmpi ult
// CHECK:         return
func.func @offsets(%key: tensor<2xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %last = arith.constant 4294967288 : index
  %next = arith.constant 4294967289 : index
  %a = weave.random.bits %key offset(%last) : tensor<2xi32> -> tensor<8xi32>
  %b = weave.random.bits %key offset(%next) : tensor<2xi32> -> tensor<8xi32>
  return %a, %b : tensor<8xi32>, tensor<8xi32>
}

// A draw that runs backwards through the counters, and one whose elements are
// equal along a dimension.
// CHECK-LABEL: func @strides(
// CHECK-DAG:     %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK:         linalg.generic
// CHECK:           arith.subi %{{.*}}, %{{.*}} : i64
// CHECK:         linalg.generic
// CHECK-NOT:       linalg.index 0
// CHECK:           linalg.index 1
// CHECK:           arith.muli %{{.*}}, %[[SEVEN]] : i32
func.func @strides(%key: tensor<2xi32>, %offset: index) -> (tensor<4xi32>, tensor<3x4xi32>) {
  %a = weave.random.bits %key offset(%offset) strides [-1] : tensor<2xi32> -> tensor<4xi32>
  %b = weave.random.bits %key strides [0, 7] : tensor<2xi32> -> tensor<3x4xi32>
  return %a, %b : tensor<4xi32>, tensor<3x4xi32>
}

// One draw for each key: keys are inputs, and counters begin anew with each.
// CHECK-LABEL: func @batched(
// CHECK-SAME:    %[[KEYS:.*]]: tensor<?x2xi32>, %[[N:.*]]: index)
// CHECK:         tensor.extract_slice %[[KEYS]][0, 0] [%{{.*}}, 1] [1, 1] : tensor<?x2xi32> to tensor<?xi32>
// CHECK:         tensor.extract_slice %[[KEYS]][0, 1] [%{{.*}}, 1] [1, 1] : tensor<?x2xi32> to tensor<?xi32>
// CHECK:         tensor.empty(%[[N]]) : tensor<?x7xi32>
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%{{.*}}, %{{.*}} : tensor<?xi32>, tensor<?xi32>)
// CHECK-NOT:       linalg.index 0
// CHECK:           linalg.index 1
func.func @batched(%keys: tensor<?x2xi32>, %n: index) -> tensor<?x7xi32> {
  %bits = weave.random.bits %keys sizes(%n) : tensor<?x2xi32> -> tensor<?x7xi32>
  return %bits : tensor<?x7xi32>
}

// 23 bits become the fraction of a number in [1, 2).
// CHECK-LABEL: func @uniform(
// CHECK-DAG:     %[[NINE:.*]] = arith.constant 9 : i32
// CHECK-DAG:     %[[ONE_BITS:.*]] = arith.constant 1065353216 : i32
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         %[[FRACTION:.*]] = arith.shrui %{{.*}}, %[[NINE]] : i32
// CHECK:         %[[BITS:.*]] = arith.ori %[[FRACTION]], %[[ONE_BITS]] : i32
// CHECK:         %[[NUMBER:.*]] = arith.bitcast %[[BITS]] : i32 to f32
// CHECK:         %[[UNIFORM:.*]] = arith.subf %[[NUMBER]], %[[ONE]] : f32
// CHECK:         linalg.yield %[[UNIFORM]] : f32
func.func @uniform(%key: tensor<2xi32>) -> tensor<6xf32> {
  %u = weave.random.uniform %key : tensor<2xi32> -> tensor<6xf32>
  return %u : tensor<6xf32>
}

// A normal number: u, 1 - u^2 in one rounding, its logarithm, a square root, a
// polynomial, times u.
// CHECK-LABEL: func @normal(
// CHECK-DAG:     %[[LEAST:.*]] = arith.constant -0.99999994 : f32
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         linalg.generic
// CHECK:           %[[U:.*]] = math.fma %{{.*}}, %[[TWO]], %[[LEAST]] : f32
// CHECK:           %[[MINUS_U:.*]] = arith.negf %[[U]] : f32
// CHECK:           math.fma %[[MINUS_U]], %[[U]], %[[ONE]] : f32
// CHECK-COUNT-9:   math.fma
// CHECK:           math.sqrt
// CHECK-COUNT-15:  math.fma
// CHECK:           %[[Z:.*]] = arith.mulf %[[U]], %{{.*}} : f32
// CHECK-NEXT:      linalg.yield %[[Z]] : f32
func.func @normal(%key: tensor<2xi32>) -> tensor<4x10xf32> {
  %z = weave.random.normal %key : tensor<2xi32> -> tensor<4x10xf32>
  return %z : tensor<4x10xf32>
}

// In f64 there are two polynomials to select from.
// CHECK-LABEL: func @normal_f64(
// CHECK:         math.sqrt
// CHECK-COUNT-52: math.fma
// CHECK:         arith.select
// CHECK:         linalg.yield %{{.*}} : f64
func.func @normal_f64(%key: tensor<2xi32>) -> tensor<10xf64> {
  %z = weave.random.normal %key : tensor<2xi32> -> tensor<10xf64>
  return %z : tensor<10xf64>
}

// Draws of nothing and of a single number are like any other.
// CHECK-LABEL: func @small(
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<0xf32>)
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<f32>)
func.func @small(%key: tensor<2xi32>) -> (tensor<0x3xf32>, tensor<f32>) {
  %a = weave.random.uniform %key : tensor<2xi32> -> tensor<0x3xf32>
  %b = weave.random.uniform %key : tensor<2xi32> -> tensor<f32>
  return %a, %b : tensor<0x3xf32>, tensor<f32>
}
