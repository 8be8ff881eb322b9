// RUN: weave-opt %s --weave-vectorize --split-input-file | FileCheck %s
// RUN: weave-opt %s --weave-vectorize=vector-bytes=0 --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: weave-opt %s --weave-vectorize=vectors=0 --split-input-file | FileCheck %s --check-prefix=NONE

// NONE-NOT: vector<

#row = affine_map<(d0) -> (d0)>

// A remainder in falling powers of two, down to scalar code.
// CHECK-LABEL: func.func @static
//   CHECK-NOT:   linalg.generic
//       CHECK:   vector.load %{{.*}} : memref<43xf32>, vector<32xf32>
//       CHECK:   math.sqrt %{{.*}} : vector<32xf32>
//       CHECK:   vector.store %{{.*}} : memref<43xf32>, vector<32xf32>
//       CHECK:   math.sqrt %{{.*}} : vector<8xf32>
//       CHECK:   math.sqrt %{{.*}} : vector<2xf32>
//       CHECK:   %[[X:.*]] = memref.load
//       CHECK:   math.sqrt %[[X]] : f32
//       CHECK:   memref.store
func.func @static(%a: memref<43xf32>, %b: memref<43xf32>) {
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%a : memref<43xf32>) outs(%b : memref<43xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = math.sqrt %x : f32
    linalg.yield %y : f32
  }
  return
}

// -----

#row = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// What is equal for all lanes stays scalar; the rest of a row is masked.
// CHECK-LABEL: func.func @dynamic
//       CHECK:   scf.for
//       CHECK:     %[[S:.*]] = memref.load %{{.*}}[] : memref<f64>
//       CHECK:     arith.negf %[[S]] : f64
//       CHECK:     vector.broadcast %{{.*}} : f64 to vector<16xf64>
//       CHECK:     arith.mulf %{{.*}} : vector<16xf64>
//       CHECK:   scf.for
//       CHECK:     vector.create_mask %{{.*}} : vector<4xi1>
//       CHECK:     vector.maskedload
//       CHECK:     arith.mulf %{{.*}} : vector<4xf64>
//       CHECK:     vector.maskedstore
func.func @dynamic(%a: memref<?xf64>, %s: memref<f64>, %b: memref<?xf64>) {
  linalg.generic {indexing_maps = [#row, #none, #row], iterator_types = ["parallel"]}
      ins(%a, %s : memref<?xf64>, memref<f64>) outs(%b : memref<?xf64>) {
  ^bb0(%x: f64, %n: f64, %out: f64):
    %m = arith.negf %n : f64
    %y = arith.mulf %x, %m : f64
    linalg.yield %y : f64
  }
  return
}

// -----

#row = affine_map<(d0) -> (d0)>

// A division that may trap runs for no lane that is not there.
// CHECK-LABEL: func.func @division
//       CHECK:   arith.divsi %{{.*}} : vector<32xi32>
//   CHECK-NOT:   vector.create_mask
//       CHECK:   arith.divsi %{{.*}} : i32
func.func @division(%a: memref<?xi32>, %b: memref<?xi32>) {
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%a : memref<?xi32>) outs(%b : memref<?xi32>) {
  ^bb0(%x: i32, %out: i32):
    %y = arith.divsi %x, %out : i32
    linalg.yield %y : i32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Indices that become integers are integers from the start.
// CHECK-LABEL: func.func @index
//   CHECK-NOT:     vector<16xindex>
//       CHECK:     arith.index_cast %{{.*}} : index to i32
//       CHECK:     arith.addi %{{.*}} : vector<16xi32>
//   CHECK-NOT:     vector<16xindex>
func.func @index(%b: memref<3x16xi32>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%b : memref<3x16xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 1 : index
    %y = arith.index_cast %i : index to i32
    linalg.yield %y : i32
  }
  return
}

// -----

#a = affine_map<(d0, d1) -> (d0)>
#b = affine_map<(d0, d1) -> (d0, d1)>
#c = affine_map<(d0, d1) -> (d1)>

// The reduction runs inside the block, its vectors are in registers.
// CHECK-LABEL: func.func @columns
//       CHECK:   %[[C:.*]] = vector.load %{{.*}} : memref<32xf32>, vector<32xf32>
//       CHECK:   %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[C]]) -> (vector<32xf32>)
//       CHECK:     math.fma %{{.*}}, %{{.*}}, %[[A]] : vector<32xf32>
//       CHECK:   vector.store %[[R]]
func.func @columns(%y: memref<7xf32>, %z: memref<7x32xf32>, %g: memref<32xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["reduction", "parallel"]}
      ins(%y, %z : memref<7xf32>, memref<7x32xf32>) outs(%g : memref<32xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %s = math.fma %p, %q, %acc : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Six rows at a time share the vectors of the second operand; one accumulator
// each, all in registers. Two rows are left, and 3 of 19 columns.
// CHECK-LABEL: func.func @product
//       CHECK:   scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
//       CHECK:     scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
//       CHECK:     scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>)
//       CHECK:     scf.for {{.*}} -> (vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>)
//       CHECK:     scf.for {{.*}} -> (vector<2xf32>, vector<2xf32>)
//       CHECK:     scf.for {{.*}} -> (f32, f32, f32, f32, f32, f32)
//       CHECK:     scf.for {{.*}} -> (f32, f32)
func.func @product(%a: memref<8x5xf32>, %b: memref<5x19xf32>, %c: memref<8x19xf32>) {
  linalg.matmul ins(%a, %b : memref<8x5xf32>, memref<5x19xf32>) outs(%c : memref<8x19xf32>)
  return
}

// A matrix that the first cache does not hold is read from copies of 16 columns.
// CHECK-LABEL: func.func @large_product(
//  CHECK-SAME:   %[[A:.*]]: memref<64x128xf32>, %[[B:.*]]: memref<128x128xf32>
//       CHECK:   scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %c16
//       CHECK:     %[[COPY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<128x16xf32>
//       CHECK:     scf.for %[[K:.*]] =
//       CHECK:       %[[ROW:.*]] = vector.load %[[B]][%[[K]], %[[J]]] : memref<128x128xf32>, vector<16xf32>
//       CHECK:       vector.store %[[ROW]], %[[COPY]][%[[K]], %{{.*}}]
//       CHECK:     scf.for
//   CHECK-NOT:     vector.load %[[B]]
//       CHECK:     vector.load %[[COPY]]
//       CHECK:     memref.dealloc %[[COPY]]
func.func @large_product(%a: memref<64x128xf32>, %b: memref<128x128xf32>, %c: memref<64x128xf32>) {
  linalg.matmul ins(%a, %b : memref<64x128xf32>, memref<128x128xf32>) outs(%c : memref<64x128xf32>)
  return
}

// CHECK-LABEL: func.func @product_of_any_size
//       CHECK:     scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
//       CHECK:     scf.for {{.*}} -> (vector<16xf32>)
//       CHECK:     vector.create_mask
//       CHECK:     scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
//       CHECK:     scf.for {{.*}} -> (vector<8xf32>)
func.func @product_of_any_size(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

#row = affine_map<(d0) -> (d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
#none = affine_map<(d0) -> ()>

// Bools, strided rows, sums of all elements and empty rows.
// CHECK-LABEL: func.func @left_alone
// CHECK-COUNT-3: linalg.generic
//     CHECK-NOT: vector
func.func @left_alone(%a: memref<8xi1>, %b: memref<8xi1>, %c: memref<4x8xf32>,
                      %d: memref<8x4xf32>, %e: memref<8xf32>, %f: memref<f32>,
                      %g: memref<0xf32>) {
  linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%a : memref<8xi1>) outs(%b : memref<8xi1>) {
  ^bb0(%x: i1, %out: i1):
    linalg.yield %x : i1
  }
  linalg.generic {indexing_maps = [#id, #swap], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<4x8xf32>) outs(%d : memref<8x4xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#row, #none], iterator_types = ["reduction"]}
      ins(%e : memref<8xf32>) outs(%f : memref<f32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %acc, %x : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]}
      outs(%g : memref<0xf32>) {
  ^bb0(%out: f32):
    linalg.yield %out : f32
  }
  return
}
