// SPDX-License-Identifier: Apache-2.0
//
// The pipelines. Every order that matters says why.

#include "scanweave/Pipelines/Pipelines.h"

#include "scanweave/Dialect/Weave/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace scanweave;

void scanweave::buildMeaningPipeline(OpPassManager &pm) {
  // The inliner would clean up what it inlines, before it is made total.
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createSymbolDCEPass());
  // Before anything folds: arith's folders delete what is undefined, and
  // math's fold constants through the host's libm.
  pm.addPass(createMakeTotal());
  pm.addPass(createExpandMath());
  // Before vmap changes shapes: the order is that of the op as written.
  pm.addPass(createFixReductions());
  pm.addPass(createCanonicalizerPass());
  // Before lanes become loops or batches: neither could wait for other lanes.
  pm.addPass(createSplitCollectives());
  pm.addPass(createCanonicalizerPass());
}

void scanweave::buildPartitionPipeline(OpPassManager &pm) {
  pm.addPass(createBatchVmap());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Extents must be known outside of the scans that they don't change in.
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createInferPlacement());
  pm.addPass(createHoistPartition());
  pm.addPass(createCanonicalizerPass());
  // Each use of a part has its own shard_range until here.
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
}

void scanweave::buildLoopPipeline(OpPassManager &pm) {
  pm.addPass(createLowerMaps());
  // Scans go before random draws, since the keys that a scan takes are drawn
  // in its body.
  pm.addPass(createLowerScan());
  pm.addPass(createExpandRandom());
  pm.addPass(createExpandReductions());
  pm.addPass(createCanonicalizerPass());
}

void scanweave::buildBufferPipeline(OpPassManager &pm, bool fuse) {
  // To bufferization a worker is a function, since it has no model for a
  // region that several threads run.
  pm.addPass(createOutlineWorkers());
  pm.addPass(createLowerElementwise());
  if (fuse) {
    pm.addPass(createFuseElementwise());
    pm.addPass(createCanonicalizerPass());
  }
  // From here to bufferization there is no CSE and no canonicalisation: they
  // would merge equal fills and empties, each of which wants a buffer of its
  // own, and undo the copies that carries need.
  SettleCarriesOptions settle;
  if (!fuse)
    settle.maxPeriod = 1;
  pm.addPass(createSettleCarries(settle));
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addPass(createMergeSlices());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  // For a program's own loops; those of scans update their buffers.
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addPass(bufferization::createDropEquivalentBufferResultsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Buffers leave loops before anything frees them in the loop.
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  bufferization::PromoteBuffersToStackPassOptions stack;
  stack.maxAllocSizeInBytes = 16 * 1024;
  stack.maxRankOfAllocatedMemRef = 8;
  pm.addNestedPass<func::FuncOp>(
      bufferization::createPromoteBuffersToStackPass(stack));
  bufferization::buildBufferDeallocationPipeline(pm);
  // After deallocation, which would take a heap buffer for one to free.
  pm.addNestedPass<func::FuncOp>(createHoistAllocas());
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void scanweave::buildLLVMPipeline(OpPassManager &pm,
                                  const PipelineOptions &options,
                                  bool vectorize) {
  if (options.entry)
    pm.addPass(createEmitEntry());
  pm.addPass(createConvertWeaveToOpenMP({options.exchange}));
  // Exchanges have made copies of their own: what is left of them would become
  // calls of a function that no binary has.
  pm.addPass(createLowerCopies());
  pm.addPass(createWidenSmallFloats());
  if (vectorize) {
    VectorizeOptions registers;
    registers.vectorBytes = options.vectorBytes;
    pm.addPass(createVectorize(registers));
  }
  pm.addPass(createConvertLinalgToLoopsPass());
  pm.addPass(createLowerAsserts());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(memref::createFoldMemRefAliasOpsPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertOpenMPToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createVerifyRounding());
}

void scanweave::buildSequentialPipeline(OpPassManager &pm,
                                        const PipelineOptions &options) {
  if (options.entry)
    pm.addPass(createSpecialiseResults());
  buildMeaningPipeline(pm);
  buildLoopPipeline(pm);
  buildBufferPipeline(pm, /*fuse=*/false);
  buildLLVMPipeline(pm, options, /*vectorize=*/false);
}

void scanweave::buildParallelPipeline(OpPassManager &pm,
                                      const PipelineOptions &options) {
  // Results that nobody asks for take their work with them, from the start.
  if (options.entry)
    pm.addPass(createSpecialiseResults());
  buildMeaningPipeline(pm);
  buildPartitionPipeline(pm);
  buildLoopPipeline(pm);
  buildBufferPipeline(pm, /*fuse=*/true);
  buildLLVMPipeline(pm, options, /*vectorize=*/true);
}

void scanweave::registerPipelines() {
  PassPipelineRegistration<>("weave-meaning",
                             "Fix what a program means, to the bit",
                             buildMeaningPipeline);
  PassPipelineRegistration<>("weave-partition",
                             "Batch vmaps and partition over workers",
                             buildPartitionPipeline);
  PassPipelineRegistration<>("weave-loops",
                             "Lower maps, draws, reductions and scans to loops",
                             buildLoopPipeline);
  PassPipelineRegistration<>(
      "weave-buffers", "From tensors to buffers",
      [](OpPassManager &pm) { buildBufferPipeline(pm, /*fuse=*/true); });
  PassPipelineRegistration<PipelineOptions>(
      "weave-llvm", "From buffers to the LLVM and OpenMP dialects",
      [](OpPassManager &pm, const PipelineOptions &options) {
        buildLLVMPipeline(pm, options, /*vectorize=*/true);
      });
  PassPipelineRegistration<PipelineOptions>(
      "weave-sequential", "The whole way on one worker: the oracle",
      buildSequentialPipeline);
  PassPipelineRegistration<PipelineOptions>(
      "weave-parallel", "The whole way, partitioned over workers",
      buildParallelPipeline);
}
