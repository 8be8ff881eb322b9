#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes random well-typed programs: scans, maps and collectives nested in each
other, elementwise arithmetic, contractions, reductions, random draws and what goes
between them, on extents of 0 to 7. The same seed makes the same program.

    generate.py [--without=collective,branch,...] SEED...

prints a module of the seeds' programs; `without` leaves kinds of operations out.
"""

import random
import sys

from program import Block, Op, Program, Type, Value, module

FLOATS = ["f32", "f64"]
SPECIAL = {
    "f32": ["0x7F800000", "0xFF800000", "0x7FC00000", "0x80000000", "0x00000001", "0x7F7FFFFF"],
    "f64": ["0x7FF0000000000000", "0x7FF8000000000000", "0x8000000000000000", "0x0000000000000001"],
}
INTS = ["0", "1", "-1", "2", "7", "31", "32", "-2147483648", "2147483647", "65537"]


class Scope:
    """What a block under construction can use."""

    def __init__(self, outer=None, block=None):
        self.block = block or Block()
        self.values = list(outer.values) if outer else []
        # Axes of the enclosing maps, and whether collectives may use them here.
        self.axes = list(outer.axes) if outer else []
        self.collectives = outer.collectives if outer else True
        self.depth = outer.depth + 1 if outer else 0


class Generator:
    def __init__(self, seed, without=()):
        self.random = random.Random(seed)
        self.seed = seed
        self.without = set(without)
        self.number = 0

    #--- Choosing ---------------------------------------------------------------

    def chance(self, p):
        return self.random.random() < p

    def pick(self, sequence):
        return self.random.choice(sequence)

    def extent(self):
        return self.random.choices(range(8), [1, 3, 4, 4, 4, 3, 2, 4])[0]

    def element(self):
        return self.random.choices(["f32", "f64", "i32"], [6, 2, 3])[0]

    def shape(self, most=2):
        rank = self.random.choices(range(most + 1), [3, 5, 2, 1][:most + 1])[0]
        return tuple(self.extent() for _ in range(rank)) or None

    #--- Making operations -------------------------------------------------------

    def op(self, scope, text, operands, types, blocks=(), **words):
        op = Op(self.number, text, operands, types, blocks, **words)
        self.number += 1
        scope.block.ops.append(op)
        # Tensors of rank 0 are for linalg's sake only.
        scope.values += [v for v in op.results if v.type.shape != ()]
        return op

    def simple(self, scope, format, operands, type):
        """An operation of one line; `{0}` and so on are its operands."""
        return self.op(scope, lambda names: format.format(*names), operands, [type]).results[0]

    def constant(self, scope, type, number):
        if type.shape is None:
            suffix = "" if type.element == "i1" else f" : {type}"
            return self.simple(scope, f"arith.constant {number}{suffix}", [], type)
        return self.simple(scope, f"arith.constant dense<{number}> : {type}", [], type)

    def index(self, scope, number):
        return self.constant(scope, Type("index"), number)

    def number_of(self, element, special=0.15):
        if element in FLOATS:
            if self.chance(special):
                return self.pick(SPECIAL[element])
            return repr(round(self.random.uniform(-4, 4), 3))
        if element == "i1":
            return self.pick(["true", "false"])
        return self.pick(INTS) if self.chance(0.5) else str(self.random.randint(-100, 100))

    def leaf(self, scope, type):
        """A value of `type` from constants and draws."""
        if type.element == "index":
            return self.index(scope, self.random.randint(0, 6))
        if type.element == "i1":
            other = Type(self.pick(["f32", "i32"]), type.shape)
            return self.compare(scope, self.value(scope, other), self.leaf(scope, other))
        if self.chance(0.3) or "random" in self.without:
            return self.constant_leaf(scope, type)
        if type.shape is None:
            row = self.draw(scope, Type(type.element, (self.random.randint(1, 3),)))
            return self.simple(scope, f"tensor.extract {{0}}[{{1}}] : {row.type}",
                               [row, self.index(scope, 0)], type)
        return self.draw(scope, type)

    def constant_leaf(self, scope, type):
        count = 1
        for n in type.shape or ():
            count *= n
        if type.shape is None or count == 0 or self.chance(0.3):
            return self.constant(scope, type, self.number_of(type.element))

        def nest(shape):
            if not shape:
                return self.number_of(type.element)
            return "[" + ", ".join(nest(shape[1:]) for _ in range(shape[0])) + "]"
        return self.constant(scope, type, nest(type.shape))

    def key(self, scope):
        keys = [v for v in scope.values if v.type == Type("i32", (2,))]
        key = self.pick(keys) if keys and self.chance(0.5) else keys[0]
        data = self.constant(scope, Type("i32"), self.random.randint(0, 1000))
        return self.simple(scope, "weave.random.fold_in {0}, {1} : tensor<2xi32>, i32 -> tensor<2xi32>",
                           [key, data], Type("i32", (2,)))

    def draw(self, scope, type):
        draw = "bits" if type.element == "i32" else self.pick(["normal", "uniform"])
        return self.simple(scope, f"weave.random.{draw} {{0}} : tensor<2xi32> -> {type}",
                           [self.key(scope)], type)

    def value(self, scope, type, fresh=0.15):
        """A value of `type`, mostly one that is there already."""
        there = [v for v in scope.values if v.type == type]
        if there and not self.chance(fresh):
            return self.prefer(there)
        return self.leaf(scope, type)

    def prefer(self, values):
        """One of them: mostly one that nothing uses yet, since nothing else keeps the
        operation that made it in the program, and a recent one, so that programs get
        deep."""
        unused = [v for v in values if v.uses == 0]
        if unused and self.chance(0.7):
            values = unused
        return values[-1 - min(int(self.random.expovariate(0.4)), len(values) - 1)]

    def sinks(self, scope, most, condition=lambda t: True):
        """Up to so many values of the block that nothing uses yet."""
        made = {v for op in scope.block.ops for v in op.results} | set(scope.block.arguments)
        unused = [v for v in scope.values if v in made and v.uses == 0 and condition(v.type)
                  and v.type.element in ("f32", "f64", "i32")]
        # What loops and maps give comes first.
        unused.sort(key=lambda v: not (v.op and v.op.blocks))
        return unused[:most]

    def some(self, scope, condition=lambda t: True, default=None):
        """Any value whose type satisfies a condition."""
        there = [v for v in scope.values
                 if v.type.element in ("f32", "f64", "i32") and condition(v.type)]
        if there and self.chance(0.85):
            return self.prefer(there)
        if default:
            return self.leaf(scope, default)
        for _ in range(50):
            type = Type(self.element(), self.shape())
            if condition(type):
                return self.leaf(scope, type)
        return self.pick(there) if there else None

    #--- Elementwise -----------------------------------------------------------

    def compare(self, scope, a, b):
        type = Type("i1", a.type.shape)
        if a.type.element in FLOATS:
            predicate = self.pick(["olt", "ole", "ogt", "oeq", "une", "ult", "uno", "ord"])
            return self.simple(scope, f"arith.cmpf {predicate}, {{0}}, {{1}} : {a.type}", [a, b], type)
        predicate = self.pick(["eq", "ne", "slt", "sle", "sgt", "uge", "ult"])
        return self.simple(scope, f"arith.cmpi {predicate}, {{0}}, {{1}} : {a.type}", [a, b], type)

    def elementwise(self, scope):
        a = self.some(scope)
        type, element = a.type, a.type.element
        kind = self.random.random()
        if kind < 0.15:
            b = self.value(scope, type)
            condition = self.compare(scope, self.value(scope, type), b)
            if self.chance(0.2):
                flag = self.compare(scope, b, self.value(scope, type))
                word = self.pick(["andi", "ori", "xori"])
                condition = self.simple(scope, f"arith.{word} {{0}}, {{1}} : {condition.type}",
                                        [condition, flag], condition.type)
            select = f"arith.select {{0}}, {{1}}, {{2}} : {type}"
            if type.shape is not None:
                select = f"arith.select {{0}}, {{1}}, {{2}} : {condition.type}, {type}"
            return self.simple(scope, select, [condition, a, b], type)
        if kind < 0.27:
            return self.convert(scope, a)
        if element in FLOATS:
            word, count = self.pick([
                ("arith.addf", 2), ("arith.subf", 2), ("arith.mulf", 2), ("arith.mulf", 2),
                ("arith.divf", 2), ("arith.maximumf", 2), ("arith.minimumf", 2), ("arith.maxnumf", 2),
                ("arith.negf", 1), ("math.absf", 1), ("math.sqrt", 1), ("math.fma", 3), ("math.fma", 3),
                ("math.floor", 1)])
        else:
            word, count = self.pick([
                ("arith.addi", 2), ("arith.subi", 2), ("arith.muli", 2), ("arith.andi", 2),
                ("arith.ori", 2), ("arith.xori", 2), ("arith.shli", 2), ("arith.shrsi", 2),
                ("arith.shrui", 2), ("arith.divsi", 2), ("arith.remsi", 2), ("arith.divui", 2),
                ("arith.floordivsi", 2), ("arith.ceildivsi", 2), ("arith.maxsi", 2), ("arith.minui", 2)])
        operands = [a] + [self.value(scope, type) for _ in range(count - 1)]
        self.random.shuffle(operands)
        names = ", ".join(f"{{{i}}}" for i in range(count))
        return self.simple(scope, f"{word} {names} : {type}", operands, type)

    def convert(self, scope, a):
        word, to = self.pick({
            "f32": [("arith.fptosi", "i32"), ("arith.extf", "f64"), ("arith.fptoui", "i32")],
            "f64": [("arith.fptosi", "i32"), ("arith.truncf", "f32")],
            "i32": [("arith.sitofp", "f32"), ("arith.uitofp", "f64"), ("arith.sitofp", "f64")],
        }[a.type.element])
        type = Type(to, a.type.shape)
        return self.simple(scope, f"{word} {{0}} : {a.type} to {type}", [a], type)

    #--- Structured operations ---------------------------------------------------

    def contraction(self, scope):
        def isMatrixOrVector(t):
            return t.rank in (1, 2)
        a = self.some(scope, isMatrixOrVector, Type(self.element(), (self.extent(), self.extent())))
        element, shape = a.type
        n = self.extent()
        name, other, result = self.pick(
            [("dot", shape, ()), ("vecmat", (shape[0], n), (n,))] if a.type.rank == 1 else
            [("matvec", (shape[1],), (shape[0],)), ("matmul", (shape[1], n), (shape[0], n))])
        b = self.value(scope, Type(element, other))
        zero = "0.0" if element in FLOATS else "0"
        type = Type(element, result)
        if result and self.chance(0.4):
            init = self.value(scope, type)
        else:
            init = self.constant(scope, type, zero if self.chance(0.7) else self.number_of(element, 0))
        value = self.simple(
            scope, f"linalg.{name} ins({{0}}, {{1}} : {a.type}, {b.type}) outs({{2}} : {type}) -> {type}",
            [a, b, init], type)
        return value if result else self.scalar(scope, value)

    def scalar(self, scope, value):
        """The number in a tensor of rank 0, which nothing else here takes."""
        return self.simple(scope, f"tensor.extract {{0}}[] : {value.type}", [value], Type(value.type.element))

    def reduction(self, scope):
        a = self.some(scope, lambda t: t.rank >= 1, Type(self.element(), (self.extent(),)))
        element, shape = a.type
        dims = sorted(self.random.sample(range(len(shape)), self.random.randint(1, len(shape))))
        word = self.pick(["addf", "addf", "mulf", "maximumf", "minimumf"] if element in FLOATS else
                         ["addi", "muli", "maxsi", "minsi", "andi", "ori", "xori", "maxui"])
        return self.fold(scope, a, dims, word)

    def fold(self, scope, a, dims, word):
        """Reduces some dimensions."""
        element, shape = a.type
        rest = tuple(n for d, n in enumerate(shape) if d not in dims)
        type = Type(element, rest)
        init = (self.value(scope, type) if rest and self.chance(0.4) else
                self.constant(scope, type, "0.0" if element in FLOATS else "0"))
        block = Block([Value(Type(element)), Value(Type(element))])
        inner = Scope(None, block)
        x, accumulator = block.arguments
        combined = self.simple(inner, f"arith.{word} {{0}}, {{1}} : {element}", [accumulator, x], Type(element))
        block.yields = [combined]
        block.terminator = lambda names: f"linalg.yield {names[0]} : {element}"
        value = self.op(
            scope, lambda names, arguments:
            f"linalg.reduce ins({names[0]} : {a.type}) outs({names[1]} : {type}) dimensions = {dims} "
            f"({arguments[0]}: {element}, {arguments[1]}: {element}) {{",
            [a, init], [type], [block]).results[0]
        return value if rest else self.scalar(scope, value)

    #--- Shapes ----------------------------------------------------------------

    def glue(self, scope):
        a = self.some(scope, lambda t: t.rank >= 1 and 0 not in t.shape)
        if a is None:
            return None
        element, shape = a.type
        kind = self.pick(["extract", "gather", "slice", "insert", "transpose", "splat", "concat",
                          "elements", "reshape", "insert_slice"])
        if kind in ("extract", "gather"):
            at = [self.index(scope, self.random.randrange(n)) if kind == "extract"
                  else self.position(scope, n) for n in shape]
            names = ", ".join(f"{{{i + 1}}}" for i in range(len(shape)))
            return self.simple(scope, f"tensor.extract {{0}}[{names}] : {a.type}", [a] + at, Type(element))
        if kind == "insert":
            number = self.value(scope, Type(element))
            at = [self.position(scope, n) for n in shape]
            names = ", ".join(f"{{{i + 2}}}" for i in range(len(shape)))
            return self.simple(scope, f"tensor.insert {{1}} into {{0}}[{names}] : {a.type}",
                               [a, number] + at, a.type)
        if kind in ("slice", "insert_slice"):
            sizes = tuple(self.random.randint(0 if self.chance(0.2) else 1, n) for n in shape)
            offsets = [self.random.randint(0, min(n - s, n - 1)) for n, s in zip(shape, sizes)]
            part = Type(element, sizes)
            place = f"{offsets} {list(sizes)} {[1] * len(shape)}"
            if kind == "slice":
                return self.simple(scope, f"tensor.extract_slice {{0}}{place} : {a.type} to {part}", [a], part)
            return self.simple(scope, f"tensor.insert_slice {{1}} into {{0}}{place} : {part} into {a.type}",
                               [a, self.value(scope, part)], a.type)
        if kind == "transpose" and len(shape) >= 2:
            order = self.random.sample(range(len(shape)), len(shape))
            type = Type(element, tuple(shape[d] for d in order))
            empty = self.simple(scope, f"tensor.empty() : {type}", [], type)
            scope.values.remove(empty)
            return self.simple(
                scope, f"linalg.transpose ins({{0}} : {a.type}) outs({{1}} : {type}) permutation = {order}",
                [a, empty], type)
        if kind == "splat":
            type = Type(element, (self.extent(),) + (self.shape(1) or ()))
            return self.simple(scope, f"tensor.splat {{0}} : {type}", [self.value(scope, Type(element))], type)
        if kind == "concat":
            type = Type(element, (2 * shape[0],) + shape[1:])
            if type.shape[0] > 7:
                return None
            b = self.value(scope, a.type)
            return self.simple(scope, f"tensor.concat dim(0) {{0}}, {{1}} : ({a.type}, {a.type}) -> {type}",
                               [a, b], type)
        if kind == "elements":
            n = self.random.randint(1, 4)
            type = Type(element, (n,))
            names = ", ".join(f"{{{i}}}" for i in range(n))
            return self.simple(scope, f"tensor.from_elements {names} : {type}",
                               [self.value(scope, Type(element)) for _ in range(n)], type)
        if kind == "reshape" and len(shape) == 2 and shape[0] * shape[1] <= 7:
            flat = Type(element, (shape[0] * shape[1],))
            return self.simple(scope, f"tensor.collapse_shape {{0}} [[0, 1]] : {a.type} into {flat}", [a], flat)
        return None

    def position(self, scope, n):
        """Any index below n, from a number that the program computes."""
        number = self.value(scope, Type("i32"))
        most = self.constant(scope, Type("i32"), n)
        rest = self.simple(scope, "arith.remui {0}, {1} : i32", [number, most], Type("i32"))
        return self.simple(scope, "arith.index_cast {0} : i32 to index", [rest], Type("index"))

    def split(self, scope, n):
        if "random" in self.without:
            return self.constant_leaf(scope, Type("i32", (n, 2)))
        return self.simple(scope, f"weave.random.split {{0}} : tensor<2xi32> -> tensor<{n}x2xi32>",
                           [self.key(scope)], Type("i32", (n, 2)))

    def random_op(self, scope):
        if self.chance(0.3):
            return self.split(scope, self.random.randint(1, 5))
        return self.leaf(scope, Type(self.element(), (self.extent(),) + (self.shape(1) or ())))

    #--- Loops and maps ----------------------------------------------------------

    def dynamic(self, scope, value, axis):
        """`value` with an extent that is known at run time only."""
        shape = value.type.shape
        type = Type(value.type.element, shape[:axis] + (None,) + shape[axis + 1:])
        cast = self.simple(scope, f"tensor.cast {{0}} : {value.type} to {type}", [value], type)
        scope.values.remove(cast)
        return cast

    def static(self, scope, value, type):
        if value.type == type:
            return value
        scope.values.remove(value)
        return self.simple(scope, f"tensor.cast {{0}} : {value.type} to {type}", [value], type)

    def bounded(self, scope, value):
        """Mostly keeps a carry from growing to infinity, where bits say little."""
        if value.type.element not in FLOATS or self.chance(0.3):
            return value
        half = self.constant(scope, value.type, "0.5")
        return self.simple(scope, f"arith.mulf {{0}}, {{1}} : {value.type}", [value, half], value.type)

    def scan(self, scope, budget):
        steps = self.extent()
        xs = [self.some(scope, lambda t: t.rank >= 1 and t.shape[0] == steps,
                        Type(self.element(), (steps,) + (self.shape(1) or ())))
              for _ in range(self.random.randint(0, 2))]
        if self.chance(0.3) and steps > 0:
            xs.append(self.split(scope, steps))
        extent = steps
        if xs and self.chance(0.25):
            xs = [self.dynamic(scope, x, 0) for x in xs]
            extent = None
        inits = [self.value(scope, Type(self.element(), self.shape())) for _ in range(self.random.randint(1, 3))]
        length = None if xs else self.index(scope, steps)
        body = Block([Value(v.type) for v in inits] + [Value(x.type.sliced(0)) for x in xs])
        inner = Scope(scope, body)
        inner.values += body.arguments
        self.fill(inner, budget)
        carries = []
        for carry in body.arguments[:len(inits)]:
            if inner.depth <= 2 and carry.type.rank <= 1 and self.chance(0.7 if scope.depth == 0 else 0.3):
                carries.append(self.lanes_step(inner, carry))
            else:
                carries.append(self.bounded(inner, self.value(inner, carry.type, fresh=0.02)))
        if len(carries) > 1 and carries[0].type == carries[1].type and self.chance(0.3):
            carries[:2] = body.arguments[1], body.arguments[0]
        for carry in carries:
            carry.uses += 1
        ys = self.sinks(inner, self.random.randint(0, 3), lambda t: t.rank <= 2)
        for y in ys:
            y.uses += 1
        body.yields = carries + ys
        count = len(carries)

        def terminator(names):
            def typed(values, types):
                return f"{', '.join(values)} : {', '.join(str(t.type) for t in types)}"
            text = f"weave.yield carry({typed(names[:count], carries)})"
            return text + (f" ys({typed(names[count:], ys)})" if ys else "")
        body.terminator = terminator
        words = " reverse" if self.chance(0.2) else ""
        words += f" unroll({self.random.randint(1, 3)})" if self.chance(0.2) else ""
        types = [v.type for v in inits] + [y.type.stacked(extent) for y in ys]

        def text(names, arguments):
            def bind(keyword, lo, hi, values):
                if not values:
                    return ""
                return f" {keyword}(" + ", ".join(
                    f"{arguments[i]} = {names[i]} : {v.type}" for i, v in zip(range(lo, hi), values)) + ")"
            carry = bind("carry", 0, count, inits)
            scanned = bind("xs", count, count + len(xs), xs)
            size = f" length({names[-1]})" if length else ""
            return f"weave.scan{carry}{scanned}{size}{words} {{"
        op = self.op(scope, text, inits + xs + ([length] if length else []), types, [body],
                     tail=" -> " + ", ".join(map(str, types)))
        for value, y in zip(op.results[count:], ys):
            self.static(scope, value, y.type.stacked(steps))
        return op.results[0]

    def map(self, scope, budget):
        word = self.pick(["pmap", "vmap"])
        lanes = self.extent()
        inputs, axes = [], []
        for _ in range(self.random.randint(0, 3)):
            x = self.some(scope, lambda t: t.rank >= 1 and lanes in t.shape,
                          Type(self.element(), (lanes,) + (self.shape(1) or ())))
            inputs.append(x)
            axes.append(self.pick([d for d, n in enumerate(x.type.shape) if n == lanes]))
        if self.chance(0.3) and lanes > 0:
            inputs.append(self.split(scope, lanes))
            axes.append(0)
        extent = lanes
        # Collectives other than all_gather take any number of lanes; it is simpler
        # to know all extents.
        if inputs and scope.depth == 0 and self.chance(0.2):
            inputs = [self.dynamic(scope, x, axis) for x, axis in zip(inputs, axes)]
            extent = None

        def body(inner, slices):
            self.fill(inner, budget)
            return self.sinks(inner, self.random.randint(1, 3), lambda t: t.rank <= 2) or [
                self.some(inner, lambda t: t.rank <= 2)]
        return self.make_map(scope, word, inputs, axes, lanes, extent, body)[0]

    def make_map(self, scope, word, inputs, axes, lanes, extent, body):
        """A pmap or vmap over axes of inputs. `body` gives the values that a lane
        yields; `extent` is the number of lanes, or None to know it at run time only."""
        count = None if inputs else self.index(scope, lanes)
        axis = Value(Type("!weave.axis"))
        block = Block([axis] + [Value(x.type.sliced(a)) for x, a in zip(inputs, axes)])
        inner = Scope(scope, block)
        inner.values += block.arguments[1:]
        inner.axes.append((axis, extent))
        yields = body(inner, block.arguments[1:])
        for value in yields:
            value.uses += 1
        out = [self.random.randint(0, y.type.rank) if self.chance(0.3) else 0 for y in yields]
        block.yields = yields
        block.terminator = lambda names: (
            f"weave.yield {', '.join(names)} : {', '.join(str(y.type) for y in yields)}")
        types = [y.type.stacked(extent, o) for y, o in zip(yields, out)]

        def text(names, arguments):
            bound = ", ".join(f"{a} = {n} : {x.type}" for a, n, x in zip(arguments[1:], names, inputs))
            bound = f" ({bound})" if inputs else ""
            size = f" lanes({names[-1]})" if count else ""
            ins = f" in_axes {axes}" if any(axes) else ""
            outs = f" out_axes {out}" if any(out) else ""
            return f"weave.{word} {arguments[0]}{bound}{size}{ins}{outs} {{"
        op = self.op(scope, text, inputs + ([count] if count else []), types, [block],
                     tail=" -> " + ", ".join(map(str, types)))
        return [self.static(scope, value, y.type.stacked(lanes, o))
                for value, y, o in zip(op.results, yields, out)]

    #--- Steps with an exchange ---------------------------------------------------

    def binary(self, scope, word, a, b):
        return self.simple(scope, f"arith.{word} {{0}}, {{1}} : {a.type}", [a, b], a.type)

    def spread(self, scope, number, type):
        """A number as a tensor of `type`, or itself."""
        if type.shape is None:
            return number
        return self.simple(scope, f"tensor.splat {{0}} : {type}", [number], type)

    def lanes_step(self, scope, carry):
        """The next value of a carry by way of lanes: each computes something from the
        carry and from an input of its own, and what the lanes have is combined. This
        is what programs are partitioned for, and chance would seldom make it."""
        element, shape = carry.type
        isFloat = element in FLOATS
        lanes = self.extent()
        word = self.pick(["pmap", "pmap", "pmap", "vmap"])
        add, multiply = ("addf", "mulf") if isFloat else ("addi", "muli")

        def mapped(inputs, body):
            extent = None if self.chance(0.15) else lanes
            if extent is None:
                inputs = [self.dynamic(scope, x, 0) for x in inputs]
            return self.make_map(scope, word, inputs, [0] * len(inputs), lanes, extent, body)

        def scaled(value):
            if not isFloat:
                return value
            return self.binary(scope, "mulf", value, self.constant(scope, value.type, "0.125"))

        kind = self.pick(["contract", "combine", "combine", "collective"])
        if kind == "contract" and carry.type.rank == 1:
            rows = self.leaf(scope, Type(element, (lanes,) + shape))
            zero = "0.0" if isFloat else "0"

            def score(inner, slices):
                moved = self.binary(inner, add, carry, slices[0])
                if self.chance(0.5):
                    self.fill(inner, 2)
                start = self.constant(inner, Type(element, ()), zero)
                dot = self.simple(
                    inner, f"linalg.dot ins({{0}}, {{1}} : {moved.type}, {moved.type}) outs({{2}} : tensor<{element}>)"
                    f" -> tensor<{element}>", [moved, self.pick([moved, slices[0]]), start], Type(element, ()))
                return [self.scalar(inner, dot)]
            scores = mapped([rows], score)[0]
            start = self.constant(scope, carry.type, zero)
            total = self.simple(
                scope, f"linalg.vecmat ins({{0}}, {{1}} : {scores.type}, {rows.type}) outs({{2}} : {carry.type})"
                f" -> {carry.type}", [scores, rows, start], carry.type)
            return self.binary(scope, add, carry, scaled(total))
        if kind == "collective":
            inputs = [self.leaf(scope, Type(element, (lanes,)))]

            def total(inner, slices):
                weight = self.spread(inner, slices[0], carry.type)
                own = self.binary(inner, multiply, carry, weight)
                axis = inner.axes[-1][0]
                every = self.simple(inner, f"weave.{self.pick(['psum', 'pmax'])} {{0}} over {{1}} : {own.type}",
                                    [own, axis], own.type)
                return [self.binary(inner, add, own, every)]
            stacked = mapped(inputs, total)[0]
        else:
            inputs = [self.leaf(scope, Type(element, (lanes,)))]

            def product(inner, slices):
                if self.chance(0.5):
                    self.fill(inner, 2)
                weight = self.spread(inner, slices[0], carry.type)
                return [self.binary(inner, self.pick([add, multiply]), carry, weight)]
            stacked = mapped(inputs, product)[0]
        # Where the lanes ended up depends on the out axis; any place of that extent does.
        dim = next(d for d in range(stacked.type.rank)
                   if stacked.type.shape[:d] + stacked.type.shape[d + 1:] == (shape or ()))
        combined = self.fold(scope, stacked, [dim], self.pick(
            ["addf", "maximumf"] if isFloat else ["addi", "maxsi", "xori"]))
        return self.binary(scope, add, carry, scaled(combined))

    def collective(self, scope):
        axis, lanes = self.pick(scope.axes)
        kind = self.pick(["psum", "psum", "pmax", "pmin", "pmean", "all_gather", "axis_index"])
        if kind == "axis_index":
            lane = self.simple(scope, "weave.axis_index {0} : index", [axis], Type("index"))
            return self.simple(scope, "arith.index_cast {0} : index to i32", [lane], Type("i32"))
        if not scope.collectives:
            return None
        a = self.some(scope, lambda t: t.rank <= 1)
        if kind == "all_gather":
            if lanes is None:
                return None
            type = a.type.stacked(lanes)
            return self.simple(scope, f"weave.all_gather {{0}} over {{1}} : {a.type} -> {type}", [a, axis], type)
        type = Type("f32", a.type.shape) if kind == "pmean" and a.type.element == "i32" else a.type
        return self.simple(scope, f"weave.{kind} {{0}} over {{1}} : {a.type}", [a, axis], type)

    def branch(self, scope, budget):
        """scf.if, or scf.for with few rounds. Lanes may differ in what they do, so
        there are no collectives in it."""
        types = [Type(self.element(), self.shape(1)) for _ in range(self.random.randint(1, 2))]
        listed = ", ".join(map(str, types))
        terminator = lambda names: f"scf.yield {', '.join(names)} : {listed}"

        def block(arguments=()):
            made = Block(list(arguments))
            inner = Scope(scope, made)
            inner.collectives = False
            inner.values += [a for a in arguments if a.type.element != "index"]
            self.fill(inner, budget // 2)
            made.yields = [self.bounded(inner, self.value(inner, t)) for t in types]
            for value in made.yields:
                value.uses += 1
            made.terminator = terminator
            return made
        if self.chance(0.5):
            condition = self.value(scope, Type("i1"), fresh=0.5)
            blocks = [block(), block()]
            return self.op(scope, lambda names, *_: f"scf.if {names[0]} -> ({listed}) {{",
                           [condition], types, blocks, between="else")
        inits = [self.value(scope, t) for t in types]
        bounds = [self.index(scope, 0), self.position(scope, 4) if self.chance(0.4) else
                  self.index(scope, self.random.randint(0, 3)), self.index(scope, 1)]
        made = block([Value(Type("index"))] + [Value(t) for t in types])
        return self.op(
            scope, lambda names, arguments:
            f"scf.for {arguments[0]} = {names[0]} to {names[1]} step {names[2]} iter_args("
            + ", ".join(f"{a} = {n}" for a, n in zip(arguments[1:], names[3:])) + f") -> ({listed}) {{",
            bounds + inits, types, [made])

    #--- Blocks ----------------------------------------------------------------

    def fill(self, scope, budget):
        """Operations of about a budget, which loops and maps share with their bodies."""
        while budget > 0:
            nested = scope.depth < 3 and budget >= 4
            kinds = [(self.elementwise, 10), (self.contraction, 3), (self.reduction, 3),
                     (self.glue, 4), (self.random_op, 1)]
            if scope.axes:
                kinds.append((self.collective, 8))
            if nested:
                kinds += [(self.scan, 4), (self.map, 5), (self.branch, 1)]
            kinds = [k for k in kinds if k[0].__name__ not in self.without]
            make = self.random.choices([k for k, _ in kinds], [w for _, w in kinds])[0]
            if make in (self.scan, self.map, self.branch):
                share = self.random.randint(2, max(2, budget * 2 // 3))
                make(scope, share)
                budget -= share
            else:
                make(scope)
            budget -= 1

    def program(self):
        block = Block()
        scope = Scope(None, block)
        seed = Value(Type("i32"))
        seed.name = "%seed"
        scope.values.append(seed)
        key = None
        if "random" not in self.without:
            key = self.simple(scope, "weave.random.key {0} : i32 -> tensor<2xi32>", [seed], Type("i32", (2,)))
        for _ in range(3):
            self.leaf(scope, Type(self.element(), self.shape()))
        # A program without a loop or map would test little.
        self.pick([self.scan, self.scan, self.map])(scope, self.random.randint(3, 10))
        self.fill(scope, self.random.randint(4, 18))
        results = self.sinks(scope, 6)
        results = [v for v in results if v is not key and v is not seed] or [self.some(scope)]
        return Program(self.seed, block, results)


def generate(seed, without=()):
    return Generator(seed, without).program()


def main():
    arguments = sys.argv[1:]
    without = []
    if arguments and arguments[0].startswith("--without="):
        without = arguments.pop(0).partition("=")[2].split(",")
    if not arguments or not all(a.isdigit() for a in arguments):
        sys.exit(__doc__)
    programs = [generate(int(seed), without) for seed in arguments]
    print(module([(p, range(len(p.results)), frozenset()) for p in programs])[0], end="")


if __name__ == "__main__":
    main()
