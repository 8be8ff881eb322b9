// RUN: weave-opt %s -weave-hoist-partition -verify-diagnostics -split-input-file

func.func @not_placed(%x: tensor<5xf32>) -> tensor<5xf32> {
  // expected-error @below {{has no placement: run weave-infer-placement before weave-hoist-partition}}
  %y = weave.pmap %i (%v = %x : tensor<5xf32>) {
    weave.yield %v : f32
  } -> tensor<5xf32>
  return %y : tensor<5xf32>
}

// -----

// A number of lanes that is only known inside of a step: stays a scan.
func.func @unknown_extent(%n: index, %m: tensor<7xindex>) -> tensor<7x?xf32> {
  %one = arith.constant 1.0 : f32
  // expected-remark @below {{not partitioned: the extent of dimension 1 of a result is not known before the first step}}
  %ys = weave.scan xs(%lanes = %m : tensor<7xindex>) attributes {weave.placement = [#weave.placement<sharded(1)>]} {
    %y = weave.pmap %i lanes(%lanes) attributes {weave.placement = [#weave.placement<sharded(0)>]} {
      weave.yield %one : f32
    } -> tensor<?xf32>
    weave.yield ys(%y : tensor<?xf32>)
  } -> tensor<7x?xf32>
  return %ys : tensor<7x?xf32>
}
