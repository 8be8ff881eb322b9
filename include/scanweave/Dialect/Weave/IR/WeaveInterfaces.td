// SPDX-License-Identifier: Apache-2.0
//
// Interfaces of the weave dialect's ops.

#ifndef SCANWEAVE_DIALECT_WEAVE_IR_WEAVEINTERFACES_TD
#define SCANWEAVE_DIALECT_WEAVE_IR_WEAVEINTERFACES_TD

include "mlir/IR/OpBase.td"

def Weave_MapOpInterface : OpInterface<"MapOpInterface"> {
  let cppNamespace = "::scanweave";
  let description = [{
    What pmap and vmap share: they map a body over the lanes of an axis.
  }];
  let methods = [
    InterfaceMethod<"The mapped inputs.", "::mlir::OperandRange", "getInputs">,
    InterfaceMethod<"The number of lanes, or null where an input gives it.",
                    "::mlir::TypedValue<::mlir::IndexType>", "getLanes">,
    InterfaceMethod<"The mapped axis of each input.", "::llvm::ArrayRef<int64_t>", "getInAxes">,
    InterfaceMethod<"The mapped axis of each result.", "::llvm::ArrayRef<int64_t>", "getOutAxes">,
    InterfaceMethod<"The region run once a lane.", "::mlir::Region &", "getRegion">
  ];
  let extraSharedClassDeclaration = [{
    /// The token that collectives in the body name the axis by.
    ::mlir::BlockArgument getAxis() { return $_op.getRegion().getArgument(0); }
    /// One slice of each mapped input.
    ::mlir::Block::BlockArgListType getSliceArgs() {
      return $_op.getRegion().getArguments().drop_front(1);
    }
    /// The values that the body yields, one for each result.
    ::mlir::OperandRange getYielded() {
      return $_op.getRegion().front().getTerminator()->getOperands();
    }
    /// The number of lanes where it is known at compile time, else ShapedType::kDynamic.
    int64_t getStaticLanes() { return ::scanweave::getStaticLanes($_op); }
  }];
}

#endif // SCANWEAVE_DIALECT_WEAVE_IR_WEAVEINTERFACES_TD
