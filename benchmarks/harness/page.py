# SPDX-License-Identifier: Apache-2.0
"""Writes the results into a page, between its marks, and their plot beside it."""

import pathlib
import re

from . import plot, report
from .measuring import Result

MARKS = re.compile(r"(<!-- results -->\n).*(<!-- /results -->)", re.S)


def write(path: pathlib.Path, results: list[Result], machine: str) -> None:
    """What is outside of the marks stays; a new page is nothing but results."""
    drawing = path.with_suffix(".svg")
    drawing.write_text(plot.svg(results, machine))
    tables = "\n".join(report.markdown(result) for result in results)
    body = (f"\nMeasured on {machine}.\n\n{report.summary(results)}\n"
            f"![Times of others relative to Scanweave]({drawing.name})\n\n{tables}\n")
    text = path.read_text() if path.exists() else "<!-- results -->\n<!-- /results -->\n"
    path.write_text(MARKS.sub(lambda marks: marks[1] + body + marks[2], text))
