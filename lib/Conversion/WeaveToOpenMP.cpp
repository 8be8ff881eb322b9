// SPDX-License-Identifier: Apache-2.0
//
// convert-weave-to-openmp: launches become parallel regions, what workers do
// together becomes calls of the runtime.

#include "WeaveToOpenMP.h"

#include "scanweave/Dialect/Weave/Transforms/Partition.h"

#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

namespace scanweave {
#define GEN_PASS_DEF_CONVERTWEAVETOOPENMP
#include "scanweave/Conversion/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

//===----------------------------------------------------------------------===//
// Shared by the pass's files
//===----------------------------------------------------------------------===//

Value RuntimeCalls::call(ImplicitLocOpBuilder &builder, StringRef name,
                         ValueRange arguments, Type result) {
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function) {
    auto atEnd = OpBuilder::atBlockEnd(module.getBody());
    function = func::FuncOp::create(
        atEnd, builder.getLoc(), name,
        builder.getFunctionType(arguments.getTypes(),
                                result ? TypeRange(result) : TypeRange()));
    function.setPrivate();
  }
  auto call = func::CallOp::create(builder, function, arguments);
  return result ? call.getResult(0) : Value();
}

Value scanweave::getBufferPointer(ImplicitLocOpBuilder &builder,
                                  const LLVMTypeConverter &types,
                                  Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  Value descriptor = UnrealizedConversionCastOp::create(
                         builder, types.convertType(type), buffer)
                         .getResult(0);
  return MemRefDescriptor(descriptor)
      .bufferPtr(builder, builder.getLoc(), types, type);
}

int64_t scanweave::getElementBytes(Type element) {
  return element.isIndex()
             ? 8
             : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

//===----------------------------------------------------------------------===//
// Team queries
//===----------------------------------------------------------------------===//

Value WorkerLowering::loadTeamField(Value &cache, Value team, int field) {
  if (cache)
    return cache;
  ImplicitLocOpBuilder builder(team.getLoc(), worker.getContext());
  builder.setInsertionPointToStart(&worker.front());
  Type i64 = builder.getI64Type(),
       pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                               {i64, i64, pointer, i64});
  Value address = LLVM::GEPOp::create(builder, pointer, type, team,
                                      ArrayRef<LLVM::GEPArg>{0, field});
  Value loaded = LLVM::LoadOp::create(builder, i64, address);
  return cache = arith::IndexCastOp::create(builder, builder.getIndexType(),
                                            loaded);
}

void WorkerLowering::run() {
  SmallVector<Operation *> ops;
  worker.walk([&](Operation *op) {
    if (isa_and_nonnull<WeaveDialect>(op->getDialect()) && !isa<LaunchOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    ImplicitLocOpBuilder builder(op->getLoc(), op);
    if (auto query = dyn_cast<WorkerOp>(op)) {
      query.replaceAllUsesWith(getIndex(query.getTeam()));
    } else if (auto query = dyn_cast<TeamSizeOp>(op)) {
      query.replaceAllUsesWith(getSize(query.getTeam()));
    } else if (auto range = dyn_cast<ShardRangeOp>(op)) {
      IndexRange part =
          buildShardRange(builder, op->getLoc(), range.getExtent(),
                          getIndex(range.getTeam()), getSize(range.getTeam()));
      range.replaceAllUsesWith(ValueRange{part.offset, part.size});
    } else if (auto grain = dyn_cast<GrainOp>(op)) {
      grain.replaceAllUsesWith(
          buildGrains(builder, op->getLoc(), grain.getExtent()).size);
    } else if (auto reduce = dyn_cast<AllReduceOp>(op)) {
      lowerAllReduce(reduce);
    } else if (auto gather = dyn_cast<GatherShardsOp>(op)) {
      lowerGatherShards(gather);
    } else {
      lowerBarrier(builder, cast<BarrierOp>(op).getTeam());
    }
    op->erase();
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The pass that should have removed an op, or null for an op that is ours.
static StringRef getMissingPass(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<LaunchOp, WorkerOp, TeamSizeOp, ShardRangeOp, GrainOp, AllReduceOp,
            GatherShardsOp, BarrierOp>([](Operation *op) {
        return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>)
                   ? StringRef("one-shot-bufferize")
                   : StringRef();
      })
      .Case<SpmdOp, FinishOp>([](auto) { return "weave-outline-workers"; })
      .Case<ScanOp>([](auto) { return "weave-lower-scan"; })
      .Case<PMapOp, VMapOp, AxisIndexOp, AxisSizeOp>(
          [](auto) { return "weave-lower-maps"; })
      .Case<ReduceOp, PartialReduceOp, TreeReduceOp>(
          [](auto) { return "weave-expand-reductions"; })
      .Case<PSumOp, PMeanOp, PMaxOp, PMinOp, AllGatherOp>(
          [](auto) { return "weave-split-collectives"; })
      .Case<RandomKeyOp, RandomFoldInOp, RandomSplitOp, RandomBitsOp,
            RandomUniformOp, RandomNormalOp>(
          [](auto) { return "weave-expand-random"; })
      .Default([](auto) { return "the pass that lowers it"; });
}

namespace {
class ConvertWeaveToOpenMP final
    : public scanweave::impl::ConvertWeaveToOpenMPBase<ConvertWeaveToOpenMP> {
  using Base::Base;

  LogicalResult check() {
    WalkResult result =
        getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
          if (isa_and_nonnull<WeaveDialect>(op->getDialect())) {
            StringRef pass = getMissingPass(op);
            if (!pass.empty()) {
              op->emitOpError("is left; run ")
                  << pass << " before convert-weave-to-openmp";
              return WalkResult::interrupt();
            }
            auto launch = dyn_cast<LaunchOp>(op);
            if (launch && failed(checkLaunch(launch)))
              return WalkResult::interrupt();
          }
          for (Value operand : op->getOperands()) {
            if (!isa<TeamType>(operand.getType()))
              continue;
            auto argument = dyn_cast<BlockArgument>(operand);
            if (argument &&
                isa<func::FuncOp>(argument.getOwner()->getParentOp()) &&
                argument.getOwner()->isEntryBlock())
              continue;
            op->emitOpError("takes its team from something else than its "
                            "function's argument");
            return WalkResult::interrupt();
          }
          if (isa<AllReduceOp, GatherShardsOp, BarrierOp>(op) &&
              exchange == ExchangeForm::omp &&
              !workers.contains(op->getParentOfType<func::FuncOp>())) {
            op->emitOpError("is in a function that no weave.launch names");
            return WalkResult::interrupt();
          }
          return WalkResult::advance();
        });
    return failure(result.wasInterrupted());
  }

  static void removeInterfaceAttributes(func::FuncOp function) {
    auto isOurs = [](NamedAttribute attribute) {
      return attribute.getName().getValue().starts_with("weave.");
    };
    for (NamedAttribute attribute :
         llvm::to_vector(function->getDiscardableAttrs()))
      if (isOurs(attribute))
        function->removeAttr(attribute.getName());
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      for (NamedAttribute attribute :
           llvm::to_vector(function_interface_impl::getArgAttrs(function, i)))
        if (isOurs(attribute))
          function.removeArgAttr(i, attribute.getName());
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      for (NamedAttribute attribute : llvm::to_vector(
               function_interface_impl::getResultAttrs(function, i)))
        if (isOurs(attribute))
          function.removeResultAttr(i, attribute.getName());
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<LaunchOp> launches;
    module.walk([&](LaunchOp launch) {
      launches.push_back(launch);
      workers.insert(module.lookupSymbol<func::FuncOp>(launch.getWorkerAttr()));
    });
    if (failed(check()))
      return signalPassFailure();

    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    LLVMTypeConverter types(&getContext());
    SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (!workers.contains(function))
        continue;
      if (failed(flattenArguments(function, types)))
        return signalPassFailure();
      // The plain form's shared array.
      if (exchange == ExchangeForm::omp &&
          failed(function.insertArgument(function.getNumArguments(), pointer,
                                         /*argAttrs=*/{}, function.getLoc())))
        return signalPassFailure();
    }

    // What the dialect says of functions means nothing after it.
    for (func::FuncOp function : functions)
      removeInterfaceAttributes(function);

    RuntimeCalls runtime(module);
    llvm::DenseMap<Operation *, int64_t> rowBytes;
    for (func::FuncOp function : functions) {
      if (function.isExternal())
        continue;
      WorkerLowering lowering(function, exchange, types, runtime);
      lowering.run();
      rowBytes[function] = lowering.getRowBytes();
    }
    // A worker may exchange in functions that it calls.
    int64_t largest = 0;
    for (auto [function, bytes] : rowBytes)
      if (!workers.contains(function))
        largest = std::max(largest, bytes);
    for (LaunchOp launch : launches) {
      auto worker = module.lookupSymbol<func::FuncOp>(launch.getWorkerAttr());
      lowerLaunch(launch, std::max(largest, rowBytes[worker]), exchange, types,
                  runtime);
    }
    for (func::FuncOp function : module.getOps<func::FuncOp>())
      makeTeamsPointers(function);
  }

  /// Last of all, since the dialect's ops take their team as a team only.
  static void makeTeamsPointers(func::FuncOp function) {
    auto pointer = LLVM::LLVMPointerType::get(function.getContext());
    SmallVector<Type> arguments;
    for (Type type : function.getArgumentTypes())
      arguments.push_back(isa<TeamType>(type) ? pointer : type);
    function.setFunctionType(FunctionType::get(function.getContext(), arguments,
                                               function.getResultTypes()));
    if (!function.isExternal())
      for (BlockArgument argument : function.getArguments())
        if (isa<TeamType>(argument.getType()))
          argument.setType(pointer);
  }

  llvm::DenseSet<Operation *> workers;
};
} // namespace
