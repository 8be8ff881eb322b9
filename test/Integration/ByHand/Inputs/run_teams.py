# SPDX-License-Identifier: Apache-2.0
"""Runs a program on buffers with teams of many sizes and both forms of
exchanges, and prints what it prints if that is always the same.

Lowers it with weave-opt, has mlir-opt and mlir-translate accept the result, and
runs it with mlir-runner.
"""

import argparse
import os
import re
import subprocess
import sys


TEAMS = {"slots": [1, 2, 3, 4, 5, 8, 16], "omp": [1, 2, 5, 16]}


def run(command, environment=None):
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="a module on buffers with a @main")
    parser.add_argument("--runtime", required=True, help="the runtime's shared library")
    parser.add_argument("--mlir-libs", required=True, help="the folder of MLIR's runner libraries")
    arguments = parser.parse_args()

    libraries = [os.path.join(arguments.mlir_libs, name)
                 for name in ("libmlir_runner_utils.so", "libmlir_c_runner_utils.so", "libomp.so")]
    libraries.insert(0, arguments.runtime)
    first = None
    for exchange, teams in TEAMS.items():
        lowered = f"{arguments.program}.{exchange}.mlir"
        run(["weave-opt", arguments.program, f"-weave-llvm=entry=false exchange={exchange}", "-o", lowered])
        run(["mlir-opt", lowered, "-o", os.devnull])
        run(["mlir-translate", "-mlir-to-llvmir", lowered, "-o", os.devnull])
        for team in teams:
            environment = dict(os.environ, SCANWEAVE_THREADS=str(team), SCANWEAVE_FORCE_THREADS="1")
            output = run(["mlir-runner", "-O3", "-e", "main", "-entry-point-result=void",
                          "-shared-libs=" + ",".join(libraries), lowered], environment)
            # Where the data lies is no part of it.
            output = re.sub(r"base@ = 0x[0-9a-f]+ ", "", output)
            if first is None:
                first = output
                sys.stdout.write(output)
            elif output != first:
                sys.exit(f"{team} workers, exchange={exchange}, print something else:\n{output}")


if __name__ == "__main__":
    main()
