// SPDX-License-Identifier: Apache-2.0
//
// Conversions from the weave dialect to others.

#ifndef SCANWEAVE_CONVERSION_PASSES_TD
#define SCANWEAVE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def HoistAllocas : Pass<"weave-hoist-allocas", "::mlir::func::FuncOp"> {
  let summary = "make stack buffers once a call, and not too many of them";
  let description = [{
    Requires: buffers, deallocated. Loops of regions (runs before
    convert-scf-to-cf).

    An alloca in a loop would take more stack in each step. All of static shape
    move to the beginning of the function; what exceeds `max-bytes` of them
    becomes a heap buffer, allocated once a call and freed at its end.

        scf.for %i = %lo to %hi step %c1 {
          %b = memref.alloca() : memref<4xf32>
          ...

    becomes

        %b = memref.alloca() : memref<4xf32>
        scf.for %i = %lo to %hi step %c1 {
          ...
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"256 * 1024",
           "the most stack that a function takes for buffers">
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def LowerCopies : Pass<"weave-lower-copies"> {
  let summary = "turn memref.copy into linalg.copy";
  let description = [{
    A `memref.copy` between strided buffers would become a call into a library
    of MLIR's that binaries don't have; a `linalg.copy` becomes a loop.

        memref.copy %a, %b : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>

    becomes

        linalg.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf32, strided<[1], offset: ?>>)
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def WidenSmallFloats : Pass<"weave-widen-small-floats"> {
  let summary = "do the arithmetic of small floats in f32, the same way everywhere";
  let description = [{
    What a processor does with bf16, and with `math.fma` of f16, depends on its
    instruction set: some round once, some twice, some flush subnormals, and the
    oldest call a library that not every system has. Here each operation on bf16,
    and each function of f16, is one on f32 whose result is rounded once more;
    the conversions of bf16 are arithmetic on its bits. Sums, products, quotients
    and square roots are correctly rounded even so; `math.fma` is rounded twice.

    Left alone: arithmetic on f16, which is the same everywhere.

        %c = arith.addf %a, %b : bf16

    becomes

        %x = (%a extended by zero bits) : f32
        %y = (%b extended by zero bits) : f32
        %z = arith.addf %x, %y : f32
        %c = (%z rounded to nearest even in integers) : bf16
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def EmitEntry : Pass<"weave-emit-entry", "::mlir::ModuleOp"> {
  let summary = "emit a program's descriptor, entries and main function";
  let description = [{
    Requires the variants of weave-specialise-results, on buffers.

    For each variant, emits the entry that the runtime calls with arrays of
    pointers to arguments and results (`scanweave_entry` in Runtime.h); a
    constant with the program's descriptor in JSON; and `main`, which hands
    them and the command line to `scanweave_main`. `scanweave_run_default` runs
    the program with the defaults of all arguments.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def LowerAsserts : Pass<"weave-lower-asserts", "::mlir::ModuleOp"> {
  let summary = "turn cf.assert into a message and a clean end";
  let description = [{
    A failed `cf.assert` ends the program through the runtime's
    `scanweave_fail`, with the assertion's place in the program and its message,
    instead of aborting it.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::scf::SCFDialect"];
}

def ConvertWeaveToOpenMP : Pass<"convert-weave-to-openmp", "::mlir::ModuleOp"> {
  let summary = "lower launches to omp.parallel and exchanges to the runtime";
  let description = [{
    Requires: buffers (runs after one-shot-bufferize), and that the ops left of
    the weave dialect are launches, exchanges and team queries.

    A `weave.launch` stores what it hands over in a struct on the stack and
    calls `scanweave_run` with a chunk function, which the runtime calls once or
    more. The chunk function opens an `omp.parallel` of the threads it is told;
    each thread becomes a worker, loads the struct and calls the worker
    function. Team queries become loads from the runtime's `scanweave_worker`
    and the arithmetic of the standard partition.

    With `exchange=slots` exchanges become calls of the runtime. With
    `exchange=omp` they stay in the OpenMP dialect: every worker writes down in
    an array where its part lies, `omp.barrier`, every worker copies all parts
    and combines them, `omp.barrier`. Both give the same bits. A sum of elements
    that the runtime has no number for (f16, bf16), or of rows whose length is
    dynamic, is gathered and then combined by each worker.

    Left alone: everything else. `convert-openmp-to-llvm`, `convert-scf-to-cf`,
    `finalize-memref-to-llvm` and `convert-func-to-llvm` finish the way to the
    LLVM dialect.

    Before:

        weave.launch @main_worker_0 steps(%n) ins(%std : f32) inits(%x : memref<10xf32>)

    After:

        llvm.store %std, %state[0]
        llvm.store %x_address, %state[1]
        call @scanweave_run(@main_worker_0_chunk, %state, %n, 40)

        func.func private @main_worker_0_chunk(%state: !llvm.ptr, %first: i64, %last: i64,
                                               %threads: i32, %team: !llvm.ptr) {
          omp.parallel num_threads(%threads : i32) {
            %worker = call @scanweave_worker_begin(%team)
            ...
            call @main_worker_0(%worker, %first, %last, %std, %x)
            call @scanweave_worker_end(%worker)
            omp.terminator
          }
          return
        }
  }];
  let options = [
    Option<"exchange", "exchange", "ExchangeForm", "ExchangeForm::slots",
           "How workers exchange values", [{::llvm::cl::values(
             clEnumValN(ExchangeForm::slots, "slots", "through the runtime's slots"),
             clEnumValN(ExchangeForm::omp, "omp", "with omp.barrier and shared arrays"))}]>
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::omp::OpenMPDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def VerifyRounding : Pass<"weave-verify-rounding"> {
  let summary = "check that nothing is left that lets LLVM choose a rounding";
  let description = [{
    Requires: the LLVM dialect (the last pass of the pipelines).

    Changes nothing. Reports each op whose result is not fixed to the bit: a
    fast-math flag, `llvm.intr.fmuladd`, a reduction of floats in no fixed
    order, an intrinsic of which LLVM makes a libm call, a call of a libm
    function, an op of the math dialect, a function attribute that allows
    unsafe arithmetic. `fmod`, `sqrt` and others that are exact by definition
    are fine.

        // error: 'llvm.fadd' op has the fast-math flags 'contract', with which
        //        LLVM chooses the rounding
        %s = llvm.fadd %a, %b {fastmathFlags = #llvm.fastmath<contract>} : f32
  }];
}

#endif // SCANWEAVE_CONVERSION_PASSES_TD
