# SPDX-License-Identifier: Apache-2.0
#
# The lit suites: tests that run weave-opt, weavec or a compiled program and
# check what it prints.

import os

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "scanweave"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
# GoogleTest binaries are ctest's; Inputs holds what other tests read.
config.excludes = ["Unit", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.scanweave_build_dir, "test")

# The tier: `--param tier=long`, else the environment, else ci. A test of a
# higher tier than its suite says `REQUIRES: ci` or `REQUIRES: long`.
TIERS = ["quick", "ci", "long"]
tier = lit_config.params.get("tier", os.environ.get("SCANWEAVE_TIER", "ci"))
if tier not in TIERS:
    lit_config.fatal(f"unknown tier '{tier}': expected one of {', '.join(TIERS)}")
config.available_features.update(TIERS[: TIERS.index(tier) + 1])

# Ours come before LLVM's on the path, and no other version of LLVM's is found.
own_tools = ["weave-opt", "weavec"]
llvm_tools = ["FileCheck", "count", "not", "split-file", "mlir-opt", "mlir-translate", "mlir-runner",
              "llc", "opt", "llvm-nm", "llvm-objdump", "llvm-readelf"]
llvm_config.with_environment("PATH", [config.scanweave_tools_dir, config.llvm_tools_dir], append_path=True)
for tool in own_tools:
    # Written `weavec` in REQUIRES lines.
    if os.path.exists(os.path.join(config.scanweave_tools_dir, tool)):
        config.available_features.add(tool)
llvm_config.add_tool_substitutions(
    [ToolSubst(tool, unresolved="ignore") for tool in own_tools + llvm_tools],
    [config.scanweave_tools_dir, config.llvm_tools_dir])

config.substitutions.append(("%runtime_shared", config.runtime_shared))
if config.runtime_shared and os.path.exists(config.runtime_shared):
    config.available_features.add("runtime-shared")
config.substitutions.append(("%mlir_lib_dir", config.mlir_lib_dir))
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%source_dir", config.scanweave_source_dir))
config.substitutions.append(("%build_dir", config.scanweave_build_dir))

# What changes the runtime's behaviour must not leak in from the caller.
for variable in list(config.environment):
    if variable.startswith(("OMP_", "KMP_", "SCANWEAVE_")):
        del config.environment[variable]
if config.sanitizers:
    config.available_features.add("sanitizers")
    # LLVM's libraries keep memory until the end of the process.
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0"
