# SPDX-License-Identifier: Apache-2.0
"""What is compared: for each case our program, the same by hand, and peers."""

import dataclasses

OURS, HAND, PEER = "Scanweave", "by hand", "peer"


@dataclasses.dataclass(frozen=True)
class Peer:
    """A script of benchmarks/peers, called with `arguments`, steps and workers."""
    label: str
    script: str
    arguments: tuple = ()
    package: str = "jax"
    slowdown: int = 1
    """It runs as many times fewer steps than we do, so that it ends soon."""
    workers: tuple = ()
    """Of the case's numbers of workers those it runs with; all if empty."""


@dataclasses.dataclass(frozen=True)
class Build:
    """The hand-written program built otherwise; skipped where it does not build."""
    label: str
    flags: tuple


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    title: str
    program: str
    hand: str
    steps: int
    check_steps: int
    """After as many steps values are compared: before rounding has grown."""
    changes: tuple = ()
    """Of the program's text, what becomes what: the same at another size."""
    defines: tuple = ()
    timed: tuple = ()
    """Options that our program has only when it is timed."""
    workers: tuple = (1,)
    most_workers: int | None = None
    tolerance: float = 1e-4
    """Relative to the larger of 1 and the value."""
    exact: bool = False
    """The hand-written program does the same arithmetic: without -ffast-math its values are ours."""
    quick: bool = True
    """Among those whose values --quick compares."""
    builds: tuple = ()
    peers: tuple = ()


def es_sizes(dims: int, samples: int, steps: int) -> tuple:
    """examples/openai_es/pmap.mlir at another size."""
    return (("x10xf32", f"x{dims}xf32"), ("tensor<10xf32>", f"tensor<{dims}xf32>"),
            ("<4x", f"<{samples}x"),
            ("constant 8.0", f"constant {2 * samples}.0"), ("default = 1000000 : index", f"default = {steps} : index"))


def es_peers(dims: int, samples: int, slowdowns: dict) -> tuple:
    size = (dims, samples)
    return (Peer("JAX, vmap", "es_jax.py", ("vmap", *size), slowdown=slowdowns["vmap"], workers=(1,)),
            Peer("JAX, pmap", "es_jax.py", ("pmap", *size), slowdown=slowdowns["pmap"], workers=(2,)),
            Peer("JAX, shard_map", "es_jax.py", ("shard_map", *size), slowdown=slowdowns["shard_map"], workers=(2,)),
            Peer("JAX, sharded jit", "es_jax.py", ("jit", *size), slowdown=slowdowns["jit"], workers=(2,)),
            Peer("numba, prange", "es_numba.py", size, "numba", slowdowns["numba"]))


def matmul(size: int) -> Case:
    program = "benchmarks/programs/matmul.mlir"
    changes = (("256x256", f"{size}x{size}"), ("256.0", f"{size}.0"), ("[255, 248]", f"[{size - 1}, {size - 8}]"))
    return Case(f"matmul-{size}", f"a product of {size} x {size} matrices in each step", program, "matmul.cpp",
                max(20, 250_000_000 // size ** 3), 3, changes, (f"-DSIZE={size}",), exact=True, most_workers=1, quick=size == 64,
                builds=(Build("OpenBLAS", ("-DBLAS", "-lopenblas")),), peers=jax_peers("matmul", size))


def jax_peers(name: str, *arguments) -> tuple:
    return (Peer("JAX", "programs_jax.py", (name, *arguments)),)


CASES = [
    Case("es", "evolution strategies, 10 numbers x 4 samples", "examples/openai_es/pmap.mlir", "es.cpp",
         1_000_000, 1000, defines=("-DDIMS=10", "-DSAMPLES=4"), timed=("--xs", "/dev/null"), workers=(1, 2),
         peers=es_peers(10, 4, {"vmap": 10, "pmap": 200, "shard_map": 50, "jit": 50, "numba": 20})),
    Case("es-large", "evolution strategies, 1000 numbers x 1024 samples", "examples/openai_es/pmap.mlir", "es.cpp",
         100, 3, es_sizes(1000, 1024, 300), ("-DDIMS=1000", "-DSAMPLES=1024"), ("--xs", "/dev/null"), (1, 2),
         peers=es_peers(1000, 1024, {"vmap": 2, "pmap": 2, "shard_map": 2, "jit": 2, "numba": 2})),
    Case("elementwise", "elementwise scan, 4096 neurons", "benchmarks/programs/elementwise.mlir", "elementwise.cpp",
         10_000, 1000, most_workers=1),
    *(matmul(size) for size in (64, 128, 256, 512)),
    Case("paths", "Monte Carlo, 16384 paths", "benchmarks/programs/paths.mlir", "paths.cpp", 256, 32, workers=(1, 2),
         peers=jax_peers("paths")),
    Case("mlp", "evolution strategies on a network 4-32-2, 64 directions, batch of 64",
         "benchmarks/programs/mlp.mlir", "mlp.cpp", 1000, 20, workers=(1, 2), peers=jax_peers("mlp")),
    Case("shaped", "shaped evolution strategies: ranks and Adam, 1000 numbers x 1024 directions",
         "benchmarks/programs/shaped.mlir", "shaped.cpp", 50, 3, workers=(1, 2), tolerance=1e-3,
         peers=jax_peers("shaped")),
    Case("exchange", "nothing but an exchange of ten numbers", "benchmarks/programs/exchange.mlir", "exchange.cpp",
         500_000, 100, workers=(2,), most_workers=2, exact=True, builds=(Build("OpenMP barriers", ("-DBARRIER",)),)),
]
