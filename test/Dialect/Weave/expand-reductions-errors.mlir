// RUN: weave-opt %s --weave-expand-reductions -split-input-file -verify-diagnostics

func.func @unknown_row(%part: tensor<?xf32>, %n: index) -> tensor<?x?xf32> {
  // expected-error @below {{'weave.partial_reduce' op has no input that gives the extent of dimension 1 of its rows}}
  %rows = weave.partial_reduce <add> maps [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>]
      iterators ["reduction", "parallel"] extent(%n) ins(%part : tensor<?xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %next = arith.addf %x, %acc : f32
    weave.yield %next : f32
  } -> tensor<?x?xf32>
  return %rows : tensor<?x?xf32>
}
