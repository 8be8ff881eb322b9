// A scan in a scan, with an exchange in the inner one: both loops run inside of
// the one region.
// RUN: weave-opt %s -weave-loops -weave-buffers -o %t.mlir
// RUN: FileCheck %s --check-prefix=BUFFERS --input-file=%t.mlir
// RUN: %{run-teams} %t.mlir | FileCheck %s

// The inner scan runs 3 times: x = x + sum over lanes of (lane * x) / 32, from
// x = 1; the outer one 2 times, and halves x behind it.
// CHECK: sizes = [2]
// CHECK-NEXT: [6.5918,  21.7259]

// BUFFERS: func.func private @program_worker_0
// BUFFERS: scf.for
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: scf.for
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: weave.all_reduce <add>
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: scf.yield %{{.*}} : f32
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: scf.yield %{{.*}} : f32
// BUFFERS: weave.barrier

#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
func.func private @program(%n: index) -> tensor<?xf32> {
  %dest = tensor.empty(%n) : tensor<?xf32>
  %x0 = arith.constant dense<1.0> : tensor<f32>
  %r:2 = weave.spmd steps(%n) inits(%x0, %dest : tensor<f32>, tensor<?xf32>) {
  ^bb0(%team: !weave.team, %first: index, %last: index, %c: tensor<f32>, %d: tensor<?xf32>):
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %worker = weave.worker %team : index
    %stores = arith.cmpi eq, %worker, %c0 : index
    %lo, %size = weave.shard_range %team of %c8 : index, index
    %start = tensor.extract %c[] : tensor<f32>
    %s:2 = weave.scan carry(%x = %start : f32) length(%n) range(%first to %last)
        into(%d : tensor<?xf32>) store_if(%stores) {
      %inner = weave.scan carry(%y = %x : f32) length(%c3) {
        %part = weave.pmap %i lanes(%size) {
          %lane = weave.axis_index %i : index
          %number = arith.addi %lo, %lane : index
          %number_i = arith.index_cast %number : index to i32
          %number_f = arith.sitofp %number_i : i32 to f32
          %product = arith.mulf %number_f, %y : f32
          weave.yield %product : f32
        } -> tensor<?xf32>
        %rows = weave.partial_reduce <add> maps [#id, #scalar]
            iterators ["reduction"] extent(%c8) ins(%part : tensor<?xf32>) {
        ^bb0(%v: f32, %acc: f32):
          %q = arith.addf %acc, %v : f32
          weave.yield %q : f32
        } -> tensor<?xf32>
        %sdest = tensor.empty() : tensor<f32>
        %sum = weave.all_reduce <add> %team rows(%rows : tensor<?xf32>) extent(%c8) into(%sdest : tensor<f32>) -> tensor<f32>
        %t = tensor.extract %sum[] : tensor<f32>
        %scale = arith.constant 0.03125 : f32
        %next = math.fma %t, %scale, %y : f32
        weave.yield carry(%next : f32)
      } -> f32
      %half = arith.constant 0.5 : f32
      %halved = arith.mulf %inner, %half : f32
      weave.yield carry(%halved : f32) ys(%inner : f32)
    } -> f32, tensor<?xf32>
    %end = tensor.from_elements %s#0 : tensor<f32>
    weave.finish %end replicated, %s#1 in_place : tensor<f32>, tensor<?xf32>
  } -> tensor<f32>, tensor<?xf32>
  return %r#1 : tensor<?xf32>
}

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func @main() {
  %n = arith.constant 2 : index
  %r = call @program(%n) : (index) -> tensor<?xf32>
  %a = tensor.cast %r : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%a) : (tensor<*xf32>) -> ()
  return
}
