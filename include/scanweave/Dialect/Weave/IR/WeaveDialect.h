// SPDX-License-Identifier: Apache-2.0
//
// The weave dialect: its types, attributes and ops.

#ifndef SCANWEAVE_DIALECT_WEAVE_IR_WEAVEDIALECT_H
#define SCANWEAVE_DIALECT_WEAVE_IR_WEAVEDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h.inc"
#include "scanweave/Dialect/Weave/IR/WeaveEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "scanweave/Dialect/Weave/IR/WeaveTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "scanweave/Dialect/Weave/IR/WeaveAttrs.h.inc"

namespace scanweave {

class YieldOp;

/// The attribute that holds the placements of an op's results.
inline constexpr llvm::StringLiteral placementAttrName = "weave.placement";

/// The effect resource of exchanges: what workers of a team do together, in
/// one order for all.
struct TeamResource : public mlir::SideEffects::Resource::Base<TeamResource> {
  llvm::StringRef getName() final { return "Team"; }
};

/// The type of one slice of `type` along `axis`: the tensor without that
/// dimension, or the element type where no dimension is left.
mlir::Type getSliceType(mlir::RankedTensorType type, int64_t axis);

/// The inverse: slices of `type` stacked along `axis`, `extent` of them.
/// Null where `type` cannot be stacked.
mlir::RankedTensorType getStackedType(mlir::Type type, int64_t axis,
                                      int64_t extent);

/// Whether `type` can be scanned or mapped: a tensor of numbers of rank >= 1.
bool isNumberTensor(mlir::Type type);

/// Whether `kind` combines values of type `element`: rule F5.
bool combines(CombineKind kind, mlir::Type element);

/// The constant that `value` (of index or integer type, or null) is known to
/// be, else ShapedType::kDynamic.
int64_t getStaticExtent(mlir::Value value);

/// The number of lanes of a pmap or vmap, or ShapedType::kDynamic.
int64_t getStaticLanes(mlir::Operation *map);

/// A placement without the attribute's brackets: `replicated`, `sharded(0)`.
mlir::ParseResult parsePlacement(mlir::AsmParser &parser,
                                 PlacementAttr &placement);
void printPlacement(mlir::AsmPrinter &printer, PlacementAttr placement);

} // namespace scanweave

#include "scanweave/Dialect/Weave/IR/WeaveInterfaces.h.inc"

#define GET_OP_CLASSES
#include "scanweave/Dialect/Weave/IR/WeaveOps.h.inc"

#endif // SCANWEAVE_DIALECT_WEAVE_IR_WEAVEDIALECT_H
