# SPDX-License-Identifier: Apache-2.0
"""benchmarks/programs in JAX: the whole scan jitted, lanes by vmap.

    programs_jax.py matmul SIZE STEPS WORKERS
    programs_jax.py paths|mlp|shaped STEPS WORKERS

With several workers, lanes are sharded over as many devices. Compiled before it
is timed. Prints values, the time and the time per step.
"""

import os
import sys
import time

name = sys.argv[1]
*sizes, steps, workers = map(int, sys.argv[2:])
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={workers}"
if workers == 1:
    os.environ["XLA_FLAGS"] += " --xla_cpu_multi_thread_eigen=false"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from jax import lax, random  # noqa: E402

KEY = random.PRNGKey(0)
MESH = jax.make_mesh((workers,), ("workers",), axis_types=(jax.sharding.AxisType.Auto,))
ROWS = jax.sharding.NamedSharding(MESH, jax.sharding.PartitionSpec("workers"))


def over_workers(x):
    return lax.with_sharding_constraint(x, ROWS) if workers > 1 else x


def matmul():
    n = sizes[0]
    x0 = random.uniform(KEY, (n, n))
    w = jnp.sqrt(jnp.float32(11) / n) * (x0 - 0.5)
    x, _ = lax.scan(lambda x, _: (x @ w, None), x0, length=steps)
    return x[0, :8], x[-1, -8:]


def paths():
    def payoff(lane):
        def step(carry, z):
            s, total = carry
            s = s + s * (1.25e-2 * z + 2e-4)
            return (s, total + s), None

        zs = random.normal(random.fold_in(KEY, lane), (steps,))
        (_, total), _ = lax.scan(step, (jnp.float32(100), jnp.float32(0)), zs)
        return jnp.maximum(total / steps - 99, 0)

    return (jnp.mean(jax.vmap(payoff)(over_workers(jnp.arange(16384)))),)


def mlp():
    inputs = random.uniform(random.fold_in(KEY, 2), (64, 4))
    targets = random.uniform(random.fold_in(KEY, 3), (64, 2))

    def loss(p):
        hidden = jnp.maximum(inputs @ p[:128].reshape(4, 32) + p[128:160], 0)
        return jnp.mean((hidden @ p[160:224].reshape(32, 2) + p[224:] - targets) ** 2)

    def step(p, key):
        zs = over_workers(random.normal(key, (64, 226)))
        ys = jax.vmap(lambda z: loss(p + 0.03125 * z) - loss(p - 0.03125 * z))(zs)
        return p - 1.25e-2 * (ys @ zs), None

    p, _ = lax.scan(step, random.uniform(random.fold_in(KEY, 4), (226,)) - 0.5, random.split(KEY, steps))
    return p[-16:], loss(p)


def shaped():
    def step(carry, key):
        x, m, v, power1, power2 = carry
        zs = over_workers(random.normal(key, (1024, 1000)))
        above, below = jax.vmap(lambda z: (-jnp.sum((x + 1e-2 * z) ** 2), -jnp.sum((x - 1e-2 * z) ** 2)))(zs)
        values = jnp.concatenate([above, below])
        ranks = jax.vmap(lambda value: jnp.sum(values < value))(values).astype(jnp.float32)
        g = 2.38535051e-05 * ((ranks[:1024] - ranks[1024:]) @ zs)
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 1e-3 * g * g
        power1, power2 = power1 * 0.9, power2 * 0.999
        x = x + 1e-2 / (1 - power1) * (m / (jnp.sqrt(v / (1 - power2)) + 1e-8))
        return (x, m, v, power1, power2), None

    start = (jnp.ones(1000), jnp.zeros(1000), jnp.zeros(1000), jnp.float32(1), jnp.float32(1))
    return (lax.scan(step, start, random.split(KEY, steps))[0][0],)


program = jax.jit({"matmul": matmul, "paths": paths, "mlp": mlp, "shaped": shaped}[name]).lower().compile()
begin = time.perf_counter()
results = jax.block_until_ready(program())
seconds = time.perf_counter() - begin
for result in results:
    print("values:", *(float(value) for value in jnp.ravel(result)))
print(f"{seconds:.6f} s, {seconds * 1e6 / steps:.4f} us per step")
