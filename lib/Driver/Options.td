// SPDX-License-Identifier: Apache-2.0
//
// The command line of weavec. Its options are its own: none of LLVM's many
// appear or clash.

include "llvm/Option/OptParser.td"

class LongFlag<string name> : Flag<["--", "-"], name>;
class LongJoined<string name> : Joined<["--", "-"], name # "=">;

def output : Separate<["-"], "o">, MetaVarName<"<file>">,
  HelpText<"Write to <file>; - is the standard output. Default: the program's name, and the standard output for text">;
def emit : LongJoined<"emit">, MetaVarName<"<kind>">,
  HelpText<"What to write: exe (default), obj, llvm or mlir">;
def stop_after : LongJoined<"stop-after">, MetaVarName<"<pass>">,
  HelpText<"Print the program as it is after <pass> ran for the first time">;
def run : LongFlag<"run">,
  HelpText<"Compile and run at once; what follows -- goes to the program">;

def O0 : Flag<["-"], "O0">,
  HelpText<"One lane after the other, nothing partitioned or batched">;
def O2 : Flag<["-"], "O2">,
  HelpText<"Optimise and partition over workers (default)">;
def llvm_opt : LongJoined<"llvm-opt">, MetaVarName<"<n>">,
  HelpText<"LLVM's optimisation level, 0 to 3 (default 3); values never depend on it">;
def target_cpu : LongJoined<"target-cpu">, MetaVarName<"<cpu>">,
  HelpText<"The CPU to compile for; x86-64-v3 is the least (default native)">;
def exchange : LongJoined<"exchange">, MetaVarName<"<form>">,
  HelpText<"How workers exchange values: slots (default) or omp, in plain OpenMP">;
def mllvm : Separate<["-"], "mllvm">, MetaVarName<"<option>">, Flags<[HelpHidden]>,
  HelpText<"Give <option> to LLVM">;

def report : LongFlag<"report">,
  HelpText<"Print exchanges, copies and allocations per step, and what was not partitioned and why">;
def fail_on : CommaJoined<["--", "-"], "fail-on=">, MetaVarName<"<limits>">,
  HelpText<"Fail if a loop exceeds a limit: copy, alloc, copy=<n>, alloc=<n>, exchange=<n>">;

def help : LongFlag<"help">, HelpText<"Print this text">;
def h : Flag<["-"], "h">, Alias<help>;
def version : LongFlag<"version">, HelpText<"Print the version">;
