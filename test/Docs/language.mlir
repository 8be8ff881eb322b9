// RUN: weave-opt %s --verify-roundtrip -o %t

// The examples of docs/language.md.

// [program]
func.func @main(
    %x0: tensor<10xf32> {weave.name = "x0", weave.default = 1.0 : f32, weave.help = "where the search begins"},
    %steps: index {weave.name = "steps", weave.default = 1000000 : index},
    %seed: i32 {weave.name = "seed", weave.default = 0 : i32, weave.unsigned},
    %rate: f32 {weave.name = "rate", weave.default = 1.0e-3 : f32})
    -> (tensor<10xf32> {weave.name = "x"}, tensor<?x10xf32> {weave.name = "xs"}) {
  %key = weave.random.key %seed : i32 -> tensor<2xi32>
  %keys = weave.random.split %key sizes(%steps) : tensor<2xi32> -> tensor<?x2xi32>
  %rates = tensor.splat %rate : tensor<10xf32>
  %x, %xs = weave.scan carry(%c = %x0 : tensor<10xf32>) xs(%k = %keys : tensor<?x2xi32>) {
    %z = weave.random.normal %k : tensor<2xi32> -> tensor<10xf32>
    %next = math.fma %rates, %z, %c : tensor<10xf32>
    weave.yield carry(%next : tensor<10xf32>) ys(%c : tensor<10xf32>)
  } -> tensor<10xf32>, tensor<?x10xf32>
  return %x, %xs : tensor<10xf32>, tensor<?x10xf32>
}
// [/program]

func.func @scan(%a: tensor<?xf32>, %zero: f32, %n: index, %one: i64) {
  // [scan]
  // The running sums of %a, and their last.
  %total, %sums = weave.scan carry(%s = %zero : f32) xs(%x = %a : tensor<?xf32>) {
    %next = arith.addf %s, %x : f32
    weave.yield carry(%next : f32) ys(%next : f32)
  } -> f32, tensor<?xf32>

  // Powers of two: no inputs, so the length is given.
  %last, %powers = weave.scan carry(%p = %one : i64) length(%n) {
    %next = arith.addi %p, %p : i64
    weave.yield carry(%next : i64) ys(%p : i64)
  } -> i64, tensor<?xi64>
  // [/scan]
  return
}

func.func @maps(%x: tensor<4x10xf32>, %w: tensor<10xf32>, %n: index) {
  // [maps]
  // Four lanes; %w is captured and the same for all of them.
  %y = weave.pmap %i (%row = %x : tensor<4x10xf32>) {
    %p = arith.mulf %row, %w : tensor<10xf32>
    weave.yield %p : tensor<10xf32>
  } -> tensor<4x10xf32>

  // n lanes and no input; each lane gives its number.
  %numbers = weave.pmap %i lanes(%n) {
    %lane = weave.axis_index %i : index
    weave.yield %lane : index
  } -> tensor<?xindex>

  // The columns of %x; results are stacked as columns again.
  %z = weave.vmap %i (%column = %x : tensor<4x10xf32>) in_axes [1] out_axes [1] {
    %twice = arith.addf %column, %column : tensor<4xf32>
    weave.yield %twice : tensor<4xf32>
  } -> tensor<4x10xf32>
  // [/maps]
  return
}

func.func @collectives(%x: tensor<4xf32>) {
  // [collectives]
  // Each value less the mean of all; the mean crosses the lanes.
  %centred = weave.pmap %i (%v = %x : tensor<4xf32>) {
    %mean = weave.pmean %v over %i : f32
    %d = arith.subf %v, %mean : f32
    weave.yield %d : f32
  } -> tensor<4xf32>
  // [/collectives]
  return
}

func.func @random(%key: tensor<2xi32>, %n: index) {
  // [random]
  %keys = weave.random.split %key sizes(%n) : tensor<2xi32> -> tensor<?x2xi32>
  %noise = weave.random.normal %key : tensor<2xi32> -> tensor<4x10xf32>

  // Rows 2 and 3 of the same noise, without the others.
  %c20 = arith.constant 20 : index
  %rows = weave.random.normal %key offset(%c20) strides [10, 1] : tensor<2xi32> -> tensor<2x10xf32>
  // [/random]
  return
}

func.func @reduce(%y: tensor<4xf32>, %z: tensor<4x10xf32>) {
  // [reduce]
  %zero = arith.constant dense<0.0> : tensor<10xf32>
  %g = linalg.vecmat ins(%y, %z : tensor<4xf32>, tensor<4x10xf32>) outs(%zero : tensor<10xf32>) -> tensor<10xf32>
  // [/reduce]
  return
}
