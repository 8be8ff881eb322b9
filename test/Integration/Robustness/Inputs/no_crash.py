# SPDX-License-Identifier: Apache-2.0
"""Runs a tool on every .mlir file of a folder, and on copies of it with small
mistakes in them: whatever the file says, the tool ends with an exit code of its
own and not by a signal.

    no_crash.py FOLDER [--mutants N] [--seed S] [--split] -- TOOL ARGUMENT...

FILE among the arguments stands for the file. With --split the parts of a file
between `// -----` are files.
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

TOKENS = re.compile(r"-?\d+|%\w+|[a-z]+[0-9]*(?=[>,) ])|<\w+>|\?")
OTHERS = ["0", "1", "-1", "7", "9223372036854775807", "-9223372036854775808", "?", "f32", "f64", "i1", "i64", "index",
          "tensor<f32>", "tensor<*xf32>", "tensor<0xf32>", "vector<4xf32>", "memref<4xf32>", "!weave.axis",
          "!weave.team", "none", "<and>", "<umax>", ""]


def mutate(text: str, rng: random.Random) -> str:
    """`text` with one to three tokens replaced by other tokens of it, by values
    at the edges or by nothing, or with a line gone or doubled."""
    for _ in range(rng.randint(1, 3)):
        if rng.random() < 0.2:
            lines = text.split("\n")
            at = rng.randrange(len(lines))
            lines[at:at + 1] = [lines[at]] * rng.choice([0, 2])
            text = "\n".join(lines)
            continue
        tokens = list(TOKENS.finditer(text))
        if not tokens:
            break
        token = rng.choice(tokens)
        other = rng.choice([rng.choice(tokens).group(0), rng.choice(OTHERS)])
        text = text[:token.start()] + other + text[token.end():]
    return text


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--mutants", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--split", action="store_true")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()

    texts = []
    for path in sorted(options.folder.rglob("*.mlir")):
        parts = re.split(r"^// -----$", path.read_text(), flags=re.M) if options.split else [path.read_text()]
        texts += [(f"{path}, part {i}" if options.split else str(path), part) for i, part in enumerate(parts)]
    rng = random.Random(options.seed)
    for i in range(options.mutants):
        name, text = rng.choice(texts)
        texts.append((f"{name}, mutant {i}", mutate(text, rng)))

    crashes = 0
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "program.mlir"
        command = [str(file) if word == "FILE" else word for word in options.command]
        for name, text in texts:
            file.write_text(text)
            try:
                done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
                problem = f"ended by signal {-done.returncode}" if done.returncode < 0 else None
                stderr = done.stderr.decode(errors="replace")
            except subprocess.TimeoutExpired:
                problem, stderr = "did not end", ""
            if problem:
                crashes += 1
                print(f"{name}: {problem}\n{text}\n{stderr[:2000]}\n")
    print(f"{len(texts)} files, {crashes} crashes")
    return 1 if crashes else 0


if __name__ == "__main__":
    sys.exit(main())
