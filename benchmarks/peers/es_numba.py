# SPDX-License-Identifier: Apache-2.0
"""examples/openai_es/pmap.mlir in numba: samples in a prange, in each step.

    es_numba.py DIMS SAMPLES STEPS WORKERS

Compiled before it is timed. Prints x, the time and the time per step.
"""

import math
import sys
import time

import numba
import numpy as np
from numba import float32, njit, prange, uint32

dims, samples, steps, workers = map(int, sys.argv[1:])
numba.set_num_threads(workers)
STD, STEPSIZE = np.float32(1e-2), np.float32(1e-3)
SCALE = np.float32(STEPSIZE / (2 * STD * samples))
ROTATIONS = np.array([[13, 15, 26, 6], [17, 29, 16, 24]], dtype=np.uint32)
CENTRE = np.array([2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
                   -0.00417768164, 0.246640727, 1.50140941], dtype=np.float32)
TAIL = np.array([-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
                 0.00943887047, 1.00167406, 2.83297682], dtype=np.float32)


@njit(inline="always")
def threefry(k0, k1, x0, x1):
    k2 = uint32(k0 ^ k1 ^ uint32(0x1BD11BDA))
    x0, x1 = uint32(x0 + k0), uint32(x1 + k1)
    for group in range(5):
        for i in range(4):
            by = ROTATIONS[group & 1, i]
            x0 = uint32(x0 + x1)
            x1 = uint32(uint32(x1 << by) | uint32(x1 >> uint32(32 - by))) ^ x0
        a = k1 if group % 3 == 0 else (k2 if group % 3 == 1 else k0)
        b = k2 if group % 3 == 0 else (k0 if group % 3 == 1 else k1)
        x0, x1 = uint32(x0 + a), uint32(x1 + b + uint32(group + 1))
    return x0, x1


@njit(inline="always")
def normal(bits):
    """sqrt(2) * erf_inv(u) by Giles' polynomials (2012)."""
    unit = float32(bits >> uint32(9)) * float32(2.0 ** -23)
    u = max(unit * float32(2) - float32(0.99999994), float32(-0.99999994))
    w = -math.log((float32(1) - u) * (float32(1) + u))
    near = w < float32(5)
    t = w - float32(2.5) if near else math.sqrt(w) - float32(3)
    p = float32(0)
    for i in range(9):
        p = p * t + (CENTRE[i] if near else TAIL[i])
    return p * u * float32(1.41421356237)


@njit(parallel=True, fastmath=True)
def search(steps):
    x = np.ones(dims, dtype=np.float32)
    xs = np.empty((steps, dims), dtype=np.float32)
    zs = np.empty((samples, dims), dtype=np.float32)
    ys = np.empty(samples, dtype=np.float32)
    for step in range(steps):
        xs[step] = x
        k0, k1 = threefry(uint32(0), uint32(0), uint32(0), uint32(step))
        for s in prange(samples):
            above = below = float32(0)
            for d in range(dims):
                x0, x1 = threefry(k0, k1, uint32(0), uint32(s * dims + d))
                zs[s, d] = normal(x0 ^ x1)
            for d in range(dims):
                p, m = x[d] + STD * zs[s, d], x[d] - STD * zs[s, d]
                above += p * p
                below += m * m
            ys[s] = below - above
        for s in range(samples):
            for d in range(dims):
                x[d] += SCALE * ys[s] * zs[s, d]
    return x, xs


search(1)
begin = time.perf_counter()
x, xs = search(steps)
seconds = time.perf_counter() - begin
print("x:", *x)
print(f"{seconds:.6f} s, {seconds * 1e6 / steps:.4f} us per step")
