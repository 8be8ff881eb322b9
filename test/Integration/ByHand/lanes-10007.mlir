// A map over 10,007 lanes without a scan: each worker computes its lanes in
// place of the result, whole grains of 128 of them, and the sum of all comes
// from 79 grains.
// RUN: weave-opt %s -weave-loops -weave-buffers -o %t.mlir
// RUN: FileCheck %s --check-prefix=BUFFERS --input-file=%t.mlir
// RUN: %{run-teams} %t.mlir | FileCheck %s

// Lane i gives the steps of the Collatz sequence from i + 1.
// CHECK: sizes = [6]
// CHECK-NEXT: [0,  1,  7,  2,  5,  179]
// CHECK: sizes = [1]
// CHECK-NEXT: [850391]

// BUFFERS: func.func private @program_worker_0
// BUFFERS-NOT: memref.alloc(){{.*}}memref<10007
// BUFFERS-NOT: memref.alloc({{.*}}memref<?xi32>
// BUFFERS-NOT: memref.copy
// BUFFERS: scf.for
// BUFFERS-NOT: memref.alloc
// BUFFERS: scf.while
// BUFFERS: weave.all_reduce <add>

#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
func.func private @program() -> (tensor<10007xi32>, tensor<i32>) {
  %dest = tensor.empty() : tensor<10007xi32>
  %sdest0 = tensor.empty() : tensor<i32>
  %r:2 = weave.spmd inits(%dest, %sdest0 : tensor<10007xi32>, tensor<i32>) {
  ^bb0(%team: !weave.team, %d: tensor<10007xi32>, %sd: tensor<i32>):
    %n = arith.constant 10007 : index
    %lo, %size = weave.shard_range %team of %n : index, index
    %ys = weave.pmap %i lanes(%size) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c3 = arith.constant 3 : i32
      %lane = weave.axis_index %i : index
      %number = arith.addi %lo, %lane : index
      %number_i = arith.index_cast %number : index to i32
      %start = arith.addi %number_i, %c1 : i32
      %end:2 = scf.while (%k = %start, %count = %c0) : (i32, i32) -> (i32, i32) {
        %more = arith.cmpi ugt, %k, %c1 : i32
        scf.condition(%more) %k, %count : i32, i32
      } do {
      ^bb0(%k: i32, %count: i32):
        %bit = arith.andi %k, %c1 : i32
        %odd = arith.cmpi eq, %bit, %c1 : i32
        %half = arith.shrui %k, %c1 : i32
        %triple = arith.muli %k, %c3 : i32
        %up = arith.addi %triple, %c1 : i32
        %next = arith.select %odd, %up, %half : i32
        %counted = arith.addi %count, %c1 : i32
        scf.yield %next, %counted : i32, i32
      }
      weave.yield %end#1 : i32
    } -> tensor<?xi32>
    %rows = weave.partial_reduce <add> maps [#id, #scalar] iterators ["reduction"]
        extent(%n) ins(%ys : tensor<?xi32>) {
    ^bb0(%v: i32, %acc: i32):
      %q = arith.addi %acc, %v : i32
      weave.yield %q : i32
    } -> tensor<?xi32>
    %sdest = tensor.empty() : tensor<i32>
    %sum = weave.all_reduce <add> %team rows(%rows : tensor<?xi32>) extent(%n) into(%sdest : tensor<i32>) -> tensor<i32>
    weave.finish %ys sharded(0), %sum replicated : tensor<?xi32>, tensor<i32>
  } -> tensor<10007xi32>, tensor<i32>
  return %r#0, %r#1 : tensor<10007xi32>, tensor<i32>
}

func.func private @printMemrefI32(tensor<*xi32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func @main() {
  %c10006 = arith.constant 10006 : index
  %r:2 = call @program() : () -> (tensor<10007xi32>, tensor<i32>)
  %head = tensor.extract_slice %r#0[0] [5] [1] : tensor<10007xi32> to tensor<5xi32>
  %last = tensor.extract_slice %r#0[10006] [1] [1] : tensor<10007xi32> to tensor<1xi32>
  %some = tensor.concat dim(0) %head, %last : (tensor<5xi32>, tensor<1xi32>) -> tensor<6xi32>
  %a = tensor.cast %some : tensor<6xi32> to tensor<*xi32>
  call @printMemrefI32(%a) : (tensor<*xi32>) -> ()
  %s = tensor.extract %r#1[] : tensor<i32>
  %st = tensor.from_elements %s : tensor<1xi32>
  %b = tensor.cast %st : tensor<1xi32> to tensor<*xi32>
  call @printMemrefI32(%b) : (tensor<*xi32>) -> ()
  return
}
