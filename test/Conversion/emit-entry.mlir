// RUN: weave-opt %s --weave-emit-entry | FileCheck %s

// The descriptor says all that the command line needs.
// CHECK: llvm.mlir.global internal constant @scanweave_descriptor("{
// CHECK-SAME: \22arguments\22:[
// CHECK-SAME: {\22default\22:1000000,\22help\22:\22how many\22,\22name\22:\22n\22,\22shape\22:null,\22type\22:\22index\22,\22unsigned\22:false}
// CHECK-SAME: {\22default\22:0.5,\22name\22:\22x0\22,\22shape\22:[3],\22type\22:\22f32\22,\22unsigned\22:false}
// CHECK-SAME: {\22default\22:200,\22name\22:\22u\22,\22shape\22:null,\22type\22:\22i8\22,\22unsigned\22:true}
// CHECK-SAME: {\22default\22:1,\22name\22:\22b\22,\22shape\22:null,\22type\22:\22i1\22,\22unsigned\22:false}
// CHECK-SAME: \22name\22:\22doubling\22
// CHECK-SAME: \22results\22:[{\22name\22:\22x\22,\22shape\22:[3],\22type\22:\22f32\22,\22unsigned\22:false},{\22name\22:\22xs\22,\22shape\22:[-1,3],
// CHECK-SAME: \22variants\22:{{\[\[}}0],[0,1]]}\00")

// An entry loads the arguments and stores the results through pointers; a bool
// takes a byte.
// CHECK-LABEL: func.func @scanweave_entry_0(
//  CHECK-SAME:   %[[ARGS:.*]]: !llvm.ptr, %[[RESULTS:.*]]: !llvm.ptr)
//       CHECK:   llvm.load %{{.*}} : !llvm.ptr -> i64
//       CHECK:   llvm.load %{{.*}} : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
//       CHECK:   %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
//       CHECK:   %[[BOOL:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : i8
//       CHECK:   %[[X:.*]] = call @main_variant_0(%{{.*}}, %{{.*}}, %{{.*}}, %[[BOOL]])
//       CHECK:   llvm.store
// CHECK-LABEL: func.func @scanweave_entry_1(
// CHECK-LABEL: func.func @main(%{{.*}}: i32, %{{.*}}: !llvm.ptr) -> i32
//       CHECK:   llvm.call @scanweave_main(
// CHECK-LABEL: func.func @scanweave_run_default() -> i32
//       CHECK:   llvm.call @scanweave_main(
module @doubling {
  func.func @main_variant_0(
      %n: index {weave.name = "n", weave.default = 1000000 : index, weave.help = "how many"},
      %x0: memref<3xf32> {weave.name = "x0", weave.default = 0.5 : f32},
      %u: i8 {weave.name = "u", weave.unsigned, weave.default = 200 : i8},
      %b: i1 {weave.name = "b", weave.default = true})
      -> (memref<3xf32> {weave.name = "x"}) attributes {weave.results = array<i64: 0>} {
    %x = memref.alloc() : memref<3xf32>
    return %x : memref<3xf32>
  }
  func.func @main_variant_1(
      %n: index {weave.name = "n", weave.default = 1000000 : index, weave.help = "how many"},
      %x0: memref<3xf32> {weave.name = "x0", weave.default = 0.5 : f32},
      %u: i8 {weave.name = "u", weave.unsigned, weave.default = 200 : i8},
      %b: i1 {weave.name = "b", weave.default = true})
      -> (memref<3xf32> {weave.name = "x"}, memref<?x3xf32> {weave.name = "xs"}) attributes {weave.results = array<i64: 0, 1>} {
    %x = memref.alloc() : memref<3xf32>
    %xs = memref.alloc(%n) : memref<?x3xf32>
    return %x, %xs : memref<3xf32>, memref<?x3xf32>
  }
}
