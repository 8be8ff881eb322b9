// A heat equation on a rod: each cell needs its neighbours. For now every worker
// gathers the whole rod each step, though it needs two cells of it: an exchange
// of borders alone has to wait for an op of its own.
// RUN: weave-opt %s -weave-loops -weave-buffers -o %t.mlir
// RUN: FileCheck %s --check-prefix=BUFFERS --input-file=%t.mlir
// RUN: %{run-teams} %t.mlir | FileCheck %s

// CHECK: sizes = [16]
// CHECK-NEXT: [0,  0,  1,  6,  15,  20,  15,  6,  1,  0,  0,  0,  0,  0,  0,  0]
// CHECK: sizes = [3, 16]
// CHECK-NEXT: 0,  0,  0,  0,  0,  64,  0,  0,
// CHECK-NEXT: 0,  0,  0,  0,  16,  32,  16,  0,
// CHECK-NEXT: 0,  0,  0,  4,  16,  24,  16,  4,

// Each worker stores its own columns of the stacked rods.
// BUFFERS: func.func private @program_worker_0
// BUFFERS: scf.for
// BUFFERS-NOT: memref.alloc
// BUFFERS: memref.copy %{{.*}}, %{{.*}} : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: weave.gather_shards
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: return

func.func private @program(%u0: tensor<16xf32>, %n: index) -> (tensor<16xf32>, tensor<?x16xf32>) {
  %dest = tensor.empty(%n) : tensor<?x16xf32>
  %r:2 = weave.spmd steps(%n) inits(%u0, %dest : tensor<16xf32>, tensor<?x16xf32>) {
  ^bb0(%team: !weave.team, %first: index, %last: index, %c: tensor<16xf32>, %d: tensor<?x16xf32>):
    %c16 = arith.constant 16 : index
    %lo, %size = weave.shard_range %team of %c16 : index, index
    %mine = tensor.extract_slice %c[%lo] [%size] [1] : tensor<16xf32> to tensor<?xf32>
    %columns = tensor.extract_slice %d[0, %lo] [%n, %size] [1, 1] : tensor<?x16xf32> to tensor<?x?xf32>
    %true = arith.constant true
    %s:2 = weave.scan carry(%u = %mine : tensor<?xf32>) length(%n) range(%first to %last)
        into(%columns : tensor<?x?xf32>) store_if(%true) {
      %e = tensor.empty() : tensor<16xf32>
      %all = weave.gather_shards %team shard(%u : tensor<?xf32>) dim(0) into(%e : tensor<16xf32>) -> tensor<16xf32>
      %next = weave.pmap %i (%v = %u : tensor<?xf32>) lanes(%size) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c15 = arith.constant 15 : index
        %zero = arith.constant 0.0 : f32
        %quarter = arith.constant 0.25 : f32
        %half = arith.constant 0.5 : f32
        %lane = weave.axis_index %i : index
        %cell = arith.addi %lo, %lane : index
        %isleft = arith.cmpi eq, %cell, %c0 : index
        %isright = arith.cmpi eq, %cell, %c15 : index
        %before = arith.subi %cell, %c1 : index
        %after = arith.addi %cell, %c1 : index
        %li = arith.select %isleft, %c0, %before : index
        %ri = arith.select %isright, %c15, %after : index
        %lv = tensor.extract %all[%li] : tensor<16xf32>
        %rv = tensor.extract %all[%ri] : tensor<16xf32>
        %l = arith.select %isleft, %zero, %lv : f32
        %r = arith.select %isright, %zero, %rv : f32
        %sum = arith.addf %l, %r : f32
        %sides = arith.mulf %sum, %quarter : f32
        %y = math.fma %v, %half, %sides : f32
        weave.yield %y : f32
      } -> tensor<?xf32>
      weave.yield carry(%next : tensor<?xf32>) ys(%u : tensor<?xf32>)
    } -> tensor<?xf32>, tensor<?x?xf32>
    %d1 = tensor.insert_slice %s#1 into %d[0, %lo] [%n, %size] [1, 1] : tensor<?x?xf32> into tensor<?x16xf32>
    weave.finish %s#0 sharded(0), %d1 in_place : tensor<?xf32>, tensor<?x16xf32>
  } -> tensor<16xf32>, tensor<?x16xf32>
  return %r#0, %r#1 : tensor<16xf32>, tensor<?x16xf32>
}

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func @main() {
  %u0 = arith.constant dense<[0.0, 0.0, 0.0, 0.0, 0.0, 64.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<16xf32>
  %n = arith.constant 3 : index
  %r:2 = call @program(%u0, %n) : (tensor<16xf32>, index) -> (tensor<16xf32>, tensor<?x16xf32>)
  %a = tensor.cast %r#0 : tensor<16xf32> to tensor<*xf32>
  call @printMemrefF32(%a) : (tensor<*xf32>) -> ()
  %b = tensor.cast %r#1 : tensor<?x16xf32> to tensor<*xf32>
  call @printMemrefF32(%b) : (tensor<*xf32>) -> ()
  return
}
