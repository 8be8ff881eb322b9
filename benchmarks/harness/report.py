# SPDX-License-Identifier: Apache-2.0
"""Prints results: as text, or as the tables of a page."""

from .cases import OURS
from .measuring import Measurement, Result


def duration(microseconds: float) -> str:
    for unit, size in ("us", 1.0), ("ms", 1e3), ("s", 1e6):
        if microseconds < 1000 * size:
            break
    return f"{microseconds / size:.3g} {unit}"


def memory(size: int) -> str:
    return f"{size / 2**20:.0f} MiB"


def seconds(value: float | None) -> str:
    return "" if value is None else duration(value * 1e6)


def by_workers(result: Result) -> list[Measurement]:
    """Ours first, then the others as they come, for each number of workers."""
    return sorted(result.measurements, key=lambda m: (m.workers, m.kind != OURS))


def row(result: Result, m: Measurement) -> list[str]:
    ours = result.best(OURS, m.workers)
    relative = f"{m.fastest / ours:.2f}" if ours and m.kind != OURS else "1"
    return [m.label, str(m.workers), duration(m.fastest), duration(m.slowest), relative, seconds(m.startup),
            seconds(m.compile_seconds), memory(m.peak_bytes)]


HEADER = ["", "workers", "per step", "slowest", "to ours", "start-up", "compile", "memory"]


def text(result: Result) -> str:
    rows = [HEADER, *(row(result, m) for m in by_workers(result))]
    widths = [max(len(cells[i]) for cells in rows) for i in range(len(HEADER))]
    lines = [result.title]
    for cells in rows:
        aligned = [cells[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(cells[1:], widths[1:]))]
        lines.append(("  " + "  ".join(aligned)).rstrip())
    for workers in result.numbers_of_workers():
        lines.append(f"  ours to the faster by hand, {workers} worker{'s' if workers > 1 else ''}: "
                     f"{result.ratio(workers):.2f}")
    return "\n".join(lines) + "\n"


def markdown(result: Result) -> str:
    lines = [f"### {result.name}: {result.title}", "", "| " + " | ".join(HEADER) + " |",
             "|---" + "|--:" * (len(HEADER) - 1) + "|"]
    lines += ["| " + " | ".join(row(result, m)) + " |" for m in by_workers(result)]
    return "\n".join(lines) + "\n"


def summary(results: list[Result]) -> str:
    """One line per case and number of workers; above 1 we lose."""
    lines = ["| case | workers | ours, per step | by hand, per step | ours / by hand |", "|---|--:|--:|--:|--:|"]
    for result in results:
        for workers in result.numbers_of_workers():
            ours = result.best(OURS, workers)
            lines.append(f"| {result.name} | {workers} | {duration(ours)} | {duration(ours / result.ratio(workers))} "
                         f"| {result.ratio(workers):.2f} |")
    return "\n".join(lines) + "\n"
