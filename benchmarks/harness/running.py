# SPDX-License-Identifier: Apache-2.0
"""Builds contenders, runs them, and reads what they print."""

import dataclasses
import functools
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time
import typing

from .cases import HAND, OURS, PEER, Case, Peer

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
UNITS = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|nan|inf)(?![\w.])")
CXX = ("clang++-22", "-std=c++17", "-O3", "-march=native", "-fopenmp=libomp", "-Wno-psabi")
HAND_BUILDS = {f"{HAND}, strict": (), f"{HAND}, -ffast-math": ("-ffast-math",)}


@dataclasses.dataclass
class Contender:
    kind: str
    label: str
    workers: int
    command: typing.Callable
    """Of the number of steps and whether they are timed."""
    slowdown: int = 1
    compile_seconds: float | None = None

    @property
    def name(self) -> str:
        return f"{self.label}, {self.workers} worker{'s' if self.workers > 1 else ''}"


@dataclasses.dataclass
class Run:
    text: str
    seconds: float
    """From the process's start to its end."""
    peak_bytes: int


def fail(message: str) -> typing.NoReturn:
    sys.exit(f"scripts/bench: {message}")


def run(command) -> Run:
    command = [str(word) for word in command]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), errors.seek(0)
        if process.returncode != 0:
            fail(f"{' '.join(command)} failed\n{errors.read()}")
        return Run(out.read(), seconds, usage.ru_maxrss * 1024)


def microseconds_per_step(text: str, steps: int) -> float:
    """Of the last line: the time per step, or the whole time by the steps."""
    last = text.strip().splitlines()[-1]
    found = re.search(r"([\d.]+) (ns|us|ms|s) per step", last)
    if found:
        return float(found[1]) * UNITS[found[2]]
    found = re.match(r"([\d.]+) (ns|us|ms|s)(?:,|$)", last)
    if not found:
        fail(f"no time in\n{text}")
    return float(found[1]) * UNITS[found[2]] / steps


def values(text: str) -> list[float]:
    """The numbers before the last line, which has the time."""
    body = "\n".join(text.strip().splitlines()[:-1])
    return [float(number) for number in NUMBER.findall(re.sub(r"\([^)]*\)", "", body))]


def source(case: Case, folder: str) -> pathlib.Path:
    """Our program, at the case's size."""
    path = ROOT / case.program
    if not case.changes:
        return path
    text = path.read_text()
    for before, after in case.changes:
        if before not in text:
            fail(f"{case.name}: {case.program} has no '{before}'")
        text = text.replace(before, after)
    changed = pathlib.Path(folder, f"{case.name}.mlir")
    changed.write_text(text)
    return changed


def build_ours(case: Case, weavec: pathlib.Path, folder: str, workers) -> list[Contender]:
    binary = f"{folder}/{case.name}"
    seconds = run([weavec, source(case, folder), "-o", binary]).seconds

    def command(count: int, steps: int, timed: bool) -> list:
        return [binary, "--steps", steps, "--threads", count, *(case.timed if timed else ())]

    return [Contender(OURS, OURS, count, lambda *run, count=count: command(count, *run), compile_seconds=seconds)
            for count in workers]


def build_by_hand(case: Case, folder: str, label: str, flags: tuple) -> Contender | None:
    binary = f"{folder}/{case.name}-{label.replace(' ', '-')}"
    begin = time.perf_counter()
    done = subprocess.run([*CXX, *case.defines, ROOT / "benchmarks/hand" / case.hand, *flags, "-o", binary],
                          capture_output=True, text=True)
    seconds = time.perf_counter() - begin
    if done.returncode != 0:
        print(done.stderr, file=sys.stderr) if label.startswith(HAND) else None
        return None
    return Contender(HAND if label.startswith(HAND) else PEER, label, 1,
                     lambda workers, steps, timed: [binary, steps, workers], compile_seconds=seconds)


def build_hand(case: Case, folder: str, workers, quick: bool) -> list[Contender]:
    """Quickly: without the builds that only matter for times."""
    contenders = []
    for label, flags in HAND_BUILDS.items():
        if not quick or not flags:
            contenders.append(build_by_hand(case, folder, label, flags) or fail(f"{case.hand} does not compile"))
    for build in case.builds if not quick else ():
        built = build_by_hand(case, folder, build.label, build.flags)
        if built:
            contenders.append(built)
        else:
            print(f"{case.name}: {build.label} absent, skipped")
    return [with_workers(contender, count) for contender in contenders for count in workers]


def with_workers(contender: Contender, workers: int) -> Contender:
    return dataclasses.replace(contender, workers=workers, command=functools.partial(contender.command, workers))


def find_peers(case: Case, python: pathlib.Path, packages: set, workers) -> list[Contender]:
    def contender(peer: Peer, count: int) -> Contender:
        script = ROOT / "benchmarks/peers" / peer.script
        return Contender(PEER, peer.label, count,
                         lambda steps, timed: [python, script, *peer.arguments, steps, count], peer.slowdown)

    return [contender(peer, count) for count in workers for peer in case.peers
            if peer.package in packages and (not peer.workers or count in peer.workers)]


def as_float32(value: float) -> bytes:
    return struct.pack("f", value)


def difference(case: Case, expected: list, found: list, exact: bool) -> str | None:
    """What is wrong with the values, if anything."""
    if not found or len(found) != len(expected):
        return f"{len(found)} values, not {len(expected)}"
    for i, (ours, theirs) in enumerate(zip(expected, found)):
        same = as_float32(ours) == as_float32(theirs)
        if not same and (exact or not abs(ours - theirs) <= case.tolerance * max(1.0, abs(ours))):
            return f"value {i} is {theirs}, not {ours}"
    return None


def same_values(case: Case, contenders: list[Contender]) -> bool:
    """Whether all print the same values as the first, which is ours."""
    found = [values(run(c.command(case.check_steps, False)).text) for c in contenders]
    for contender, numbers in zip(contenders, found):
        exact = contender.kind == OURS or (case.exact and contender.label == f"{HAND}, strict")
        wrong = difference(case, found[0], numbers, exact)
        if wrong:
            print(f"{case.name}: {contender.name}: {wrong}")
            return False
    print(f"{case.name}: {len(found[0])} values of {len(contenders)} runs agree", flush=True)
    return True
