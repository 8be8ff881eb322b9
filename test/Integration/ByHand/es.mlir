// Evolution strategies: f(x) = -x.x, 4 samples a step. One exchange a step, no
// allocation and no copy but the store of x into its row of xs.
// RUN: weave-opt %s -weave-loops -weave-buffers -o %t.mlir
// RUN: FileCheck %s --check-prefix=BUFFERS --input-file=%t.mlir
// RUN: %{run-teams} %t.mlir | FileCheck %s

// JAX 0.10.2 has x = 1.003232, 0.99888813, 0.9993067, 0.99823976, ... after
// step 0.
// CHECK: sizes = [3, 10]
// CHECK-NEXT: [1,   1,   1,   1,
// CHECK-NEXT: [1.00323,   0.998888,   0.999307,   0.99824,

// BUFFERS: func.func private @program_worker_0
// BUFFERS: scf.for
// BUFFERS-NOT: memref.alloc
// BUFFERS: memref.copy %{{.*}}, %{{.*}} : memref<10xf32> to memref<10xf32, strided<[1], offset: ?>>
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: weave.all_reduce <add>
// BUFFERS-NOT: memref.copy
// BUFFERS-NOT: weave.all_reduce
// BUFFERS: weave.barrier

func.func private @program(%x0: tensor<10xf32>, %key: tensor<2xi32>, %n: index, %std: f32, %stepsize: f32)
    -> (tensor<10xf32>, tensor<?x10xf32>) {
  %dest = tensor.empty(%n) : tensor<?x10xf32>
  %r:2 = weave.spmd steps(%n) inits(%x0, %dest : tensor<10xf32>, tensor<?x10xf32>) {
  ^bb0(%team: !weave.team, %first: index, %last: index, %c: tensor<10xf32>, %d: tensor<?x10xf32>):
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c10 = arith.constant 10 : index
    %worker = weave.worker %team : index
    %stores = arith.cmpi eq, %worker, %c0 : index
    %lo, %size = weave.shard_range %team of %c4 : index, index
    %offset = arith.muli %lo, %c10 : index
    %keys = weave.random.split %key sizes(%n) : tensor<2xi32> -> tensor<?x2xi32>
    // The mean over 4 lanes of a difference over 2 std.
    %eight = arith.constant 8.0 : f32
    %width = arith.mulf %std, %eight : f32
    %scale = arith.divf %stepsize, %width : f32
    %s:2 = weave.scan carry(%x = %c : tensor<10xf32>) xs(%k = %keys : tensor<?x2xi32>) range(%first to %last)
        into(%d : tensor<?x10xf32>) store_if(%stores) {
      %z = weave.random.normal %k offset(%offset) sizes(%size) strides [10, 1] : tensor<2xi32> -> tensor<?x10xf32>
      %y = weave.pmap %i (%noise = %z : tensor<?x10xf32>) lanes(%size) {
        %zero = arith.constant 0.0 : f32
        %nzero = arith.constant dense<-0.0> : tensor<f32>
        %stds = tensor.splat %std : tensor<10xf32>
        %up = math.fma %stds, %noise, %x : tensor<10xf32>
        %minus = arith.negf %stds : tensor<10xf32>
        %down = math.fma %minus, %noise, %x : tensor<10xf32>
        %fu = weave.reduce <add> maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] iterators ["reduction"]
            ins(%up : tensor<10xf32>) init(%nzero : tensor<f32>) {
        ^bb0(%a: f32, %acc: f32):
          %q = math.fma %a, %a, %acc : f32
          weave.yield %q : f32
        } -> tensor<f32>
        %fd = weave.reduce <add> maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>] iterators ["reduction"]
            ins(%down : tensor<10xf32>) init(%nzero : tensor<f32>) {
        ^bb0(%a: f32, %acc: f32):
          %q = math.fma %a, %a, %acc : f32
          weave.yield %q : f32
        } -> tensor<f32>
        %u = tensor.extract %fu[] : tensor<f32>
        %w = tensor.extract %fd[] : tensor<f32>
        %fx = arith.subf %w, %u : f32
        weave.yield %fx : f32
      } -> tensor<?xf32>
      %rows = weave.partial_reduce <add>
          maps [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>]
          iterators ["reduction", "parallel"] extent(%c4) ins(%y, %z : tensor<?xf32>, tensor<?x10xf32>) {
      ^bb0(%a: f32, %b: f32, %acc: f32):
        %q = math.fma %a, %b, %acc : f32
        weave.yield %q : f32
      } -> tensor<?x10xf32>
      %gdest = tensor.empty() : tensor<10xf32>
      %g = weave.all_reduce <add> %team rows(%rows : tensor<?x10xf32>) extent(%c4) into(%gdest : tensor<10xf32>)
          -> tensor<10xf32>
      %scales = tensor.splat %scale : tensor<10xf32>
      %next = math.fma %scales, %g, %x : tensor<10xf32>
      weave.yield carry(%next : tensor<10xf32>) ys(%x : tensor<10xf32>)
    } -> tensor<10xf32>, tensor<?x10xf32>
    weave.finish %s#0 replicated, %s#1 in_place : tensor<10xf32>, tensor<?x10xf32>
  } -> tensor<10xf32>, tensor<?x10xf32>
  return %r#0, %r#1 : tensor<10xf32>, tensor<?x10xf32>
}

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @printMemrefI32(tensor<*xi32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func @main() {
  %x0 = arith.constant dense<1.0> : tensor<10xf32>
  %n = arith.constant 3 : index
  %std = arith.constant 1.0e-2 : f32
  %stepsize = arith.constant 1.0e-3 : f32
  %seed = arith.constant 0 : i32
  %key = weave.random.key %seed : i32 -> tensor<2xi32>
  %r:2 = call @program(%x0, %key, %n, %std, %stepsize)
      : (tensor<10xf32>, tensor<2xi32>, index, f32, f32) -> (tensor<10xf32>, tensor<?x10xf32>)
  %xs = tensor.cast %r#1 : tensor<?x10xf32> to tensor<*xf32>
  call @printMemrefF32(%xs) : (tensor<*xf32>) -> ()
  %bits = arith.bitcast %r#0 : tensor<10xf32> to tensor<10xi32>
  %u = tensor.cast %bits : tensor<10xi32> to tensor<*xi32>
  call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
  return
}
