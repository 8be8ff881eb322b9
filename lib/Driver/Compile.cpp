// SPDX-License-Identifier: Apache-2.0
//
// Compiles a file: MLIR's pipelines, LLVM's, the linker, and what comes of it
// to its place.

#include "scanweave/Driver/Compile.h"

#include "Link.h"
#include "NativeCode.h"
#include "OutputFile.h"
#include "Run.h"
#include "StopAfter.h"
#include "scanweave/Driver/Register.h"
#include "scanweave/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace scanweave;

namespace {

/// One run of the compiler. Each step returns what went wrong, if anything did.
class Compilation {
public:
  explicit Compilation(const CompileOptions &options) : options(options) {}

  int run() {
    ExitCode code = compile();
    if (code != ExitCode::success || !options.run)
      return static_cast<int>(code);
    return runProgram(output.getPath(), options.input,
                      options.programArguments);
  }

private:
  ExitCode compile() {
    auto created = createTargetMachine(options.cpu, options.llvmLevel);
    if (!created)
      return complain(created.takeError(), ExitCode::usage);
    machine = std::move(*created);
    // Before any work is done that may be in vain.
    if (llvm::Error error = options.run ? output.openTemporary("")
                                        : output.open(options.output))
      return complain(std::move(error), ExitCode::file);
    std::string message;
    auto file = openInputFile(options.input, &message);
    if (!file)
      return complain(message, ExitCode::file);
    auto sources = std::make_shared<llvm::SourceMgr>();
    sources->AddNewSourceBuffer(std::move(file), llvm::SMLoc());

    DialectRegistry registry;
    registerDialects(registry);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    SourceMgrDiagnosticHandler printer(*sources, &context);
    // Remarks are part of the report.
    ScopedDiagnosticHandler filter(&context, [&](Diagnostic &diagnostic) {
      return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark &&
                     !options.report);
    });
    auto module = parseSourceFile<ModuleOp>(sources, &context);
    if (!module)
      return ExitCode::programError;
    if (ExitCode code = lower(*module); code != ExitCode::success)
      return code;
    if (options.kind == OutputKind::mlir)
      return write([&](llvm::raw_pwrite_stream &os) {
        module->print(os);
        os << '\n';
        return llvm::Error::success();
      });
    return generateCode(*module);
  }

  /// MLIR's part.
  ExitCode lower(ModuleOp module) {
    PassManager passes(module->getName());
    PipelineOptions pipeline;
    pipeline.exchange = options.exchange;
    pipeline.vectorBytes = getVectorBytes(*machine);
    if (options.optimize)
      buildParallelPipeline(passes, pipeline);
    else
      buildSequentialPipeline(passes, pipeline);
    if (!options.stopAfter.empty()) {
      if (!llvm::is_contained(getPassNames(passes), options.stopAfter))
        return complain(
            "--stop-after: there is no pass '" + options.stopAfter +
                "' in this pipeline: " + llvm::join(getPassNames(passes), ", "),
            ExitCode::usage);
      module.getContext()->registerActionHandler(StopAfter(options.stopAfter));
    }
    Report report;
    bool needsReport = options.report || options.limits;
    if (needsReport)
      passes.addInstrumentation(
          std::make_unique<ReportInstrumentation>(report));
    if (failed(passes.run(module)))
      return ExitCode::programError;
    if (options.report) {
      // Behind text that goes to the standard output nobody would find it.
      bool isTaken = options.output == "-" && !options.run;
      report.print(isTaken ? llvm::errs() : llvm::outs());
      llvm::outs().flush();
    }
    if (options.limits && failed(report.check(*options.limits)))
      return ExitCode::limit;
    return ExitCode::success;
  }

  /// LLVM's part.
  ExitCode generateCode(ModuleOp module) {
    llvm::LLVMContext context;
    // LLVM's own handler would end the process.
    bool hasErrors = false;
    context.setDiagnosticHandlerCallBack(
        [](const llvm::DiagnosticInfo *info, void *hasErrors) {
          if (info->getSeverity() != llvm::DS_Error)
            return;
          *static_cast<bool *>(hasErrors) = true;
          llvm::DiagnosticPrinterRawOStream os(
              llvm::WithColor::error(llvm::errs(), "weavec"));
          info->print(os);
          llvm::errs() << '\n';
        },
        &hasErrors);
    std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(
        module, context, llvm::sys::path::filename(options.input));
    if (!code)
      return ExitCode::programError;
    code->setTargetTriple(machine->getTargetTriple());
    code->setDataLayout(machine->createDataLayout());
    optimize(*code, *machine, options.llvmLevel);
    if (hasErrors)
      return ExitCode::programError;
    if (options.kind == OutputKind::llvmIR)
      return write([&](llvm::raw_pwrite_stream &os) {
        code->print(os, nullptr);
        return llvm::Error::success();
      });
    auto emit = [&](llvm::raw_pwrite_stream &os) {
      return emitObject(*code, *machine, os);
    };
    if (options.kind == OutputKind::object)
      return write(emit, &hasErrors);

    OutputFile object;
    if (llvm::Error error = object.openTemporary("o"))
      return complain(std::move(error), ExitCode::file);
    if (ExitCode code = writeTo(object, emit); code != ExitCode::success)
      return code;
    if (hasErrors)
      return ExitCode::programError;
    if (llvm::Error error = link(object.getPath(), output.getPath()))
      return complain(std::move(error), ExitCode::link);
    return options.run ? ExitCode::success : commit();
  }

  using Writer = llvm::function_ref<llvm::Error(llvm::raw_pwrite_stream &)>;

  ExitCode writeTo(const OutputFile &file, Writer writer) {
    std::error_code code;
    llvm::raw_fd_ostream os(file.getPath(), code);
    llvm::Error error = code ? llvm::errorCodeToError(code) : writer(os);
    os.flush();
    if (!error && os.has_error())
      error = llvm::errorCodeToError(os.error());
    os.clear_error();
    if (error)
      return complain("cannot write '" + file.getPath() +
                          "': " + llvm::toString(std::move(error)),
                      ExitCode::file);
    return ExitCode::success;
  }

  ExitCode write(Writer writer, const bool *hasErrors = nullptr) {
    if (ExitCode code = writeTo(output, writer); code != ExitCode::success)
      return code;
    return hasErrors && *hasErrors ? ExitCode::programError : commit();
  }

  ExitCode commit() {
    if (llvm::Error error = output.commit())
      return complain(std::move(error), ExitCode::file);
    return ExitCode::success;
  }

  static ExitCode complain(const Twine &message, ExitCode code) {
    llvm::WithColor::error(llvm::errs(), "weavec") << message << '\n';
    return code;
  }
  static ExitCode complain(llvm::Error error, ExitCode code) {
    return complain(llvm::toString(std::move(error)), code);
  }

  const CompileOptions &options;
  std::unique_ptr<llvm::TargetMachine> machine;
  OutputFile output;
};

} // namespace

int scanweave::compile(const CompileOptions &options) {
  return Compilation(options).run();
}
