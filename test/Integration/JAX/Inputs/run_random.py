#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a compiled random.mlir with a seed and compares all of its results with JAX's.

usage: run_random.py BINARY SEED random-seed<SEED>.npz

Integers and uniform numbers must be equal. JAX's normal numbers are off by up to
91 ulp, ours by up to 4: they may differ by 100.
"""

import subprocess
import sys
import tempfile

import numpy as np

MOST_ULP = 100

binary, seed, reference = sys.argv[1:]
expected = np.load(reference)
failures = []
with tempfile.TemporaryDirectory() as directory:
    command = [binary, "--seed", seed]
    for name in expected:
        command += [f"--{name}", f"{directory}/{name}.npy"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    for name, want in expected.items():
        got = np.load(f"{directory}/{name}.npy")
        if got.shape != want.shape:
            failures.append(f"{name}: shape {got.shape}, expected {want.shape}")
        elif want.dtype.kind == "u":
            if not np.array_equal(got.view(want.dtype), want):
                failures.append(f"{name}: {got.view(want.dtype)}, expected {want}")
        elif "normal" in name:
            ulp = np.max(np.abs(got - want) / np.spacing(np.abs(want)))
            print(f"{name}: {ulp:.1f} ulp from JAX")
            if not ulp <= MOST_ULP:
                failures.append(f"{name}: {ulp} ulp from JAX, expected {MOST_ULP} at most")
        elif not np.array_equal(got, want):
            failures.append(f"{name}: {got}, expected {want}")
print("\n".join(failures) or f"{len(expected.files)} results as in JAX")
sys.exit(bool(failures))
