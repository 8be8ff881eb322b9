#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what JAX computes, for the tests in test/Integration/JAX to compare with.

usage: jax_reference.py [DIRECTORY]      (default: test/Integration/Data)

Needs JAX 0.10.2 on a CPU (`pip install jax==0.10.2`); the tests need none, as
the results are committed. Two kinds of files:

random-seed<SEED>.npz, for seeds 0, 42 and -1: a key, what split and fold_in make
of it, and draws of all kinds, with and without a batch of keys. Integers are to
be equal, and uniform numbers, too. Normal numbers are not: JAX computes erf_inv
from log1p(-u * u) and is up to 91 ulp off.

es.npz: x of OpenAI-ES on f(x) = -x.x from x = ones, under names like
x_dims10_samples4_steps1000_f32. The program, with std = 1e-2, stepsize = 1e-3:

    keys = split(PRNGKey(0), steps)
    in each step, with the next key:
        zs = normal(key, (samples, dims))
        ys = f(x + std * zs) - f(x - std * zs)           one number per sample
        g  = ys @ zs / (2 * std * samples)
        x  = x + stepsize * g

The scaling is the mean, over the samples, of central differences along zs. In
which order the factors are applied changes x by an ulp a step.
"""

import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIT_TYPES = {8: jnp.uint8, 16: jnp.uint16, 32: jnp.uint32, 64: jnp.uint64}
STD, STEPSIZE = 1e-2, 1e-3


def random_values(seed):
    """What JAX makes of one seed; 64-bit types must be enabled."""
    # A 32-bit seed, whatever the default integer type is.
    key = jax.random.PRNGKey(np.int32(seed).astype(np.uint32))
    keys = jax.random.split(key, 5)
    values = {
        "key": key,
        "split": keys,
        "split_2d": jax.random.split(key, (2, 3)),
        "fold_in": jax.random.fold_in(key, 7),
        "fold_in_numbers": jax.vmap(lambda i: jax.random.fold_in(key, i))(jnp.arange(6)),
        "fold_in_keys": jax.vmap(lambda k: jax.random.fold_in(k, 7))(keys),
        "batched_bits": jax.vmap(lambda k: jax.random.bits(k, (4,), jnp.uint32))(keys),
        "batched_normal": jax.vmap(lambda k: jax.random.normal(k, (4,), jnp.float32))(keys),
        "scalar_uniform": jax.random.uniform(key, (), jnp.float32),
    }
    for width, bit_type in BIT_TYPES.items():
        values[f"bits{width}"] = jax.random.bits(key, (3, 7), bit_type)
    for name, float_type in (("f32", jnp.float32), ("f64", jnp.float64)):
        values[f"uniform_{name}"] = jax.random.uniform(key, (3, 7), float_type)
        values[f"normal_{name}"] = jax.random.normal(key, (40, 10), float_type)
    return values


def evolution_strategy(dims, samples, steps, dtype):
    def f(x):
        return -jnp.sum(x * x, axis=-1)

    def step(x, key):
        zs = jax.random.normal(key, (samples, dims), dtype)
        ys = f(x + STD * zs) - f(x - STD * zs)
        g = ys @ zs / (2 * STD * samples)
        return x + STEPSIZE * g, None

    @jax.jit
    def run(x):
        keys = jax.random.split(jax.random.PRNGKey(0), steps)
        return jax.lax.scan(step, x, keys)[0]

    return run(jnp.ones(dims, dtype))


def main():
    directory = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "test/Integration/Data"
    directory.mkdir(parents=True, exist_ok=True)

    small = [(10, 4, 1), (10, 4, 10), (10, 4, 1000), (10, 1, 10), (10, 5, 10), (10, 7, 10),
             (10, 1000, 10), (1, 4, 10), (1000, 4, 10)]
    results = {}
    for dims, samples, steps in small + [(1000, 1024, 10)]:
        results[f"x_dims{dims}_samples{samples}_steps{steps}_f32"] = evolution_strategy(
            dims, samples, steps, jnp.float32)
    jax.config.update("jax_enable_x64", True)
    for dims, samples, steps in small:
        results[f"x_dims{dims}_samples{samples}_steps{steps}_f64"] = evolution_strategy(
            dims, samples, steps, jnp.float64)
    np.savez(directory / "es.npz", **{name: np.asarray(x) for name, x in results.items()})

    for seed in (0, 42, -1):
        values = random_values(seed)
        np.savez(directory / f"random-seed{seed}.npz",
                 **{name: np.asarray(value) for name, value in values.items()})


if __name__ == "__main__":
    main()
