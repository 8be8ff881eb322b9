// RUN: weave-opt %s -split-input-file -verify-diagnostics

// Rules of weave.reduce, weave.partial_reduce and weave.tree_reduce.

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @f1_number_of_maps(%x: tensor<4xf32>, %y: tensor<f32>) {
  // expected-error @below {{'weave.reduce' op must have 2 maps, one per input and one for the result, found 1 (F1)}}
  %r = weave.reduce <add> maps [#id] iterators ["reduction"] ins(%x : tensor<4xf32>) init(%y : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    weave.yield %acc : f32
  } -> tensor<f32>
  return
}

// -----

#sum = affine_map<(d0, d1) -> (d0 + d1)>
#none = affine_map<(d0, d1) -> ()>
func.func @f1_map(%x: tensor<4xf32>, %y: tensor<f32>) {
  // expected-error @below {{'weave.reduce' op map 0 must be a projected permutation of 2 dimensions with 1 results, found affine_map<(d0, d1) -> (d0 + d1)> (F1)}}
  %r = weave.reduce <add> maps [#sum, #none] iterators ["reduction", "reduction"] ins(%x : tensor<4xf32>) init(%y : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    weave.yield %acc : f32
  } -> tensor<f32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @f1_rank(%x: tensor<4x3xf32>, %y: tensor<f32>) {
  // expected-error @below {{'weave.reduce' op map 0 must be a projected permutation of 1 dimensions with 2 results, found affine_map<(d0) -> (d0)> (F1)}}
  %r = weave.reduce <add> maps [#id, #none] iterators ["reduction"] ins(%x : tensor<4x3xf32>) init(%y : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    weave.yield %acc : f32
  } -> tensor<f32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @f1_iterator(%x: tensor<4xf32>, %y: tensor<f32>) {
  // expected-error @below {{'weave.reduce' op an iterator must be parallel or reduction, found window (F1)}}
  %r = weave.reduce <add> maps [#id, #none] iterators ["window"] ins(%x : tensor<4xf32>) init(%y : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    weave.yield %acc : f32
  } -> tensor<f32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @f1_result(%x: tensor<4xf32>, %y: tensor<f32>) {
  // expected-error @below {{'weave.reduce' op the result must have the init's type 'tensor<f32>', found 'tensor<f64>' (F1)}}
  %r = weave.reduce <add> maps [#id, #none] iterators ["reduction"] ins(%x : tensor<4xf32>) init(%y : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    weave.yield %acc : f32
  } -> tensor<f64>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @f1_rows(%x: tensor<4xf32>, %n: index) {
  // expected-error @below {{'weave.partial_reduce' op the result must have a dimension of rows, found 'tensor<f32>' (F1)}}
  %r = weave.partial_reduce <add> maps [#id, #none] iterators ["reduction"] extent(%n) ins(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    weave.yield %acc : f32
  } -> tensor<f32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @f2_no_reduction(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{'weave.reduce' op must have a reduction iterator (F2)}}
  %r = weave.reduce <add> maps [#id, #id] iterators ["parallel"] ins(%x : tensor<4xf32>) init(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    weave.yield %acc : f32
  } -> tensor<4xf32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @f2_result(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{'weave.reduce' op the result must not have reduction dimension 0 (F2)}}
  %r = weave.reduce <add> maps [#id, #id] iterators ["reduction"] ins(%x : tensor<4xf32>) init(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    weave.yield %acc : f32
  } -> tensor<4xf32>
  return
}

// -----

#both = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
func.func @f2_parallel(%x: tensor<4x3xf32>, %y: tensor<f32>) {
  // expected-error @below {{'weave.reduce' op the result must have parallel dimension 1 (F2)}}
  %r = weave.reduce <add> maps [#both, #none] iterators ["reduction", "parallel"] ins(%x : tensor<4x3xf32>) init(%y : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    weave.yield %acc : f32
  } -> tensor<f32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @f3_extents(%x: tensor<4xf32>, %z: tensor<5xf32>, %y: tensor<f32>) {
  // expected-error @below {{'weave.reduce' op dimension 0 has extent 4, but operand 1 has 5 (F3)}}
  %r = weave.reduce <add> maps [#id, #id, #none] iterators ["reduction"]
      ins(%x, %z : tensor<4xf32>, tensor<5xf32>) init(%y : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    weave.yield %acc : f32
  } -> tensor<f32>
  return
}

// -----

#first = affine_map<(d0, d1) -> (d0)>
#none = affine_map<(d0, d1) -> ()>
func.func @f3_unread(%x: tensor<4xf32>, %y: tensor<f32>) {
  // expected-error @below {{'weave.reduce' op no operand has dimension 1 (F3)}}
  %r = weave.reduce <add> maps [#first, #none] iterators ["reduction", "reduction"] ins(%x : tensor<4xf32>) init(%y : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    weave.yield %acc : f32
  } -> tensor<f32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @f4_arguments(%x: tensor<4xf32>, %y: tensor<f32>) {
  // expected-error @below {{'weave.reduce' op the body's arguments must be ('f32', 'f32'), found ('f32') (F4)}}
  %r = weave.reduce <add> maps [#id, #none] iterators ["reduction"] ins(%x : tensor<4xf32>) init(%y : tensor<f32>) {
  ^bb0(%a: f32):
    weave.yield %a : f32
  } -> tensor<f32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @f4_yield(%x: tensor<4xf16>, %n: index) {
  %r = weave.partial_reduce <add> maps [#id, #none] iterators ["reduction"] extent(%n) ins(%x : tensor<4xf16>) {
  ^bb0(%a: f16, %acc: f32):
    // expected-error @below {{'weave.yield' op must yield one accumulator of type 'f32', found ('f16') (F4)}}
    weave.yield %a : f16
  } -> tensor<?xf32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @f5_bits_of_floats(%x: tensor<4xf32>, %y: tensor<f32>) {
  // expected-error @below {{'weave.reduce' op 'xor' does not combine 'f32' (F5)}}
  %r = weave.reduce <xor> maps [#id, #none] iterators ["reduction"] ins(%x : tensor<4xf32>) init(%y : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    weave.yield %acc : f32
  } -> tensor<f32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @f5_signed(%x: tensor<4xsi32>, %y: tensor<si32>) {
  // expected-error @below {{'weave.reduce' op 'add' does not combine 'si32' (F5)}}
  %r = weave.reduce <add> maps [#id, #none] iterators ["reduction"] ins(%x : tensor<4xsi32>) init(%y : tensor<si32>) {
  ^bb0(%a: si32, %acc: si32):
    weave.yield %acc : si32
  } -> tensor<si32>
  return
}

// -----

func.func @f5_tree(%rows: tensor<?x10xf32>) {
  // expected-error @below {{'weave.tree_reduce' op 'and' does not combine 'f32' (F5)}}
  %r = weave.tree_reduce <and> %rows : tensor<?x10xf32> -> tensor<10xf32>
  return
}

// -----

func.func @f6_row(%rows: tensor<?x10xf32>) {
  // expected-error @below {{'weave.tree_reduce' op the result must be a row of 'tensor<?x10xf32>', found 'tensor<5xf32>' (F6)}}
  %r = weave.tree_reduce <add> %rows : tensor<?x10xf32> -> tensor<5xf32>
  return
}

// -----

func.func @f6_rank_0(%rows: tensor<f32>) {
  // expected-error @below {{'weave.tree_reduce' op the result must be a row of 'tensor<f32>', found 'tensor<f32>' (F6)}}
  %r = weave.tree_reduce <add> %rows : tensor<f32> -> tensor<f32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @y1_carries_in_a_reduction(%x: tensor<4xf32>, %y: tensor<f32>) {
  %r = weave.reduce <add> maps [#id, #none] iterators ["reduction"] ins(%x : tensor<4xf32>) init(%y : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    // expected-error @below {{'weave.yield' op only a scan has carries, found 1 in a weave.reduce (Y1)}}
    weave.yield carry(%a : f32) ys(%acc : f32)
  } -> tensor<f32>
  return
}
