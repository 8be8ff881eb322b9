// Doubles a tensor n times.
func.func @main(%n: index {weave.name = "n", weave.default = 3 : index},
                %x0: tensor<3xf32> {weave.name = "x0", weave.default = 1.0 : f32})
    -> (tensor<3xf32> {weave.name = "x"}, tensor<?x3xf32> {weave.name = "xs"}) {
  %x, %xs = weave.scan carry(%c = %x0 : tensor<3xf32>) length(%n) {
    %y = arith.addf %c, %c : tensor<3xf32>
    weave.yield carry(%y : tensor<3xf32>) ys(%c : tensor<3xf32>)
  } -> tensor<3xf32>, tensor<?x3xf32>
  return %x, %xs : tensor<3xf32>, tensor<?x3xf32>
}
