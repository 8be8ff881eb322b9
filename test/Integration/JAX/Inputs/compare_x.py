#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the x of an ES program with JAX's.

usage: compare_x.py X.npy es.npz NAME [BOUND]

Fails where an element differs by more than BOUND of itself: by default 1e-5 for
f32 and 1e-13 for f64.
"""

import sys

import numpy as np

path, reference, name = sys.argv[1:4]
got, want = np.load(path), np.load(reference)[name]
bound = {"float32": 1e-5, "float64": 1e-13}[str(want.dtype)]
if len(sys.argv) > 4:
    bound = float(sys.argv[4])
if got.shape != want.shape or got.dtype != want.dtype:
    sys.exit(f"found {got.dtype}{got.shape}, expected {want.dtype}{want.shape}")
difference = np.max(np.abs(got - want) / np.abs(want))
print(f"{name}: {difference:.1e} from JAX")
if not difference <= bound:
    sys.exit(f"differs by {difference}, expected {bound} at most")
