// SPDX-License-Identifier: Apache-2.0
//
// What the files of convert-weave-to-openmp share.

#ifndef SCANWEAVE_LIB_CONVERSION_WEAVETOOPENMP_H
#define SCANWEAVE_LIB_CONVERSION_WEAVETOOPENMP_H

#include "scanweave/Conversion/Passes.h"
#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace scanweave {

/// The runtime's functions (scanweave/Runtime/Runtime.h), declared in the
/// module where they are first called.
class RuntimeCalls {
public:
  explicit RuntimeCalls(mlir::ModuleOp module) : module(module) {}
  /// Calls a function of the runtime; returns its result or null.
  mlir::Value call(mlir::ImplicitLocOpBuilder &builder, llvm::StringRef name,
                   mlir::ValueRange arguments, mlir::Type result = {});

private:
  mlir::ModuleOp module;
};

/// The address of a buffer's first element.
mlir::Value getBufferPointer(mlir::ImplicitLocOpBuilder &builder,
                             const mlir::LLVMTypeConverter &types,
                             mlir::Value buffer);

/// The size of a buffer's element in memory: a bool takes a byte.
int64_t getElementBytes(mlir::Type element);

/// Lowers what happens inside one function that workers run.
class WorkerLowering {
public:
  WorkerLowering(mlir::func::FuncOp worker, ExchangeForm form,
                 const mlir::LLVMTypeConverter &types, RuntimeCalls &runtime)
      : worker(worker), form(form), types(types), runtime(runtime) {}

  void run();
  /// The size of the largest row that goes through the runtime's slots.
  int64_t getRowBytes() const { return rowBytes; }

private:
  /// Loads a field of the runtime's scanweave_worker, once, at the entry:
  /// exchanges between two uses would make LLVM load it again.
  mlir::Value loadTeamField(mlir::Value &cache, mlir::Value team, int field);
  mlir::Value getIndex(mlir::Value team) {
    return loadTeamField(index, team, 0);
  }
  mlir::Value getSize(mlir::Value team) { return loadTeamField(size, team, 1); }

  void lowerAllReduce(AllReduceOp op);
  void lowerGatherShards(GatherShardsOp op);
  void lowerBarrier(mlir::ImplicitLocOpBuilder &builder, mlir::Value team);
  /// dest[outer][extent][inner] becomes all workers' [outer][part][inner], in
  /// the runtime or, in the plain form, by the workers themselves.
  void gather(mlir::ImplicitLocOpBuilder &builder, mlir::Value team,
              mlir::Value shard, mlir::Value dest, mlir::Value outer,
              mlir::Value extent, mlir::Value innerBytes);
  /// A buffer of a type, allocated outside of all loops around `op` that its
  /// sizes don't depend on, and freed behind them.
  mlir::Value makeTemporary(mlir::Operation *op, mlir::MemRefType type,
                            mlir::ValueRange sizes);

  mlir::func::FuncOp worker;
  ExchangeForm form;
  const mlir::LLVMTypeConverter &types;
  RuntimeCalls &runtime;
  mlir::Value index, size;
  int64_t rowBytes = 0;
};

/// Whether a launch hands over what its worker takes.
mlir::LogicalResult checkLaunch(LaunchOp launch);

/// Makes a worker take each buffer as its address and dynamic sizes. Not left
/// to convert-func-to-llvm, which would pass a whole descriptor and drop what
/// is known of the buffer (noalias).
mlir::LogicalResult flattenArguments(mlir::func::FuncOp worker,
                                     const mlir::LLVMTypeConverter &types);

/// Lowers a launch of a worker with flat arguments: a chunk function that opens
/// the parallel region, made once for each worker, and the call that hands it
/// to the runtime.
void lowerLaunch(LaunchOp launch, int64_t rowBytes, ExchangeForm form,
                 const mlir::LLVMTypeConverter &types, RuntimeCalls &runtime);

} // namespace scanweave

#endif // SCANWEAVE_LIB_CONVERSION_WEAVETOOPENMP_H
