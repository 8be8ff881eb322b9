#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints OpenAI-ES on f(x) = -x.x as a program, for given sizes.

usage: es_program.py [--form pmap|vmap|psum] [--dims D] [--samples S] [--type f32|f64]

Each step: zs = normal(key, (S, D)); y = f(x + std z) - f(x - std z) for each
sample; g = (y @ zs) / (2 std S); x += stepsize g. In the psum form each sample
draws its own noise from a folded key and the gradient is a psum in the map.
"""

import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--form", choices=["pmap", "vmap", "psum"], default="pmap")
parser.add_argument("--dims", type=int, default=10)
parser.add_argument("--samples", type=int, default=4)
parser.add_argument("--type", choices=["f32", "f64"], default="f32")
args = parser.parse_args()

D, S, T = args.dims, args.samples, args.type
vector = f"tensor<{D}x{T}>"
noise = f"tensor<{S}x{D}x{T}>"
fitness = f"tensor<{S}x{T}>"
scalar = f"tensor<{T}>"
mapping = "vmap" if args.form == "vmap" else "pmap"

lane = f"""
      %s = arith.mulf %stds, %z : {vector}
      %p = arith.addf %c, %s : {vector}
      %m = arith.subf %c, %s : {vector}
      %fp = linalg.dot ins(%p, %p : {vector}, {vector}) outs(%zero0 : {scalar}) -> {scalar}
      %fm = linalg.dot ins(%m, %m : {vector}, {vector}) outs(%zero0 : {scalar}) -> {scalar}
      %a = tensor.extract %fp[] : {scalar}
      %b = tensor.extract %fm[] : {scalar}
      %y = arith.subf %b, %a : {T}"""

if args.form == "psum":
    step = f"""
    %lanes = arith.constant {S} : index
    %gs = weave.pmap %i lanes(%lanes) {{
      %lane = weave.axis_index %i : index
      %own = weave.random.fold_in %k, %lane : tensor<2xi32>, index -> tensor<2xi32>
      %z = weave.random.normal %own : tensor<2xi32> -> {vector}{lane}
      %yv = tensor.splat %y : {vector}
      %yz = arith.mulf %yv, %z : {vector}
      %sum = weave.psum %yz over %i : {vector}
      weave.yield %sum : {vector}
    }} -> {noise}
    %g = tensor.extract_slice %gs[0, 0] [1, {D}] [1, 1] : {noise} to {vector}"""
else:
    step = f"""
    %zs = weave.random.normal %k : tensor<2xi32> -> {noise}
    %ys = weave.{mapping} %i (%z = %zs : {noise}) {{{lane}
      weave.yield %y : {T}
    }} -> {fitness}
    %g = linalg.vecmat ins(%ys, %zs : {fitness}, {noise}) outs(%zero : {vector}) -> {vector}"""

print(f"""func.func @main(%steps: index {{weave.name = "steps", weave.default = 1000 : index}},
                %seed: i32 {{weave.name = "seed", weave.default = 0 : i32}},
                %x0: {vector} {{weave.name = "x0", weave.default = 1.0 : {T}}},
                %std: {T} {{weave.name = "std", weave.default = 1.0e-2 : {T}}},
                %stepsize: {T} {{weave.name = "stepsize", weave.default = 1.0e-3 : {T}}})
    -> ({vector} {{weave.name = "x"}}, tensor<?x{D}x{T}> {{weave.name = "xs"}}) {{
  %key = weave.random.key %seed : i32 -> tensor<2xi32>
  %keys = weave.random.split %key sizes(%steps) : tensor<2xi32> -> tensor<?x2xi32>
  %zero = arith.constant dense<0.0> : {vector}
  %zero0 = arith.constant dense<0.0> : {scalar}
  %twice = arith.constant {2 * S}.0 : {T}
  %divisor = arith.mulf %std, %twice : {T}
  %scale = arith.divf %stepsize, %divisor : {T}
  %scales = tensor.splat %scale : {vector}
  %stds = tensor.splat %std : {vector}
  %x, %xs = weave.scan carry(%c = %x0 : {vector}) xs(%k = %keys : tensor<?x2xi32>) {{{step}
    %u = arith.mulf %scales, %g : {vector}
    %n = arith.addf %c, %u : {vector}
    weave.yield carry(%n : {vector}) ys(%c : {vector})
  }} -> {vector}, tensor<?x{D}x{T}>
  return %x, %xs : {vector}, tensor<?x{D}x{T}>
}}""")
