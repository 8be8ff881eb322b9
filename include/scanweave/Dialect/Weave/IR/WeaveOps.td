// SPDX-License-Identifier: Apache-2.0
//
// The ops of the weave dialect, by subject.

#ifndef SCANWEAVE_DIALECT_WEAVE_IR_WEAVEOPS_TD
#define SCANWEAVE_DIALECT_WEAVE_IR_WEAVEOPS_TD

include "scanweave/Dialect/Weave/IR/WeaveBase.td"
include "scanweave/Dialect/Weave/IR/WeaveLoopOps.td"
include "scanweave/Dialect/Weave/IR/WeaveCollectiveOps.td"
include "scanweave/Dialect/Weave/IR/WeaveRandomOps.td"
include "scanweave/Dialect/Weave/IR/WeaveReduceOps.td"
include "scanweave/Dialect/Weave/IR/WeaveTeamOps.td"

#endif // SCANWEAVE_DIALECT_WEAVE_IR_WEAVEOPS_TD
