// Two sharded carries that swap in every step: no exchange, and by running two
// steps at a time no copy and no allocation either.
// RUN: weave-opt %s -weave-loops -weave-buffers -o %t.mlir
// RUN: FileCheck %s --check-prefix=BUFFERS --input-file=%t.mlir
// RUN: %{run-teams} %t.mlir | FileCheck %s

// (a, b) becomes (b + 1, a), 3 times.
// CHECK: sizes = [12]
// CHECK-NEXT: [2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2,  2]
// CHECK: sizes = [12]
// CHECK-NEXT: [1,  2,  3,  4,  5,  6,  7,  8,  9,  10,  11,  12]

// Two steps at a time on fixed buffers.
// BUFFERS: func.func private @program_worker_0
// BUFFERS: scf.for {{.*}} step %c2 {
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS-NOT: linalg.generic
// BUFFERS: memref.store %{{.*}}, %[[B:.*]][
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS-NOT: linalg.generic
// BUFFERS: memref.store %{{.*}}, %[[A:.*]][
// BUFFERS: memref.alloc
// BUFFERS: scf.for {{.*}} step %c1 {

func.func private @program(%a0: tensor<12xf32>, %b0: tensor<12xf32>, %n: index) -> (tensor<12xf32>, tensor<12xf32>) {
  %r:2 = weave.spmd steps(%n) inits(%a0, %b0 : tensor<12xf32>, tensor<12xf32>) {
  ^bb0(%team: !weave.team, %first: index, %last: index, %ca: tensor<12xf32>, %cb: tensor<12xf32>):
    %c12 = arith.constant 12 : index
    %lo, %size = weave.shard_range %team of %c12 : index, index
    %la = tensor.extract_slice %ca[%lo] [%size] [1] : tensor<12xf32> to tensor<?xf32>
    %lb = tensor.extract_slice %cb[%lo] [%size] [1] : tensor<12xf32> to tensor<?xf32>
    %s:2 = weave.scan carry(%a = %la : tensor<?xf32>, %b = %lb : tensor<?xf32>) length(%n) range(%first to %last) {
      %b1 = weave.pmap %i (%v = %b : tensor<?xf32>) lanes(%size) {
        %one = arith.constant 1.0 : f32
        %y = arith.addf %v, %one : f32
        weave.yield %y : f32
      } -> tensor<?xf32>
      weave.yield carry(%b1, %a : tensor<?xf32>, tensor<?xf32>)
    } -> tensor<?xf32>, tensor<?xf32>
    weave.finish %s#0 sharded(0), %s#1 sharded(0) : tensor<?xf32>, tensor<?xf32>
  } -> tensor<12xf32>, tensor<12xf32>
  return %r#0, %r#1 : tensor<12xf32>, tensor<12xf32>
}

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func @main() {
  %a0 = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]> : tensor<12xf32>
  %b0 = arith.constant dense<0.0> : tensor<12xf32>
  %n = arith.constant 3 : index
  %r:2 = call @program(%a0, %b0, %n) : (tensor<12xf32>, tensor<12xf32>, index) -> (tensor<12xf32>, tensor<12xf32>)
  %a = tensor.cast %r#0 : tensor<12xf32> to tensor<*xf32>
  call @printMemrefF32(%a) : (tensor<*xf32>) -> ()
  %b = tensor.cast %r#1 : tensor<12xf32> to tensor<*xf32>
  call @printMemrefF32(%b) : (tensor<*xf32>) -> ()
  return
}
