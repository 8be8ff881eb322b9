// A scan inside of a map, with a psum in its body: the scan is interchanged with
// the loop over lanes, its carries become one value for each lane, and the psum
// splits its body in two. Each lane may leave its own trace: dimension 1 of the
// stacked outputs counts the lanes.
// RUN: weave-opt %s -weave-loops -weave-buffers -o %t.mlir
// RUN: FileCheck %s --check-prefix=BUFFERS --input-file=%t.mlir
// RUN: %{run-teams} %t.mlir | FileCheck %s

// 5 lanes, from x = lane: x = x + psum(x) / 4 - lane, 3 steps.
// CHECK: sizes = [5]
// CHECK-NEXT: [10.1562,  8.15625,  6.15625,  4.15625,  2.15625]

// The values of 5 lanes are rows of their sum as they are: they are copied,
// since an all_reduce may combine its rows in place.
// BUFFERS: func.func private @program_worker_0
// BUFFERS: scf.for
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: memref.copy
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: weave.all_reduce <add>
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: memref.dealloc

#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
func.func private @program(%x0: tensor<5xf32>) -> tensor<5xf32> {
  %n = arith.constant 3 : index
  %r = weave.spmd steps(%n) inits(%x0 : tensor<5xf32>) {
  ^bb0(%team: !weave.team, %first: index, %last: index, %c: tensor<5xf32>):
    %c5 = arith.constant 5 : index
    %lo, %size = weave.shard_range %team of %c5 : index, index
    %mine = tensor.extract_slice %c[%lo] [%size] [1] : tensor<5xf32> to tensor<?xf32>
    %s = weave.scan carry(%x = %mine : tensor<?xf32>) length(%n) range(%first to %last) {
      %rows = weave.partial_reduce <add> maps [#id, #scalar]
          iterators ["reduction"] extent(%c5) ins(%x : tensor<?xf32>) {
      ^bb0(%v: f32, %acc: f32):
        %q = arith.addf %acc, %v : f32
        weave.yield %q : f32
      } -> tensor<?xf32>
      %sdest = tensor.empty() : tensor<f32>
      %psum = weave.all_reduce <add> %team rows(%rows : tensor<?xf32>) extent(%c5) into(%sdest : tensor<f32>) -> tensor<f32>
      %sum = tensor.extract %psum[] : tensor<f32>
      %next = weave.pmap %i (%v = %x : tensor<?xf32>) lanes(%size) {
        %lane = weave.axis_index %i : index
        %number = arith.addi %lo, %lane : index
        %number_i = arith.index_cast %number : index to i32
        %number_f = arith.sitofp %number_i : i32 to f32
        %quarter = arith.constant 0.25 : f32
        %up = math.fma %sum, %quarter, %v : f32
        %y = arith.subf %up, %number_f : f32
        weave.yield %y : f32
      } -> tensor<?xf32>
      weave.yield carry(%next : tensor<?xf32>)
    } -> tensor<?xf32>
    weave.finish %s sharded(0) : tensor<?xf32>
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func @main() {
  %x0 = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0]> : tensor<5xf32>
  %r = call @program(%x0) : (tensor<5xf32>) -> tensor<5xf32>
  %a = tensor.cast %r : tensor<5xf32> to tensor<*xf32>
  call @printMemrefF32(%a) : (tensor<*xf32>) -> ()
  return
}
