# SPDX-License-Identifier: Apache-2.0
"""Draws results as SVG: how long others take, relative to us."""

import math
from xml.sax.saxutils import escape

from .cases import HAND, OURS
from .measuring import Result

LEFT, RIGHT, ROW, TOP, BOTTOM = 190, 30, 26, 50, 40
WIDTH = 860
COLOURS = ["#d95f02", "#7570b3", "#e7298a", "#66a61e", "#e6ab02", "#1f78b4", "#a6761d"]


def points(results: list[Result]) -> list[tuple]:
    """Rows of a name and of (label, time / our time); by hand the faster build."""
    rows = []
    for result in results:
        for workers in result.numbers_of_workers():
            ours = result.best(OURS, workers)
            others = {HAND: result.best(HAND, workers)}
            others |= {m.label: m.fastest for m in result.measurements
                       if m.workers == workers and m.kind not in (OURS, HAND)}
            name = f"{result.name}, {workers} worker{'s' if workers > 1 else ''}"
            rows.append((name, [(label, time / ours) for label, time in others.items() if time]))
    return rows


def ticks(lowest: float, highest: float) -> list[float]:
    decades = range(math.floor(math.log10(lowest)), math.ceil(math.log10(highest)) + 1)
    return [m * 10.0 ** e for e in decades for m in (1, 2, 5) if lowest <= m * 10.0 ** e <= highest]


def svg(results: list[Result], caption: str) -> str:
    rows = points(results)
    ratios = [ratio for _, others in rows for _, ratio in others] + [1.0]
    lowest, highest = min(ratios) / 1.3, max(ratios) * 1.3
    labels = list(dict.fromkeys(label for _, others in rows for label, _ in others))
    colours = {label: COLOURS[i % len(COLOURS)] for i, label in enumerate(labels)}
    bottom = TOP + ROW * len(rows)

    def x(ratio: float) -> float:
        part = math.log(ratio / lowest) / math.log(highest / lowest)
        return LEFT + part * (WIDTH - LEFT - RIGHT)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{bottom + BOTTOM + 20}" '
           f'font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>']
    place = LEFT
    for label in labels:
        out.append(f'<circle cx="{place}" cy="20" r="5" fill="{colours[label]}"/>'
                   f'<text x="{place + 9}" y="24">{escape(label)}</text>')
        place += 26 + 7 * len(label)
    for tick in ticks(lowest, highest):
        stroke = "#000" if tick == 1 else "#ddd"
        out.append(f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{TOP - 8}" y2="{bottom}" stroke="{stroke}"/>'
                   f'<text x="{x(tick):.1f}" y="{bottom + 16}" text-anchor="middle">{tick:g}</text>')
    for i, (name, others) in enumerate(rows):
        y = TOP + ROW * i + ROW / 2
        out.append(f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        out += [f'<circle cx="{x(ratio):.1f}" cy="{y}" r="5" fill="{colours[label]}">'
                f'<title>{escape(label)}: {ratio:.2f}</title></circle>' for label, ratio in others]
    out.append(f'<text x="{LEFT}" y="{bottom + 34}">time relative to Scanweave: right of 1 it is faster, '
               'left of 1 slower</text>')
    out.append(f'<text x="{LEFT}" y="{bottom + 52}" fill="#666">{escape(caption)}</text></svg>')
    return "\n".join(out) + "\n"
