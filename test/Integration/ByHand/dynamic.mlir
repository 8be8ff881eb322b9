// Lanes and length known at run time only: 1000 lanes, so grains of 8, and 3
// steps; then 0 steps, and 0 lanes.
// RUN: weave-opt %s -weave-loops -weave-buffers -o %t.mlir
// RUN: FileCheck %s --check-prefix=BUFFERS --input-file=%t.mlir
// RUN: %{run-teams} %t.mlir | FileCheck %s

// x' = x + sum over lanes of lane * x / 1000; each lane also stacks what it
// added.
// CHECK: sizes = [3]
// CHECK-NEXT: [1,  500.5,  250500]
// CHECK: sizes = [3]
// CHECK-NEXT: [0.999,  500,  250250]
// CHECK: sizes = [2]
// CHECK-NEXT: [1,  1]

// BUFFERS: func.func private @program_worker_0
// BUFFERS: scf.for
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: memref.copy %{{.*}} : memref<?xf64> to memref<?xf64, strided<[1], offset: ?>>
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: weave.all_reduce <add>
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: scf.yield %{{.*}} : f64

#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>
func.func private @program(%n: index, %lanes: index) -> (tensor<?xf64>, tensor<?x?xf64>) {
  %dest = tensor.empty(%n) : tensor<?xf64>
  %ldest = tensor.empty(%n, %lanes) : tensor<?x?xf64>
  %x0 = arith.constant dense<1.0> : tensor<f64>
  %r:3 = weave.spmd steps(%n) inits(%x0, %dest, %ldest : tensor<f64>, tensor<?xf64>, tensor<?x?xf64>) {
  ^bb0(%team: !weave.team, %first: index, %last: index, %c: tensor<f64>, %d: tensor<?xf64>, %ld: tensor<?x?xf64>):
    %c0 = arith.constant 0 : index
    %worker = weave.worker %team : index
    %stores = arith.cmpi eq, %worker, %c0 : index
    %true = arith.constant true
    %lo, %size = weave.shard_range %team of %lanes : index, index
    %columns = tensor.extract_slice %ld[0, %lo] [%n, %size] [1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
    %start = tensor.extract %c[] : tensor<f64>
    %thousandth = arith.constant 1.0e-3 : f64
    %s:3 = weave.scan carry(%x = %start : f64) length(%n) range(%first to %last)
        into(%d, %columns : tensor<?xf64>, tensor<?x?xf64>) store_if(%stores, %true) {
      %part = weave.pmap %i lanes(%size) {
        %lane = weave.axis_index %i : index
        %number = arith.addi %lo, %lane : index
        %number_i = arith.index_cast %number : index to i64
        %number_f = arith.sitofp %number_i : i64 to f64
        %scaled = arith.mulf %number_f, %thousandth : f64
        %y = arith.mulf %scaled, %x : f64
        weave.yield %y : f64
      } -> tensor<?xf64>
      %rows = weave.partial_reduce <add> maps [#id, #scalar]
          iterators ["reduction"] extent(%lanes) ins(%part : tensor<?xf64>) {
      ^bb0(%v: f64, %acc: f64):
        %q = arith.addf %acc, %v : f64
        weave.yield %q : f64
      } -> tensor<?xf64>
      %sdest = tensor.empty() : tensor<f64>
      %sum = weave.all_reduce <add> %team rows(%rows : tensor<?xf64>) extent(%lanes) into(%sdest : tensor<f64>) -> tensor<f64>
      %t = tensor.extract %sum[] : tensor<f64>
      %next = arith.addf %x, %t : f64
      weave.yield carry(%next : f64) ys(%x, %part : f64, tensor<?xf64>)
    } -> f64, tensor<?xf64>, tensor<?x?xf64>
    %end = tensor.from_elements %s#0 : tensor<f64>
    %ld1 = tensor.insert_slice %s#2 into %ld[0, %lo] [%n, %size] [1, 1] : tensor<?x?xf64> into tensor<?x?xf64>
    weave.finish %end replicated, %s#1 in_place, %ld1 in_place : tensor<f64>, tensor<?xf64>, tensor<?x?xf64>
  } -> tensor<f64>, tensor<?xf64>, tensor<?x?xf64>
  return %r#1, %r#2 : tensor<?xf64>, tensor<?x?xf64>
}

func.func private @printMemrefF64(tensor<*xf64> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @run(%n: index, %lanes: index) {
  %c0 = arith.constant 0 : index
  %r:2 = call @program(%n, %lanes) : (index, index) -> (tensor<?xf64>, tensor<?x?xf64>)
  %steps = tensor.dim %r#0, %c0 : tensor<?xf64>
  %has_steps = arith.cmpi ugt, %steps, %c0 : index
  %has_lanes = arith.cmpi ugt, %lanes, %c0 : index
  %has_both = arith.andi %has_steps, %has_lanes : i1
  scf.if %has_steps {
    %a = tensor.cast %r#0 : tensor<?xf64> to tensor<*xf64>
    func.call @printMemrefF64(%a) : (tensor<*xf64>) -> ()
  }
  scf.if %has_both {
    %lane = tensor.extract_slice %r#1[0, 999] [%n, 1] [1, 1] : tensor<?x?xf64> to tensor<?xf64>
    %b = tensor.cast %lane : tensor<?xf64> to tensor<*xf64>
    func.call @printMemrefF64(%b) : (tensor<*xf64>) -> ()
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c1000 = arith.constant 1000 : index
  call @run(%c3, %c1000) : (index, index) -> ()
  call @run(%c0, %c1000) : (index, index) -> ()
  call @run(%c2, %c0) : (index, index) -> ()
  return
}
