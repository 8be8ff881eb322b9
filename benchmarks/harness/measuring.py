# SPDX-License-Identifier: Apache-2.0
"""Times contenders in turn: what disturbs the machine disturbs all of them."""

import dataclasses
import datetime
import pathlib
import platform

from .cases import HAND, OURS, Case
from .running import Contender, microseconds_per_step, run


@dataclasses.dataclass
class Measurement:
    kind: str
    label: str
    workers: int
    times: list
    """Microseconds per step of each run."""
    startup: float
    """Seconds of a whole run of one step, the fastest of three."""
    peak_bytes: int
    compile_seconds: float | None

    @property
    def fastest(self) -> float:
        return min(self.times)

    @property
    def slowest(self) -> float:
        return max(self.times)


@dataclasses.dataclass
class Result:
    name: str
    title: str
    measurements: list

    def best(self, kind: str, workers: int) -> float | None:
        return min((m.fastest for m in self.measurements if m.kind == kind and m.workers == workers), default=None)

    def numbers_of_workers(self) -> list[int]:
        return sorted({m.workers for m in self.measurements})

    def ratio(self, workers: int) -> float:
        """Of our time to that of the faster of the builds by hand."""
        return self.best(OURS, workers) / self.best(HAND, workers)


def measure(case: Case, contenders: list[Contender], runs: int) -> Result:
    times = [[] for _ in contenders]
    peaks = [0] * len(contenders)
    for _ in range(runs):
        for i, contender in enumerate(contenders):
            steps = max(1, case.steps // contender.slowdown)
            done = run(contender.command(steps, True))
            times[i].append(microseconds_per_step(done.text, steps))
            peaks[i] = max(peaks[i], done.peak_bytes)
    startups = [min(run(c.command(1, False)).seconds for _ in range(3)) for c in contenders]
    return Result(case.name, case.title, [
        Measurement(c.kind, c.label, c.workers, times[i], startups[i], peaks[i], c.compile_seconds)
        for i, c in enumerate(contenders)])


def machine() -> str:
    """The machine and the date, for whoever reads the numbers later."""
    words = dict(line.split(":", 1) for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if ":" in line)
    facts = {key.strip(): value.strip() for key, value in words.items()}
    flags = facts.get("flags", "").split()
    simd = "AVX-512" if "avx512f" in flags else "AVX2"
    cpus = int(facts.get("processor", "0")) + 1
    date = datetime.datetime.now(datetime.timezone.utc).date()
    return f"{cpus} CPUs of {facts.get('model name', platform.machine())} with {simd}, {date}"
