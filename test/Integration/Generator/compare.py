#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles random programs with -O0 and -O2, runs them on several numbers of
workers, and compares all results bit for bit (a NaN equals a NaN). Many programs
are compiled as one module; where that fails, each is tried alone. Each --build
adds one more way to compile them.

    compare.py --weavec build/bin/weavec --seeds 60
    compare.py --weavec build/bin/weavec --first 1234 --seeds 1 --minimize
    compare.py --weavec build/bin/weavec --program FILE.mlir
    compare.py --build="-O2 --target-cpu=x86-64-v3" --build="-O0 --llvm-opt=0"
"""

import argparse
import ast
import concurrent.futures
import itertools
import os
import re
import struct
import subprocess
import sys
import tempfile
import time

from generate import generate
from program import module

FORMATS = {"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q", "|b1": "?", "|i1": "b", "<u4": "I"}


def read_npy(path):
    """(type, shape, bytes) of an .npy file."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:6] != b"\x93NUMPY":
        raise ValueError(f"{path} is no .npy file")
    size, begin = (struct.unpack("<H", data[8:10])[0], 10) if data[6] == 1 else (
        struct.unpack("<I", data[8:12])[0], 12)
    header = ast.literal_eval(data[begin:begin + size].decode("latin1"))
    return header["descr"], header["shape"], data[begin + size:]


def difference(expected, found):
    """The first place where two results differ, in words; None if they are equal."""
    if expected[:2] != found[:2]:
        return f"expected {expected[0]} of shape {expected[1]}, found {found[0]} of shape {found[1]}"
    if expected[2] == found[2]:
        return None
    kind = FORMATS[expected[0]]
    size = struct.calcsize(kind)
    if len(expected[2]) != len(found[2]):
        return f"expected {len(expected[2])} bytes, found {len(found[2])}"
    for i in range(len(expected[2]) // size):
        a, b = (data[i * size:(i + 1) * size] for data in (expected[2], found[2]))
        x, y = struct.unpack(kind, a)[0], struct.unpack(kind, b)[0]
        if a != b and (x == x or y == y):
            return f"element {i} of shape {expected[1]}: expected {x!r}, found {y!r}"
    return None


class Failure(Exception):
    """What went wrong, and with which results (none: with the whole module)."""

    def __init__(self, what, results=()):
        super().__init__(what)
        self.results = list(results)

    def kind(self):
        """What stays the same when the program gets smaller."""
        lines = str(self).split("\n")[:1 if self.results else 2]
        return [re.sub(r" in p\d.*|\S*programs\.mlir:[\d:]*", "", line) for line in lines]


class Tester:
    def __init__(self, options):
        self.options = options

    def execute(self, what, command, seconds):
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
        except subprocess.TimeoutExpired:
            raise Failure(f"{what} does not end within {seconds} s")
        if done.returncode != 0:
            lines = done.stdout.decode(errors="replace").splitlines()
            # The diagnostics that matter come before a stack dump, after the remarks.
            telling = [l for l in lines if re.search(r"error:|Assertion|failed|LLVM ERROR", l)] or lines[-5:]
            text = "\n    ".join(telling[:6])
            raise Failure(f"{what} ends with {done.returncode}\n    {text}")

    def check(self, picks):
        """Compares one module; `picks` as for program.module."""
        self.check_source(*module(picks))

    def check_source(self, text, names):
        """Compares a program with the given named results, and gives those of -O0."""
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "programs.mlir")
            with open(source, "w") as file:
                file.write(text)
            reference = None
            for build in ["-O0", "-O2"] + self.options.build:
                flags = build.split()
                # Nothing is partitioned at -O0: there is one worker.
                sequential = "-O0" in flags
                binary = os.path.join(folder, "binary")
                self.execute(f"weavec {build}", [self.options.weavec, *flags, source, "-o", binary] +
                             self.options.flag, self.options.timeout)
                for count in [1] if sequential else self.options.threads:
                    run = f"the {build} program on {count} workers"
                    files = {name: os.path.join(folder, f"{name}.npy") for name in names}
                    command = [binary, "--threads", str(count)]
                    if not sequential:
                        command.append("--force-threads")
                    for name, path in files.items():
                        command += [f"--{name}", path]
                    self.execute(run, command, self.options.timeout)
                    results = {name: read_npy(path) for name, path in files.items()}
                    if reference is None:
                        reference = results
                        continue
                    wrong = {name: difference(reference[name], results[name]) for name in names}
                    wrong = {name: text for name, text in wrong.items() if text}
                    if wrong:
                        first = next(iter(wrong))
                        raise Failure(f"{run} differs from -O0 in {', '.join(wrong)}\n    {first}: {wrong[first]}",
                                      wrong)
            return reference

    def whole(self, seed):
        program = generate(seed, self.options.without)
        return (program, list(range(len(program.results))), frozenset())

    def check_seeds(self, seeds):
        """The failures of a group of seeds: {seed: Failure}."""
        try:
            self.check([self.whole(seed) for seed in seeds])
            return {}
        except Failure as failure:
            if len(seeds) == 1:
                return {seeds[0]: failure}
        half = len(seeds) // 2
        return {**self.check_seeds(seeds[:half]), **self.check_seeds(seeds[half:])}

    def minimize(self, seed, failure):
        """Keeps one result, then replaces every operation that can be, the failure
        remaining of its kind, by a constant."""
        program, wanted, replaced = self.whole(seed)
        kind = failure.kind()

        def fails(wanted, replaced):
            try:
                self.check([(program, wanted, replaced)])
                return None
            except Failure as failure:
                return failure if failure.kind() == kind else None
        for result in wanted:
            if len(wanted) > 1 and fails([result], replaced):
                wanted = [result]
                break
        for op in program.ops():
            if not program.is_replaceable(op) or op not in program.live(
                    [program.results[k] for k in wanted], replaced):
                continue
            smaller = replaced | {op.number}
            if fails(wanted, smaller):
                replaced = smaller
        return module([(program, wanted, replaced)])[0], fails(wanted, replaced) or failure


def result_names(text):
    """The named results of a program's @main."""
    signature = text.split("@main", 1)[1].split("->", 1)[1].split(") {\n", 1)[0]
    return re.findall(r'weave\.name = "(\w+)"', signature)


def values(result):
    """A result in words, for FileCheck."""
    descr, shape, data = result
    numbers = [f"{x:g}" for (x,) in struct.iter_unpack("<" + FORMATS[descr], data)]
    return f"{list(shape)} {' '.join(numbers)}".rstrip()


def check_file(tester, path):
    with open(path) as file:
        text = file.read()
    try:
        for name, result in tester.check_source(text, result_names(text)).items():
            print(f"{name}: {values(result)}")
        return 0
    except Failure as failure:
        print(f"{path} fails: {failure}")
        return 1


def report(tester, seed, failure, options):
    text = module([tester.whole(seed)])[0]
    if options.minimize:
        text, failure = tester.minimize(seed, failure)
    print(f"seed {seed} fails: {failure}")
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        path = os.path.join(options.keep, f"seed-{seed}.mlir")
        with open(path, "w") as file:
            file.write(text)
        print(f"  the program is in {path}")
    elif not options.quiet:
        print(text)
    print(f"  again: {sys.argv[0]} --weavec {options.weavec} --first {seed} --seeds 1 --minimize", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weavec", default="weavec", help="the compiler")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--seeds", type=int, default=20, help="how many seeds")
    parser.add_argument("--forever", action="store_true", help="go on until stopped")
    parser.add_argument("--per-module", type=int, default=10, help="programs that are compiled together")
    parser.add_argument("--threads", type=lambda s: [int(n) for n in s.split(",")], default=[1, 2, 3, 5],
                        help="numbers of workers, such as 1,2,3,5")
    parser.add_argument("--jobs", type=int, default=2, help="modules that are worked on at a time")
    parser.add_argument("--timeout", type=int, default=120, help="seconds for one compilation or run")
    parser.add_argument("--without", type=lambda s: s.split(","), default=[],
                        help="kinds of operations to leave out: collective, branch, scan, map, ...")
    parser.add_argument("--build", action="append", default=[], help="flags of one more build to compare")
    parser.add_argument("--flag", action="append", default=[], help="a further flag of weavec")
    parser.add_argument("--minimize", action="store_true", help="make failing programs small")
    parser.add_argument("--keep", help="a folder for failing programs, instead of printing them")
    parser.add_argument("--quiet", action="store_true", help="do not print failing programs")
    parser.add_argument("--program", help="compare this file's program and print its results, instead of "
                        "random ones")
    options = parser.parse_args()

    tester = Tester(options)
    if options.program:
        return check_file(tester, options.program)
    begin = time.time()
    starts = itertools.count(options.first, options.per_module) if options.forever else range(
        options.first, options.first + options.seeds, options.per_module)
    limit = None if options.forever else options.first + options.seeds
    failed = done = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        pending = {}

        def submit():
            start = next(starts, None)
            if start is not None:
                end = start + options.per_module
                seeds = list(range(start, min(end, limit) if limit else end))
                pending[pool.submit(tester.check_seeds, seeds)] = seeds
        starts = iter(starts)
        for _ in range(options.jobs):
            submit()
        while pending:
            finished, _ = concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in finished:
                done += len(pending.pop(future))
                for seed, failure in future.result().items():
                    failed += 1
                    report(tester, seed, failure, options)
                submit()
    print(f"{done} programs from seed {options.first}, {failed} failed, {time.time() - begin:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
