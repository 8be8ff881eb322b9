// SPDX-License-Identifier: Apache-2.0
//
// convert-weave-to-openmp, launches: what workers share goes through a struct
// on the launching thread's stack; a chunk function opens the parallel region.

#include "WeaveToOpenMP.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"

using namespace mlir;
using namespace scanweave;

/// Keeps a function inside of the module, and what is known of its arguments
/// (noalias) where it is: inlined, that would be gone.
static void makeInternal(func::FuncOp function, bool noInline) {
  OpBuilder builder(function.getContext());
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  if (noInline)
    function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
}

LogicalResult scanweave::checkLaunch(LaunchOp launch) {
  auto module = launch->getParentOfType<ModuleOp>();
  auto worker = module.lookupSymbol<func::FuncOp>(launch.getWorkerAttr());
  auto complain = [&](const Twine &message) {
    InFlightDiagnostic diagnostic = launch.emitOpError(message);
    diagnostic.attachNote(worker.getLoc()) << "the worker is here";
    return diagnostic;
  };
  if (worker.isExternal())
    return complain("names a worker without a body");
  SmallVector<Value> values(launch.getInputs());
  llvm::append_range(values, launch.getInits());
  ArrayRef<Type> expected = worker.getArgumentTypes().take_back(values.size());
  for (auto [value, type] : llvm::zip_equal(values, expected)) {
    if (value.getType() != type)
      return complain("hands over a ")
             << value.getType() << " where the worker takes a " << type;
    auto memref = dyn_cast<MemRefType>(type);
    if (memref ? !memref.getLayout().isIdentity() : !type.isIntOrIndexOrFloat())
      return complain("hands over a ")
             << type << "; only numbers and row-major buffers can be";
  }
  return success();
}

/// What a value is handed over as: a buffer as its address and its dynamic
/// sizes.
static void flatten(ImplicitLocOpBuilder &builder,
                    const LLVMTypeConverter &types, Value value,
                    SmallVectorImpl<Value> &flat) {
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type) {
    flat.push_back(value);
    return;
  }
  flat.push_back(getBufferPointer(builder, types, value));
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      flat.push_back(memref::DimOp::create(builder, value, d));
}

/// The inverse, from arguments that `next` makes.
static Value unflatten(ImplicitLocOpBuilder &builder,
                       const LLVMTypeConverter &types, MemRefType type,
                       llvm::function_ref<Value(Type)> next) {
  Type index = types.getIndexType();
  auto constant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, index, value);
  };
  Value pointer = next(LLVM::LLVMPointerType::get(builder.getContext()));
  SmallVector<Value> sizes;
  for (int64_t size : type.getShape()) {
    if (!ShapedType::isDynamic(size)) {
      sizes.push_back(constant(size));
      continue;
    }
    Value argument = next(builder.getIndexType());
    sizes.push_back(arith::IndexCastOp::create(builder, index, argument));
  }
  SmallVector<Value> strides(sizes.size());
  Value stride = constant(1);
  for (int64_t d = sizes.size() - 1; d >= 0; --d) {
    strides[d] = stride;
    stride = LLVM::MulOp::create(builder, stride, sizes[d]);
  }
  SmallVector<Value> fields = {pointer, pointer, constant(0)};
  llvm::append_range(fields, sizes);
  llvm::append_range(fields, strides);
  Value descriptor =
      MemRefDescriptor::pack(builder, builder.getLoc(), types, type, fields);
  return UnrealizedConversionCastOp::create(builder, type, descriptor)
      .getResult(0);
}

LogicalResult scanweave::flattenArguments(func::FuncOp worker,
                                          const LLVMTypeConverter &types) {
  ImplicitLocOpBuilder builder(worker.getLoc(), worker.getContext());
  builder.setInsertionPointToStart(&worker.front());
  for (unsigned i = 0; i < worker.getNumArguments();) {
    auto type = dyn_cast<MemRefType>(worker.getArgument(i).getType());
    if (!type) {
      ++i;
      continue;
    }
    unsigned position = i + 1;
    bool failedInsertion = false;
    Value buffer = unflatten(builder, types, type, [&](Type argument) -> Value {
      // Only the address keeps what is known of the buffer.
      DictionaryAttr attributes =
          position == i + 1 ? worker.getArgAttrDict(i) : DictionaryAttr();
      failedInsertion |= failed(worker.insertArgument(
          position, argument, attributes, worker.getLoc()));
      return worker.getArgument(position++);
    });
    worker.getArgument(i).replaceAllUsesWith(buffer);
    if (failedInsertion || failed(worker.eraseArgument(i)))
      return failure();
    i = position - 1;
  }
  return success();
}

static Value getField(ImplicitLocOpBuilder &builder, LLVM::LLVMStructType type,
                      Value state, int32_t field) {
  return LLVM::GEPOp::create(builder,
                             LLVM::LLVMPointerType::get(builder.getContext()),
                             type, state, ArrayRef<LLVM::GEPArg>{0, field});
}

static func::FuncOp makeChunk(func::FuncOp worker, bool hasSteps,
                              LLVM::LLVMStructType stateType, ExchangeForm form,
                              RuntimeCalls &runtime) {
  MLIRContext *context = worker.getContext();
  ImplicitLocOpBuilder builder(worker.getLoc(), context);
  builder.setInsertionPointAfter(worker);
  Type pointer = LLVM::LLVMPointerType::get(context),
       i64 = builder.getI64Type();
  auto chunk = func::FuncOp::create(
      builder, (worker.getSymName() + "_chunk").str(),
      builder.getFunctionType(
          {pointer, i64, i64, builder.getI32Type(), pointer}, {}));
  chunk.setPrivate();
  makeInternal(chunk, /*noInline=*/false);
  makeInternal(worker, /*noInline=*/true);

  Block *entry = chunk.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  Value state = entry->getArgument(0), first = entry->getArgument(1),
        last = entry->getArgument(2), threads = entry->getArgument(3),
        team = entry->getArgument(4);
  // The plain form's shared array: where each worker's part is.
  Value shared;
  if (form == ExchangeForm::omp)
    shared = LLVM::AllocaOp::create(builder, pointer, pointer, threads);

  omp::ParallelOperands clauses;
  clauses.numThreads = threads;
  auto parallel = omp::ParallelOp::create(builder, clauses);
  builder.createBlock(&parallel.getRegion());
  Value self = runtime.call(builder, "scanweave_worker_begin", team, pointer);
  SmallVector<Value> arguments = {self};
  if (hasSteps)
    for (Value bound : {first, last})
      arguments.push_back(
          arith::IndexCastOp::create(builder, builder.getIndexType(), bound));
  unsigned offset = arguments.size();
  for (auto [i, type] : llvm::enumerate(stateType.getBody())) {
    Value loaded = LLVM::LoadOp::create(builder, type,
                                        getField(builder, stateType, state, i));
    if (worker.getArgumentTypes()[offset + i].isIndex())
      loaded =
          arith::IndexCastOp::create(builder, builder.getIndexType(), loaded);
    arguments.push_back(loaded);
  }
  if (shared)
    arguments.push_back(shared);
  func::CallOp::create(builder, worker, arguments);
  runtime.call(builder, "scanweave_worker_end", self);
  omp::TerminatorOp::create(builder);
  builder.setInsertionPointToEnd(entry);
  func::ReturnOp::create(builder);
  return chunk;
}

void scanweave::lowerLaunch(LaunchOp launch, int64_t rowBytes,
                            ExchangeForm form, const LLVMTypeConverter &types,
                            RuntimeCalls &runtime) {
  auto module = launch->getParentOfType<ModuleOp>();
  auto worker = module.lookupSymbol<func::FuncOp>(launch.getWorkerAttr());
  bool hasSteps = static_cast<bool>(launch.getSteps());
  MLIRContext *context = launch.getContext();
  ImplicitLocOpBuilder builder(launch.getLoc(), launch);
  Type pointer = LLVM::LLVMPointerType::get(context),
       i64 = builder.getI64Type();

  SmallVector<Value> values;
  for (Value input : launch.getInputs())
    flatten(builder, types, input, values);
  for (Value init : launch.getInits())
    flatten(builder, types, init, values);
  SmallVector<Type> fields;
  for (Value &value : values) {
    if (value.getType().isIndex())
      value = arith::IndexCastOp::create(builder, i64, value);
    fields.push_back(value.getType());
  }
  auto stateType = LLVM::LLVMStructType::getLiteral(context, fields);
  auto chunk =
      module.lookupSymbol<func::FuncOp>((launch.getWorker() + "_chunk").str());
  if (!chunk)
    chunk = makeChunk(worker, hasSteps, stateType, form, runtime);

  // In the entry block, so that a launch in a loop takes no more stack.
  Value state;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(
        &launch->getParentOfType<func::FuncOp>().front());
    Value one = LLVM::ConstantOp::create(builder, i64, 1);
    state = LLVM::AllocaOp::create(builder, pointer, stateType, one);
  }
  for (auto [i, value] : llvm::enumerate(values))
    LLVM::StoreOp::create(builder, value,
                          getField(builder, stateType, state, i));
  Value function = func::ConstantOp::create(builder, chunk.getFunctionType(),
                                            SymbolRefAttr::get(chunk));
  function = UnrealizedConversionCastOp::create(builder, pointer, function)
                 .getResult(0);
  Value steps =
      hasSteps
          ? Value(arith::IndexCastOp::create(builder, i64, launch.getSteps()))
          : Value(arith::ConstantIntOp::create(builder, i64, -1));
  Value bytes = arith::ConstantIntOp::create(builder, i64, rowBytes);
  runtime.call(builder, "scanweave_run", {function, state, steps, bytes});
  launch.erase();
}
