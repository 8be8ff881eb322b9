// SPDX-License-Identifier: Apache-2.0
//
// Passes that lower workers, elementwise code and carries to loops on buffers, in the order
// in which the pipelines run them.

#ifndef SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_BUFFERPASSES_TD
#define SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_BUFFERPASSES_TD

include "mlir/Pass/PassBase.td"

def OutlineWorkers : Pass<"weave-outline-workers", "::mlir::ModuleOp"> {
  let summary = "make each weave.spmd body a function that every worker runs";
  let description = [{
    Requires: tensors (runs before bufferization), maps lowered.

    The body of a `weave.spmd` becomes a private function without results,
    whose arguments are the team, with `steps` the first and last step, the
    captured values, then the inits. Tensors become memrefs that don't alias
    (`llvm.noalias`), read through `bufferization.to_tensor`. To one-shot
    bufferization a captured value or replicated init is read-only, so that a
    worker which changes it gets a private copy, once a chunk; an init that is
    written in place, or of which the worker only reads and writes its own
    shard, is writable. Constants, empty tensors and fills are cloned next to
    their uses instead of captured, extents are passed as numbers.

    `weave.finish` becomes stores into the inits: what the worker owns first,
    then, behind a `weave.barrier`, the replicated values by worker 0. The
    region itself becomes a `weave.launch` in destination style.

    Left alone: everything else in the body, and the program around it.

    Before:

        %r = weave.spmd steps(%n) inits(%x : tensor<10xf32>) {
        ^bb0(%team: !weave.team, %first: index, %last: index, %c: tensor<10xf32>):
          %y = scf.for %i = %first to %last step %c1 iter_args(%a = %c) -> (tensor<10xf32>) {...}
          weave.finish %y replicated : tensor<10xf32>
        } -> tensor<10xf32>

    After:

        %r = weave.launch @main_worker_0 steps(%n) inits(%x : tensor<10xf32>) -> tensor<10xf32>

        func.func private @main_worker_0(%team: !weave.team, %first: index, %last: index,
                                         %m: memref<10xf32> {llvm.noalias}) {
          %c = bufferization.to_tensor %m restrict : memref<10xf32> to tensor<10xf32>
          %y = scf.for %i = %first to %last step %c1 iter_args(%a = %c) -> (tensor<10xf32>) {...}
          weave.barrier %team
          scf.if %is_worker_0 {
            bufferization.materialize_in_destination %y in writable %m
          }
          return
        }
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def LowerElementwise : Pass<"weave-lower-elementwise"> {
  let summary = "lower arithmetic on tensors to linalg.generic";
  let description = [{
    Requires: nothing; runs shortly before bufferization.

    Each elementwise op on ranked tensors, of any dialect, becomes a
    `linalg.generic` into a destination of its own, a `tensor.empty`; also a
    selection between tensors by one condition, which would be either of two
    buffers. Operands whose dynamic extents are not known to agree are compared
    at run time (`cf.assert`).

    Leaves alone: everything else.

        %c = arith.addf %a, %b : tensor<4xf32>

    becomes

        %e = tensor.empty() : tensor<4xf32>
        %c = linalg.generic {indexing_maps = [...], iterator_types = ["parallel"]}
            ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
        ^bb0(%x: f32, %y: f32, %out: f32):
          %z = arith.addf %x, %y : f32
          linalg.yield %z : f32
        } -> tensor<4xf32>
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FuseElementwise : Pass<"weave-fuse-elementwise"> {
  let summary = "make one loop of elementwise ops that belong together";
  let description = [{
    Requires: linalg ops on tensors.

    An elementwise `linalg.generic` that one op alone reads is computed there,
    element by element, by upstream's fusion of linalg ops: unless it would be
    computed more often than now, in a loop that it is outside of or along a
    dimension that it has not, and costs more than to load its result.

    Elementwise ops over the same extents, one of which reads a result of the
    other or both of which read a tensor, become one op of several results, if
    all that they read is known where it stands.

        %v = linalg.generic ... ins(%a, %b) { mulf }
        %w = linalg.generic ... ins(%a, %c) { addf }

    becomes

        %r:2 = linalg.generic ... ins(%a, %b, %c) { mulf, addf }
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SettleCarries : Pass<"weave-settle-carries"> {
  let summary = "give each carry a buffer that bufferization can keep it in";
  let description = [{
    Requires: tensors, scans lowered (their `scf.for` ties each next carry to
    the carry's buffer by `bufferization.materialize_in_destination`). Runs after
    elementwise ops are fused, right before bufferization: canonicalisation in
    between would undo copies that it makes.

    Ties of loops that canonicalisation or unrolling has dissolved are dropped.
    A next carry can be computed in the carry's own buffer if nothing reads the
    carry after, or while, it is written, but elementwise. Such loops are left
    alone. Otherwise the carry rotates: its next value goes to the buffer of
    another carry that is free then, or to a scratch buffer, and is back after
    as many steps as the rotation is long. The loop runs so many steps at a
    time, so that each buffer has a fixed name in each of them: no step copies
    or allocates. Up to `max-period` - 1 steps that are left over, loops whose
    rotation is longer than `max-period`, and `scf.while` copy.

    Before:

        %r = scf.for %i = %lo to %hi step %c1 iter_args(%u = %u0) -> (tensor<8xf32>) {
          %v = linalg.generic {... reads %u's neighbours ...}
          %t = bufferization.materialize_in_destination %v in %u
          scf.yield %t
        }

    After:

        %s0 = tensor.empty() : tensor<8xf32>
        %r:2 = scf.for %i = %lo to %even step %c2 iter_args(%u = %u0, %s = %s0) {
          %v = linalg.generic {... reads %u's neighbours ...}
          %t = bufferization.materialize_in_destination %v in %s
          %w = linalg.generic {... reads %t's neighbours ...}
          %q = bufferization.materialize_in_destination %w in %u
          scf.yield %q, %t
        }
        // ... and a loop over the step that may be left, which copies.
  }];
  let options = [
    Option<"maxPeriod", "max-period", "unsigned", "4",
           "Longest rotation that is unrolled; 1 copies always">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def MergeSlices : Pass<"weave-merge-slices"> {
  let summary = "use one value for equal slices of a tensor";
  let description = [{
    Runs between eliminate-empty-tensors and one-shot-bufferize. The former
    computes a value in a slice of its destination, and that may be the slice
    that the value is computed from. Bufferization sees that an elementwise op
    may read and write one place only if it is one value; else it would copy it
    first. Unlike `cse` this leaves fills and empty tensors alone, which want a
    buffer each.

    Before:

        %a = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1]
        %b = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1]
        %c = linalg.generic ins(%a) outs(%b) {...}

    After:

        %a = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1]
        %c = linalg.generic ins(%a) outs(%a) {...}
  }];
}

def Vectorize : Pass<"weave-vectorize"> {
  let summary = "lower linalg ops on buffers to loops over vectors";
  let description = [{
    Requires: buffers; runs in place of convert-linalg-to-loops for the ops that
    it can take, right before that pass takes the others.

    An op has lanes if one of its parallel loops is the last dimension of each
    operand that depends on it, with stride 1 there, and its body is arithmetic
    on numbers that memory and registers hold alike (not i1, not complex).
    The innermost such loop is cut into blocks of `vectors` registers of the
    widest number that varies along it, `vector-bytes` each; what does not vary
    stays scalar. Reduction loops run inside a block, in their order, with what
    they accumulate in registers. Where the iterations of another parallel loop
    load the same vectors, as the rows of a matrix product do, a block takes six
    rows of 2 registers (4 of 64 bytes), whose accumulators the registers hold,
    and reads them from a contiguous copy if the first cache could not hold them
    (Goto and van de Geijn, Anatomy of high-performance matrix multiplication,
    2008). A static remainder becomes blocks of falling
    powers of two, or one masked block where the body is long and that takes no
    more registers. A dynamic remainder becomes masked vectors, or single
    elements if the body has an op that must not run for no element.

    The numbers are those of the loops, to the bit: each element goes through
    the same operations.

    Leaves alone: ops without lanes; everything, if an option is 0.

        linalg.generic {... d0 -> d0 ...} ins(%a : memref<40xf32>) outs(%b : memref<40xf32>) {
        ^bb0(%x: f32, %out: f32):
          %y = math.sqrt %x : f32
          linalg.yield %y : f32
        }

    becomes, with 32 bytes,

        %0 = vector.load %a[%c0] : memref<40xf32>, vector<32xf32>
        %1 = math.sqrt %0 : vector<32xf32>
        vector.store %1, %b[%c0] : memref<40xf32>, vector<32xf32>
        %2 = vector.load %a[%c32] : memref<40xf32>, vector<8xf32>
        %3 = math.sqrt %2 : vector<8xf32>
        vector.store %3, %b[%c32] : memref<40xf32>, vector<8xf32>
  }];
  let options = [
    Option<"vectorBytes", "vector-bytes", "unsigned", "32",
           "Size of a vector register; 0 leaves all ops alone">,
    Option<"vectors", "vectors", "unsigned", "4",
           "How many registers a block takes; 0 leaves all ops alone">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

#endif // SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_BUFFERPASSES_TD
