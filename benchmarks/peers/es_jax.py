# SPDX-License-Identifier: Apache-2.0
"""examples/openai_es/pmap.mlir in JAX.

    es_jax.py vmap|pmap|shard_map|jit DIMS SAMPLES STEPS WORKERS

vmap: the whole scan is one jitted program; pmap: a scan around a pmap over the
devices, as its users write it; shard_map: the scan inside, a psum each step;
jit: as vmap, with the directions sharded over the devices. Compiled before it
is timed. Prints x, the time and the time per step.
"""

import functools
import os
import sys
import time

form, (dims, samples, steps, workers) = sys.argv[1], map(int, sys.argv[2:])
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={workers}"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402

STD, STEPSIZE = 1e-2, 1e-3
SCALE = STEPSIZE / (2 * STD * samples)


def f(x):
    return -jnp.dot(x, x)


def difference(x, z):
    return f(x + STD * z) - f(x - STD * z)


def keys():
    return jax.random.split(jax.random.PRNGKey(0), steps)


def draws(key):
    return jax.random.normal(key, (samples, dims))


@jax.jit
def by_vmap(x):
    def step(x, key):
        zs = draws(key)
        return x + SCALE * (jax.vmap(difference, (None, 0))(x, zs) @ zs), x

    return jax.lax.scan(step, x, keys())


@jax.jit
def by_pmap(x):
    lanes = jax.pmap(jax.vmap(difference, (None, 0)), in_axes=(None, 0))

    def step(x, key):
        zs = draws(key)
        ys = lanes(x, zs.reshape(workers, -1, dims)).reshape(samples)
        return x + SCALE * (ys @ zs), x

    return jax.lax.scan(step, x, keys())


def by_workers():
    return jax.make_mesh((workers,), ("workers",), axis_types=(jax.sharding.AxisType.Auto,))


def by_jit(x):
    rows = jax.sharding.NamedSharding(by_workers(), jax.sharding.PartitionSpec("workers"))

    def step(x, key):
        zs = jax.lax.with_sharding_constraint(draws(key), rows)
        return x + SCALE * (jax.vmap(difference, (None, 0))(x, zs) @ zs), x

    return jax.lax.scan(step, x, keys())


def by_shard_map(x):
    mesh = by_workers()
    everywhere = jax.sharding.PartitionSpec()

    @jax.jit
    @functools.partial(jax.shard_map, mesh=mesh, in_specs=everywhere, out_specs=everywhere, check_vma=False)
    def run(x):
        mine = samples // workers
        first = jax.lax.axis_index("workers") * mine

        def step(x, key):
            zs = jax.lax.dynamic_slice_in_dim(draws(key), first, mine)
            g = jax.lax.psum(jax.vmap(difference, (None, 0))(x, zs) @ zs, "workers")
            return x + SCALE * g, x

        return jax.lax.scan(step, x, keys())

    return run(x)


run = {"vmap": by_vmap, "pmap": by_pmap, "shard_map": by_shard_map, "jit": by_jit}[form]
program = jax.jit(run).lower(jnp.ones(dims)).compile()
x0 = jax.block_until_ready(jnp.ones(dims))
begin = time.perf_counter()
x, xs = jax.block_until_ready(program(x0))
seconds = time.perf_counter() - begin
print("x:", *(float(value) for value in x))
print(f"{seconds:.6f} s, {seconds * 1e6 / steps:.4f} us per step")
