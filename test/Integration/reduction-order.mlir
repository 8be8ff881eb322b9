// RUN: weave-opt %s --weave-fix-reductions --weave-expand-reductions \
// RUN:   --one-shot-bufferize=bufferize-function-boundaries --convert-linalg-to-loops \
// RUN:   --convert-vector-to-llvm --convert-scf-to-cf \
// RUN:   --expand-strided-metadata --lower-affine --convert-math-to-llvm --convert-arith-to-llvm \
// RUN:   --finalize-memref-to-llvm --convert-func-to-llvm --convert-cf-to-llvm \
// RUN:   --reconcile-unrealized-casts \
// RUN:   | mlir-runner -e main -entry-point-result=void --shared-libs=%mlir_lib_dir/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s

// The order of a reduction, seen in its bits: 0.5 + the tree over the grains of
// v(0), v(1), ..., with v(i) = f32((i^3 mod 1013) * f32(1/3)). The ascending
// sum has other bits from 129 elements on. The expected bits are from a
// program in Python; every extent is reduced as a dynamic and as a static one.

func.func private @v(%i: index) -> f32 {
  %modulus = arith.constant 1013 : index
  %third = arith.constant 0x3EAAAAAB : f32
  %square = arith.muli %i, %i : index
  %cube = arith.muli %square, %i : index
  %rest = arith.remui %cube, %modulus : index
  %integer = arith.index_cast %rest : index to i32
  %number = arith.sitofp %integer : i32 to f32
  %v = arith.mulf %number, %third : f32
  return %v : f32
}

func.func private @print(%sum: tensor<f32>) {
  %number = tensor.extract %sum[] : tensor<f32>
  %bits = arith.bitcast %number : f32 to i32
  vector.print %bits : i32
  return
}

func.func private @dynamic(%n: index) {
  %init = arith.constant dense<0.5> : tensor<f32>
  %vs = tensor.generate %n {
  ^bb0(%i: index):
    %v = func.call @v(%i) : (index) -> f32
    tensor.yield %v : f32
  } : tensor<?xf32>
  %sum = linalg.reduce {arith.addf} ins(%vs : tensor<?xf32>) outs(%init : tensor<f32>) dimensions = [0]
  func.call @print(%sum) : (tensor<f32>) -> ()
  return
}

func.func @main() {
  %init = arith.constant dense<0.5> : tensor<f32>

  // CHECK: 1056964608
  // CHECK-NEXT: 1056964608
  %n0 = arith.constant 0 : index
  func.call @dynamic(%n0) : (index) -> ()
  %v0 = tensor.generate {
  ^bb0(%i: index):
    %v = func.call @v(%i) : (index) -> f32
    tensor.yield %v : f32
  } : tensor<0xf32>
  %s0 = linalg.reduce {arith.addf} ins(%v0 : tensor<0xf32>) outs(%init : tensor<f32>) dimensions = [0]
  func.call @print(%s0) : (tensor<f32>) -> ()

  // CHECK-NEXT: 1056964608
  // CHECK-NEXT: 1056964608
  %n1 = arith.constant 1 : index
  func.call @dynamic(%n1) : (index) -> ()
  %v1 = tensor.generate {
  ^bb0(%i: index):
    %v = func.call @v(%i) : (index) -> f32
    tensor.yield %v : f32
  } : tensor<1xf32>
  %s1 = linalg.reduce {arith.addf} ins(%v1 : tensor<1xf32>) outs(%init : tensor<f32>) dimensions = [0]
  func.call @print(%s1) : (tensor<f32>) -> ()

  // CHECK-NEXT: 1107776854
  // CHECK-NEXT: 1107776854
  %n5 = arith.constant 5 : index
  func.call @dynamic(%n5) : (index) -> ()
  %v5 = tensor.generate {
  ^bb0(%i: index):
    %v = func.call @v(%i) : (index) -> f32
    tensor.yield %v : f32
  } : tensor<5xf32>
  %s5 = linalg.reduce {arith.addf} ins(%v5 : tensor<5xf32>) outs(%init : tensor<f32>) dimensions = [0]
  func.call @print(%s5) : (tensor<f32>) -> ()

  // CHECK-NEXT: 1181250048
  // CHECK-NEXT: 1181250048
  %n100 = arith.constant 100 : index
  func.call @dynamic(%n100) : (index) -> ()
  %v100 = tensor.generate {
  ^bb0(%i: index):
    %v = func.call @v(%i) : (index) -> f32
    tensor.yield %v : f32
  } : tensor<100xf32>
  %s100 = linalg.reduce {arith.addf} ins(%v100 : tensor<100xf32>) outs(%init : tensor<f32>) dimensions = [0]
  func.call @print(%s100) : (tensor<f32>) -> ()

  // CHECK-NEXT: 1184572331
  // CHECK-NEXT: 1184572331
  %n129 = arith.constant 129 : index
  func.call @dynamic(%n129) : (index) -> ()
  %v129 = tensor.generate {
  ^bb0(%i: index):
    %v = func.call @v(%i) : (index) -> f32
    tensor.yield %v : f32
  } : tensor<129xf32>
  %s129 = linalg.reduce {arith.addf} ins(%v129 : tensor<129xf32>) outs(%init : tensor<f32>) dimensions = [0]
  func.call @print(%s129) : (tensor<f32>) -> ()

  // CHECK-NEXT: 1195439745
  // CHECK-NEXT: 1195439745
  %n300 = arith.constant 300 : index
  func.call @dynamic(%n300) : (index) -> ()
  %v300 = tensor.generate {
  ^bb0(%i: index):
    %v = func.call @v(%i) : (index) -> f32
    tensor.yield %v : f32
  } : tensor<300xf32>
  %s300 = linalg.reduce {arith.addf} ins(%v300 : tensor<300xf32>) outs(%init : tensor<f32>) dimensions = [0]
  func.call @print(%s300) : (tensor<f32>) -> ()

  // CHECK-NEXT: 1210333217
  // CHECK-NEXT: 1210333217
  %n1001 = arith.constant 1001 : index
  func.call @dynamic(%n1001) : (index) -> ()
  %v1001 = tensor.generate {
  ^bb0(%i: index):
    %v = func.call @v(%i) : (index) -> f32
    tensor.yield %v : f32
  } : tensor<1001xf32>
  %s1001 = linalg.reduce {arith.addf} ins(%v1001 : tensor<1001xf32>) outs(%init : tensor<f32>) dimensions = [0]
  func.call @print(%s1001) : (tensor<f32>) -> ()
  return
}
