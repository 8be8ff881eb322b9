#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program with two numbers of steps and checks how its peak memory grows.

usage: peak_memory.py BYTES_PER_STEP STEPS MORE_STEPS COMMAND...

The command gets `--steps N`. The growth must be BYTES_PER_STEP for each further
step, give or take 4 MiB for what the system rounds.
"""

import resource
import subprocess
import sys

per_step, steps, more = (int(a) for a in sys.argv[1:4])


def peak(n):
    """Bytes; runs with more steps come later, since children's maximum counts."""
    subprocess.run(sys.argv[4:] + ["--quiet", "--steps", str(n)], check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


few, many = peak(steps), peak(more)
expected = per_step * (more - steps)
if abs(many - few - expected) > 4 << 20:
    sys.exit(f"{steps} steps took {few} bytes, {more} took {many}: {expected} more expected")
