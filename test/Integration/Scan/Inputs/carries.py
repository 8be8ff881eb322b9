# SPDX-License-Identifier: Apache-2.0
"""Scans whose carries change places, and what they must give.

    carries.py --list            the cases
    carries.py CASE              the program of a case
    carries.py CASE --check DIR  compares DIR/{a,b,as,bs}.npy with NumPy's
"""
import argparse
import os
import sys

import numpy as np

A0 = np.array([1, 2, 3], np.float32)
B0 = np.array([5, 7, 11], np.float32)
K = np.array([1, 2, 3], np.float32)
STEPS = 5

T = "tensor<3xf32>"
SUM = f"%s = arith.addf %x, %y : {T}"
CONDITION = f"""%c0 = arith.constant 0 : index
    %e = tensor.extract %x[%c0] : {T}
    %f = tensor.extract %y[%c0] : {T}
    %p = arith.cmpf olt, %e, %f : f32
    %q = arith.addf %y, %k : {T}"""
INSERT = f"""%c1 = arith.constant 1 : index
    %e = tensor.extract %y[%c1] : {T}
    %s = tensor.insert %e into %x[%c1] : {T}
    %t = arith.mulf %y, %k : {T}"""


def inner(body):
    return f"""weave.scan carry(%z = {{}} : {T}) length(%c3) {{{{
      %q = {body} : {T}
      weave.yield carry(%q : {T})
    }}}} -> {T}"""


def inserted(x, y):
    x = x.copy()
    x[1] = y[1]
    return x


def rotated_into(x, y):
    y = y.copy()
    y[:2] = x[1:]
    return np.roll(x, -1), y


def shifted(x, y):
    x = x.copy()
    x[1:] = x[:2].copy()
    return x, x + y


# name: (body, next a, next b, the same in NumPy)
CASES = {
    "swapped": ("", "%y", "%x", lambda x, y: (y, x)),
    "fibonacci": (SUM, "%y", "%s", lambda x, y: (y, x + y)),
    "one-value-twice": (SUM, "%s", "%s", lambda x, y: (x + y, x + y)),
    "one-carry-twice": ("", "%y", "%y", lambda x, y: (y, y)),
    "unchanged": (SUM, "%x", "%s", lambda x, y: (x, x + y)),
    "constant": (SUM, "%k", "%s", lambda x, y: (K, x + y)),
    "init": (SUM, "%a0", "%s", lambda x, y: (A0, x + y)),
    "other-init": (SUM, "%b0", "%s", lambda x, y: (B0, x + y)),
    "crossed": (f"%s = arith.addf %y, %k : {T}\n    %t = arith.mulf %x, %k : {T}",
                "%s", "%t", lambda x, y: (y + K, x * K)),
    "selected": (CONDITION + f"""
    %t = arith.select %p, %x, %q : {T}
    %u = arith.select %p, %y, %x : {T}""", "%t", "%u",
                 lambda x, y: (x, y) if x[0] < y[0] else (y + K, x)),
    "branches": (CONDITION + f"""
    %t = scf.if %p -> {T} {{
      scf.yield %q : {T}
    }} else {{
      scf.yield %x : {T}
    }}
    %u = scf.if %p -> {T} {{
      scf.yield %x : {T}
    }} else {{
      scf.yield %y : {T}
    }}""", "%t", "%u", lambda x, y: (y + K, x) if x[0] < y[0] else (x, y)),
    "inserted": (INSERT, "%s", "%t", lambda x, y: (inserted(x, y), y * K)),
    "inserted-crossed": (INSERT, "%t", "%s", lambda x, y: (y * K, inserted(x, y))),
    "rotated": (f"""%h = tensor.extract_slice %x[1] [2] [1] : {T} to tensor<2xf32>
    %l = tensor.extract_slice %x[0] [1] [1] : {T} to tensor<1xf32>
    %s = tensor.concat dim(0) %h, %l : (tensor<2xf32>, tensor<1xf32>) -> {T}
    %t = tensor.insert_slice %h into %y[0] [2] [1] : tensor<2xf32> into {T}""",
                "%s", "%t", rotated_into),
    "shifted": (f"""%h = tensor.extract_slice %x[0] [2] [1] : {T} to tensor<2xf32>
    %s = tensor.insert_slice %h into %x[1] [2] [1] : tensor<2xf32> into {T}
    %t = arith.addf %s, %y : {T}""", "%s", "%t", shifted),
    "inner-scans-crossed": (f"""%c3 = arith.constant 3 : index
    %s = {inner("arith.addf %z, %k").format("%x")}
    %t = {inner("arith.mulf %z, %k").format("%y")}""", "%t", "%s",
                            lambda x, y: (y * K * K * K, x + K + K + K)),
    "inner-scan": (f"""%c3 = arith.constant 3 : index
    %s = {inner("arith.addf %z, %y").format("%x")}
    %t = arith.addf %y, %s : {T}""", "%s", "%t",
                   lambda x, y: (x + y + y + y, y + (x + y + y + y))),
    "inner-scan-old-value": (f"""%c3 = arith.constant 3 : index
    %s = {inner("arith.addf %z, %y").format("%x")}
    %t = arith.addf %x, %s : {T}""", "%s", "%t",
                             lambda x, y: (x + y + y + y, x + (x + y + y + y))),
    "own-loop": (f"""%c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%z = %x) -> ({T}) {{
      %q = arith.addf %z, %y : {T}
      scf.yield %q : {T}
    }}
    %t = arith.addf %x, %s : {T}""", "%s", "%t",
                 lambda x, y: (x + y + y + y, x + (x + y + y + y))),
    "own-while": (f"""%c0 = arith.constant 0 : index
    %limit = arith.constant 1.0e3 : f32
    %s = scf.while (%z = %x) : ({T}) -> {T} {{
      %f = tensor.extract %z[%c0] : {T}
      %p = arith.cmpf olt, %f, %limit : f32
      scf.condition(%p) %z : {T}
    }} do {{
    ^bb0(%z: {T}):
      %q = arith.addf %z, %y : {T}
      scf.yield %q : {T}
    }}
    %t = arith.addf %s, %y : {T}""", "%s", "%t", None),
    "generic-crossed": (f"""%s = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>,
        affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}} ins(%y : {T}) outs(%x : {T}) {{
    ^bb0(%i: f32, %o: f32):
      %r = arith.addf %i, %o : f32
      linalg.yield %r : f32
    }} -> {T}
    %t = linalg.transpose ins(%x : {T}) outs(%y : {T}) permutation = [0]""", "%t", "%s",
                        lambda x, y: (x, x + y)),
}


def while_case(x, y):
    while x[0] < 1000:
        x = x + y
    return x, x + y


def program(case):
    body, a, b, _ = CASES[case]
    pair = f"{T}, {T}"
    stacks = "tensor<?x3xf32>, tensor<?x3xf32>"
    return f"""func.func @main(%n: index {{weave.name = "n"}}, %a0: {T} {{weave.name = "a0"}},
                %b0: {T} {{weave.name = "b0"}})
    -> ({T} {{weave.name = "a"}}, {T} {{weave.name = "b"}},
        tensor<?x3xf32> {{weave.name = "as"}}, tensor<?x3xf32> {{weave.name = "bs"}}) {{
  %k = arith.constant dense<[1.0, 2.0, 3.0]> : {T}
  %a, %b, %as, %bs = weave.scan carry(%x = %a0 : {T}, %y = %b0 : {T}) length(%n) {{
    {body}
    weave.yield carry({a}, {b} : {pair}) ys(%x, %y : {pair})
  }} -> {pair}, {stacks}
  return %a, %b, %as, %bs : {pair}, {stacks}
}}
"""


def check(case, folder):
    step = CASES[case][3] or while_case
    x, y, xs, ys = A0, B0, [], []
    for _ in range(STEPS):
        xs.append(x)
        ys.append(y)
        x, y = step(x, y)
    for name, expected in zip(("a", "b", "as", "bs"), (x, y, xs, ys)):
        found = np.load(os.path.join(folder, name + ".npy"))
        if not np.array_equal(found, np.array(expected)):
            sys.exit(f"{case}: {name} is\n{found}\nexpected\n{np.array(expected)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("case", nargs="?")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check")
    parser.add_argument("--inputs")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(CASES))
    elif arguments.inputs:
        np.save(os.path.join(arguments.inputs, "a0.npy"), A0)
        np.save(os.path.join(arguments.inputs, "b0.npy"), B0)
    elif arguments.check:
        check(arguments.case, arguments.check)
    else:
        print(program(arguments.case))


main()
