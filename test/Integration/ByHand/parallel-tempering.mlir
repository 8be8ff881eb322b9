// Parallel tempering: 8 replicas, sharded over the workers. Each step moves every
// replica, gathers the energies and the states, and neighbours trade states
// where the lower one has the higher energy; pairs alternate between steps.
// RUN: weave-opt %s -weave-loops -weave-buffers -o %t.mlir
// RUN: FileCheck %s --check-prefix=BUFFERS --input-file=%t.mlir
// RUN: %{run-teams} %t.mlir | FileCheck %s

// CHECK: sizes = [8, 2]
// CHECK-NEXT: [0.9375,   0.1875],
// CHECK: sizes = [3]
// CHECK-NEXT: [94.5,  70.875,  67.5938]

// BUFFERS: func.func private @program_worker_0
// BUFFERS: scf.for
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: weave.gather_shards
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: weave.gather_shards
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: scf.yield %{{.*}} : index

#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
func.func private @program(%x0: tensor<8x2xf32>, %n: index) -> (tensor<8x2xf32>, tensor<?xf32>) {
  %dest = tensor.empty(%n) : tensor<?xf32>
  %even = arith.constant dense<0> : tensor<index>
  %r:3 = weave.spmd steps(%n) inits(%x0, %even, %dest : tensor<8x2xf32>, tensor<index>, tensor<?xf32>) {
  ^bb0(%team: !weave.team, %first: index, %last: index, %c: tensor<8x2xf32>, %cp: tensor<index>, %d: tensor<?xf32>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %half = arith.constant 0.5 : f32
    %worker = weave.worker %team : index
    %stores = arith.cmpi eq, %worker, %c0 : index
    %lo, %size = weave.shard_range %team of %c8 : index, index
    %mine = tensor.extract_slice %c[%lo, 0] [%size, 2] [1, 1] : tensor<8x2xf32> to tensor<?x2xf32>
    %p0 = tensor.extract %cp[] : tensor<index>
    %s:3 = weave.scan carry(%x = %mine : tensor<?x2xf32>, %p = %p0 : index) length(%n) range(%first to %last)
        into(%d : tensor<?xf32>) store_if(%stores) {
      %moved, %energy = weave.pmap %i (%v = %x : tensor<?x2xf32>) lanes(%size) {
        %lane = weave.axis_index %i : index
        %replica = arith.addi %lo, %lane : index
        %number = arith.index_cast %replica : index to i32
        %number_f = arith.sitofp %number : i32 to f32
        %quarter = arith.constant 0.25 : f32
        %shift = arith.mulf %number_f, %quarter : f32
        %shifts = tensor.splat %shift : tensor<2xf32>
        %halves = tensor.splat %half : tensor<2xf32>
        %new = math.fma %v, %halves, %shifts : tensor<2xf32>
        %a = tensor.extract %new[%c0] : tensor<2xf32>
        %b = tensor.extract %new[%c1] : tensor<2xf32>
        %aa = arith.mulf %a, %a : f32
        %e = math.fma %b, %b, %aa : f32
        weave.yield %new, %e : tensor<2xf32>, f32
      } -> tensor<?x2xf32>, tensor<?xf32>
      %edest = tensor.empty() : tensor<8xf32>
      %es = weave.gather_shards %team shard(%energy : tensor<?xf32>) dim(0) into(%edest : tensor<8xf32>) -> tensor<8xf32>
      %xdest = tensor.empty() : tensor<8x2xf32>
      %xs = weave.gather_shards %team shard(%moved : tensor<?x2xf32>) dim(0) into(%xdest : tensor<8x2xf32>)
          -> tensor<8x2xf32>
      %traded = weave.pmap %i (%v = %moved : tensor<?x2xf32>) lanes(%size) {
        %lane = weave.axis_index %i : index
        %replica = arith.addi %lo, %lane : index
        // (replica + p) with the last bit flipped, less p; itself at the ends.
        %up = arith.addi %replica, %p : index
        %flipped = arith.xori %up, %c1 : index
        %partner = arith.subi %flipped, %p : index
        %exists = arith.cmpi ult, %partner, %c8 : index
        %other = arith.select %exists, %partner, %replica : index
        %low = arith.minsi %replica, %other : index
        %high = arith.maxsi %replica, %other : index
        %elow = tensor.extract %es[%low] : tensor<8xf32>
        %ehigh = tensor.extract %es[%high] : tensor<8xf32>
        %trades = arith.cmpf ogt, %elow, %ehigh : f32
        %theirs = tensor.extract_slice %xs[%other, 0] [1, 2] [1, 1] : tensor<8x2xf32> to tensor<2xf32>
        %y = arith.select %trades, %theirs, %v : tensor<2xf32>
        weave.yield %y : tensor<2xf32>
      } -> tensor<?x2xf32>
      %nzero = arith.constant dense<-0.0> : tensor<f32>
      %total = weave.reduce <add> maps [#id, #scalar] iterators ["reduction"]
          ins(%es : tensor<8xf32>) init(%nzero : tensor<f32>) {
      ^bb0(%e: f32, %acc: f32):
        %q = arith.addf %acc, %e : f32
        weave.yield %q : f32
      } -> tensor<f32>
      %t = tensor.extract %total[] : tensor<f32>
      %pn = arith.subi %c1, %p : index
      weave.yield carry(%traded, %pn : tensor<?x2xf32>, index) ys(%t : f32)
    } -> tensor<?x2xf32>, index, tensor<?xf32>
    %pt = tensor.from_elements %s#1 : tensor<index>
    weave.finish %s#0 sharded(0), %pt replicated, %s#2 in_place : tensor<?x2xf32>, tensor<index>, tensor<?xf32>
  } -> tensor<8x2xf32>, tensor<index>, tensor<?xf32>
  return %r#0, %r#2 : tensor<8x2xf32>, tensor<?xf32>
}

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func @main() {
  %x0 = arith.constant dense<[[8.0, 0.0], [7.0, 1.0], [6.0, 0.0], [5.0, 1.0], [4.0, 0.0], [3.0, 1.0], [2.0, 0.0], [1.0, 1.0]]> : tensor<8x2xf32>
  %n = arith.constant 3 : index
  %r:2 = call @program(%x0, %n) : (tensor<8x2xf32>, index) -> (tensor<8x2xf32>, tensor<?xf32>)
  %a = tensor.cast %r#0 : tensor<8x2xf32> to tensor<*xf32>
  call @printMemrefF32(%a) : (tensor<*xf32>) -> ()
  %b = tensor.cast %r#1 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%b) : (tensor<*xf32>) -> ()
  return
}
