# SPDX-License-Identifier: Apache-2.0
"""Other people's compilers, in a virtual environment of their own."""

import pathlib
import subprocess
import sys

PACKAGES = {"jax": "jax==0.10.2", "numba": "numba"}


def install(folder: pathlib.Path) -> None:
    """Makes the environment; without a network it says so and there is none."""
    try:
        if not (folder / "bin/python").exists():
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin/python", "-m", "pip", "install", "--quiet", "--retries", "1",
                        *PACKAGES.values()], check=True)
    except subprocess.CalledProcessError as error:
        print(f"peers: could not be installed ({error})")


def present(folder: pathlib.Path) -> set[str]:
    """The packages that can be imported there."""
    python = folder / "bin/python"
    if not python.exists():
        print("peers: absent, skipped (scripts/bench --peers installs JAX and numba)")
        return set()
    found = set()
    for name in PACKAGES:
        if subprocess.run([python, "-c", f"import {name}"], capture_output=True).returncode == 0:
            found.add(name)
        else:
            print(f"peers: {name} absent, skipped")
    return found
