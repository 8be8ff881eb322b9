// SPDX-License-Identifier: Apache-2.0
//
// Target machines, LLVM's pipeline and object files.

#include "NativeCode.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;
using namespace scanweave;

/// The features that x86-64-v3 adds to its forerunners: what the code
/// generator may count on, math.fma above all.
static constexpr StringLiteral floorFeatures =
    "+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe";

static std::string getHostFeatures() {
  SubtargetFeatures features;
  for (const auto &feature : sys::getHostCPUFeatures())
    features.AddFeature(feature.first(), feature.second);
  return features.getString();
}

static CodeGenOptLevel getCodeGenLevel(unsigned level) {
  return *CodeGenOpt::getLevel(static_cast<int>(level));
}

Expected<std::unique_ptr<TargetMachine>>
scanweave::createTargetMachine(StringRef cpu, unsigned level) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  Triple triple(sys::getDefaultTargetTriple());
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError("no code generator for %s: %s",
                             triple.str().c_str(), message.c_str());
  bool isNative = cpu == "native";
  std::string name = isNative ? sys::getHostCPUName().str() : cpu.str();
  std::string features = isNative ? getHostFeatures() : std::string();
  std::unique_ptr<MCSubtargetInfo> known(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!known->isCPUStringValid(name))
    return createStringError(
        "'%s' is no CPU that LLVM knows for %s", name.c_str(),
        Triple::getArchTypeName(triple.getArch()).str().c_str());

  TargetOptions options;
  // Whether a product and a sum round once is decided before.
  options.AllowFPOpFusion = FPOpFusion::Strict;
  std::unique_ptr<TargetMachine> machine(
      target->createTargetMachine(triple, name, features, options, Reloc::PIC_,
                                  std::nullopt, getCodeGenLevel(level)));
  if (triple.isX86() &&
      !machine->getMCSubtargetInfo()->checkFeatures(floorFeatures))
    return createStringError(
        "%s'%s' is below x86-64-v3 (AVX2 and FMA), the least that programs "
        "run on%s",
        isNative ? "this machine's CPU " : "CPU ", name.c_str(),
        isNative ? "; compile for another one with --target-cpu" : "");
  return machine;
}

unsigned scanweave::getVectorBytes(const TargetMachine &machine) {
  if (!machine.getTargetTriple().isX86())
    return 16;
  return machine.getMCSubtargetInfo()->checkFeatures("+avx512f,+avx512vl") ? 64
                                                                           : 32;
}

/// LLVM uses half of AVX-512's width by default, for the sake of the clock of
/// old CPUs; random draws are nearly twice as fast with all of it.
static void preferWideVectors(Module &module, TargetMachine &machine) {
  if (getVectorBytes(machine) < 64)
    return;
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr("prefer-vector-width", "512");
}

/// Writes the features that may be used into the program, for the runtime to
/// check at its start.
static void recordFeatures(Module &module, TargetMachine &machine) {
  std::string used;
  auto record = [&](StringRef name) {
    if (machine.getMCSubtargetInfo()->checkFeatures(("+" + name).str()))
      used += (used.empty() ? "" : ",") + name.str();
  };
#define SCANWEAVE_CPU_FEATURE(name, ...) record(name);
#include "scanweave/Runtime/CpuFeatures.def"
  Constant *text = ConstantDataArray::getString(module.getContext(), used);
  new GlobalVariable(module, text->getType(), /*isConstant=*/true,
                     GlobalValue::ExternalLinkage, text,
                     "scanweave_cpu_features");
}

/// Has the functions that run before that check use what every x86-64 has.
static void keepStartPlain(Module &module) {
  for (StringRef name : {"main", "scanweave_run_default"})
    if (Function *function = module.getFunction(name)) {
      function->addFnAttr("target-cpu", "x86-64");
      function->addFnAttr("target-features", "");
    }
}

void scanweave::optimize(Module &module, TargetMachine &machine,
                         unsigned level) {
  preferWideVectors(module, machine);
  if (machine.getTargetTriple().isX86()) {
    recordFeatures(module, machine);
    keepStartPlain(module);
  }
  // Nobody outside calls what is not an entry.
  internalizeModule(module, [](const GlobalValue &value) {
    return value.getName() == "main" ||
           value.getName().starts_with("scanweave_");
  });
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = level >= 2;
  tuning.LoopInterleaving = level >= 2;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  const OptimizationLevel levels[] = {
      OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
      OptimizationLevel::O3};
  ModulePassManager passes =
      level == 0 ? builder.buildO0DefaultPipeline(levels[0])
                 : builder.buildPerModuleDefaultPipeline(levels[level]);
  passes.run(module, modules);
}

Error scanweave::emitObject(Module &module, TargetMachine &machine,
                            raw_pwrite_stream &os) {
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr,
                                  CodeGenFileType::ObjectFile))
    return createStringError("LLVM has no object files for %s",
                             module.getTargetTriple().str().c_str());
  passes.run(module);
  return Error::success();
}
