// SPDX-License-Identifier: Apache-2.0
//
// The way of a program through the compiler, one function per phase.

#ifndef SCANWEAVE_PIPELINES_PIPELINES_H
#define SCANWEAVE_PIPELINES_PIPELINES_H

#include "scanweave/Conversion/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace scanweave {

/// Options of the whole pipelines.
struct PipelineOptions : mlir::PassPipelineOptions<PipelineOptions> {
  Option<bool> entry{
      *this, "entry",
      llvm::cl::desc("Emit a main function with a command line for @main"),
      llvm::cl::init(true)};
  Option<ExchangeForm> exchange{
      *this, "exchange", llvm::cl::desc("How workers exchange values"),
      llvm::cl::values(clEnumValN(ExchangeForm::slots, "slots",
                                  "through the runtime's slots"),
                       clEnumValN(ExchangeForm::omp, "omp",
                                  "with omp.barrier and shared arrays")),
      llvm::cl::init(ExchangeForm::slots)};
  Option<unsigned> vectorBytes{
      *this, "vector-bytes",
      llvm::cl::desc("Size of the target's vector registers; 0 leaves vectors "
                     "to LLVM"),
      llvm::cl::init(32)};
};

/// Fixes what a program means: total operations, the order of reductions,
/// functions in arithmetic; and takes collectives apart.
void buildMeaningPipeline(mlir::OpPassManager &pm);

/// Batches vmaps and partitions scans and pmaps over workers.
void buildPartitionPipeline(mlir::OpPassManager &pm);

/// Lowers maps, draws, reductions and scans to loops on tensors.
void buildLoopPipeline(mlir::OpPassManager &pm);

/// From tensors to buffers. `fuse` merges elementwise loops before, and rotates
/// carries between buffers instead of copying them.
void buildBufferPipeline(mlir::OpPassManager &pm, bool fuse);

/// From buffers to the LLVM and OpenMP dialects, and checks the rounding.
/// `vectorize` makes loops over the target's vectors.
void buildLLVMPipeline(mlir::OpPassManager &pm, const PipelineOptions &options,
                       bool vectorize);

/// The whole way, one lane after the other on one worker: the oracle (-O0).
void buildSequentialPipeline(mlir::OpPassManager &pm,
                             const PipelineOptions &options);

/// The whole way, partitioned over workers (-O2).
void buildParallelPipeline(mlir::OpPassManager &pm,
                           const PipelineOptions &options);

/// Registers all of these under names that begin with `weave-`.
void registerPipelines();

} // namespace scanweave

#endif // SCANWEAVE_PIPELINES_PIPELINES_H
