// RUN: weave-opt %s --weave-lower-asserts --mlir-print-debuginfo | FileCheck %s

// What fails, and where, is said by the runtime, which ends the program.
// CHECK-DAG: llvm.func @scanweave_fail(!llvm.ptr)
// CHECK-DAG: llvm.mlir.global internal constant @[[FIRST:.*]]("program.mlir:7:3: lengths differ\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[SECOND:.*]]("no place\00")
// CHECK-LABEL: func.func @check
//  CHECK-SAME:   %[[C:.*]]: i1
//       CHECK:   %[[NOT:.*]] = arith.xori %[[C]]
//       CHECK:   scf.if %[[NOT]]
//       CHECK:     %[[TEXT:.*]] = llvm.mlir.addressof @[[FIRST]]
//       CHECK:     llvm.call @scanweave_fail(%[[TEXT]])
//       CHECK:   scf.if
//       CHECK:     llvm.mlir.addressof @[[SECOND]]
//   CHECK-NOT:   cf.assert
func.func @check(%c: i1) {
  cf.assert %c, "lengths differ" loc("program.mlir":7:3)
  cf.assert %c, "no place" loc(unknown)
  return
}
