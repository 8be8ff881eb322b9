// Two maps of different lanes with glue between them: the glue needs all of
// the first map's values, so there are two exchanges a step.
// RUN: weave-opt %s -weave-loops -weave-buffers -o %t.mlir
// RUN: FileCheck %s --check-prefix=BUFFERS --input-file=%t.mlir
// RUN: %{run-teams} %t.mlir | FileCheck %s

// ys = 2 x; total = the sum of ys[i] + (ys[5] + ys[6]) / 4 over 5 lanes; x' =
// (ys reversed + total) / 4.
// CHECK: sizes = [7]
// CHECK-NEXT: [55.7812,  56.0312,  56.2812,  56.5312,  56.7812,  57.0312,  57.2812]
// CHECK: sizes = [2]
// CHECK-NEXT: [47.5,  199.375]

// BUFFERS: func.func private @program_worker_0
// BUFFERS: scf.for
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: weave.gather_shards
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: weave.all_reduce <add>
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: weave.barrier

#id = affine_map<(d0) -> (d0)>
#reverse = affine_map<(d0) -> (6 - d0)>
func.func private @program(%x0: tensor<7xf32>) -> (tensor<7xf32>, tensor<2xf32>) {
  %n = arith.constant 2 : index
  %dest = tensor.empty() : tensor<2xf32>
  %r:2 = weave.spmd steps(%n) inits(%x0, %dest : tensor<7xf32>, tensor<2xf32>) {
  ^bb0(%team: !weave.team, %first: index, %last: index, %c: tensor<7xf32>, %d: tensor<2xf32>):
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : index
    %worker = weave.worker %team : index
    %stores = arith.cmpi eq, %worker, %c0 : index
    %lo, %size = weave.shard_range %team of %c7 : index, index
    %lo5, %size5 = weave.shard_range %team of %c5 : index, index
    %s:2 = weave.scan carry(%x = %c : tensor<7xf32>) length(%n) range(%first to %last)
        into(%d : tensor<2xf32>) store_if(%stores) {
      %mine = tensor.extract_slice %x[%lo] [%size] [1] : tensor<7xf32> to tensor<?xf32>
      %part = weave.pmap %i (%v = %mine : tensor<?xf32>) lanes(%size) {
        %y = arith.addf %v, %v : f32
        weave.yield %y : f32
      } -> tensor<?xf32>
      %ydest = tensor.empty() : tensor<7xf32>
      %ys = weave.gather_shards %team shard(%part : tensor<?xf32>) dim(0) into(%ydest : tensor<7xf32>) -> tensor<7xf32>
      // The second map has 5 lanes.
      %mine5 = tensor.extract_slice %ys[%lo5] [%size5] [1] : tensor<7xf32> to tensor<?xf32>
      %c6 = arith.constant 6 : index
      %a = tensor.extract %ys[%c5] : tensor<7xf32>
      %b = tensor.extract %ys[%c6] : tensor<7xf32>
      %tail = arith.addf %a, %b : f32
      %fourth = arith.constant 0.25 : f32
      %part5 = weave.pmap %i (%v = %mine5 : tensor<?xf32>) lanes(%size5) {
        %y = math.fma %tail, %fourth, %v : f32
        weave.yield %y : f32
      } -> tensor<?xf32>
      %rows = weave.partial_reduce <add> maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]
          iterators ["reduction"] extent(%c5) ins(%part5 : tensor<?xf32>) {
      ^bb0(%v: f32, %acc: f32):
        %q = arith.addf %acc, %v : f32
        weave.yield %q : f32
      } -> tensor<?xf32>
      %sdest = tensor.empty() : tensor<f32>
      %sum = weave.all_reduce <add> %team rows(%rows : tensor<?xf32>) extent(%c5) into(%sdest : tensor<f32>) -> tensor<f32>
      %total = tensor.extract %sum[] : tensor<f32>
      %quarter = arith.constant 0.25 : f32
      %e = tensor.empty() : tensor<7xf32>
      %next = linalg.generic {indexing_maps = [#reverse, #id], iterator_types = ["parallel"]}
          ins(%ys : tensor<7xf32>) outs(%e : tensor<7xf32>) {
      ^bb0(%v: f32, %o: f32):
        %t = arith.addf %v, %total : f32
        %q = arith.mulf %t, %quarter : f32
        linalg.yield %q : f32
      } -> tensor<7xf32>
      weave.yield carry(%next : tensor<7xf32>) ys(%total : f32)
    } -> tensor<7xf32>, tensor<2xf32>
    weave.finish %s#0 replicated, %s#1 in_place : tensor<7xf32>, tensor<2xf32>
  } -> tensor<7xf32>, tensor<2xf32>
  return %r#0, %r#1 : tensor<7xf32>, tensor<2xf32>
}

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func @main() {
  %x0 = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<7xf32>
  %r:2 = call @program(%x0) : (tensor<7xf32>) -> (tensor<7xf32>, tensor<2xf32>)
  %a = tensor.cast %r#0 : tensor<7xf32> to tensor<*xf32>
  call @printMemrefF32(%a) : (tensor<*xf32>) -> ()
  %b = tensor.cast %r#1 : tensor<2xf32> to tensor<*xf32>
  call @printMemrefF32(%b) : (tensor<*xf32>) -> ()
  return
}
