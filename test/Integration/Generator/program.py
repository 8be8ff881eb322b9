# SPDX-License-Identifier: Apache-2.0
"""Programs as trees of operations: printing them, alone or many in one module,
without what nothing needs, and with operations replaced by constants (which is how
a failing program is made small)."""

from dataclasses import dataclass, field
from typing import Callable, List, NamedTuple, Optional, Tuple


class Type(NamedTuple):
    """A number (no shape) or a tensor; None is an extent known at run time."""

    element: str
    shape: Optional[Tuple[Optional[int], ...]] = None

    def __str__(self):
        if self.shape is None:
            return self.element
        extents = "".join(f"{'?' if n is None else n}x" for n in self.shape)
        return f"tensor<{extents}{self.element}>"

    @property
    def rank(self):
        return len(self.shape or ())

    def sliced(self, axis):
        """One slice along an axis; a slice of rank 0 is the number."""
        shape = self.shape[:axis] + self.shape[axis + 1:]
        return Type(self.element, shape or None)

    def stacked(self, extent, axis=0):
        shape = self.shape or ()
        return Type(self.element, shape[:axis] + (extent,) + shape[axis:])


class Value:
    def __init__(self, type, op=None):
        self.type = type
        self.op = op  # None for a block argument
        self.name = None
        self.uses = 0


@dataclass(eq=False)
class Block:
    arguments: List[Value] = field(default_factory=list)
    ops: List["Op"] = field(default_factory=list)
    # Operands of the terminator, and its text from their names.
    yields: List[Value] = field(default_factory=list)
    terminator: Callable = None


class Op:
    """`text` makes the operation's first line from the names of its operands and
    (for each block) of the block's arguments. `between` are the words between blocks,
    `tail` what follows the last."""

    def __init__(self, number, text, operands, types, blocks=(), between="", tail=""):
        self.number = number
        self.text = text
        self.operands = list(operands)
        for operand in self.operands:
            operand.uses += 1
        self.results = [Value(t, self) for t in types]
        self.blocks = list(blocks)
        self.between = between
        self.tail = tail


class Program:
    def __init__(self, seed, block, results):
        self.seed = seed
        self.block = block
        self.results = results  # of the block's values

    def ops(self):
        """All operations, outer ones before inner ones."""
        def walk(block):
            for op in block.ops:
                yield op
                for inner in op.blocks:
                    yield from walk(inner)
        return list(walk(self.block))

    def is_replaceable(self, op):
        """Whether constants can stand for an operation: extents and shapes that
        others rely on stay."""
        return op.results and not any(
            v.type.element == "index" or None in (v.type.shape or ()) for v in op.results) and not (
                len(op.results) == 1 and not op.operands)

    def constant(self, type):
        number = {"f32": "0.75", "f64": "0.75", "i1": "true", "index": "0"}.get(type.element, "3")
        if type.shape is None:
            return f"arith.constant {number}" + ("" if type.element == "i1" else f" : {type}")
        return f"arith.constant dense<{number}> : {type}"

    def live(self, results, replaced):
        live = set()

        def mark(value):
            op = value.op
            if op is None or op in live:
                return
            live.add(op)
            if op.number in replaced:
                return
            for operand in op.operands:
                mark(operand)
            for block in op.blocks:
                for value in block.yields:
                    mark(value)
        for result in results:
            mark(result)
        return live

    def render(self, results, replaced=frozenset(), prefix="v"):
        """The lines of the program's operations, as far as `results` need them."""
        live = self.live(results, replaced)
        lines = []
        count = 0

        def name(values, group):
            """Names the results of one operation; gives what stands before the `=`."""
            nonlocal count
            base = f"%{prefix}{count}"
            count += 1
            for i, value in enumerate(values):
                value.name = base if len(values) == 1 or not group else f"{base}#{i}"
            return base if len(values) == 1 else f"{base}:{len(values)}"

        def render_op(op, indent):
            pad = "  " * indent
            if op.number in replaced:
                for result in op.results:
                    lines.append(f"{pad}{name([result], False)} = {self.constant(result.type)}")
                return
            for block in op.blocks:
                for argument in block.arguments:
                    name([argument], False)
            operands = [v.name for v in op.operands]
            arguments = [[a.name for a in block.arguments] for block in op.blocks]
            head = op.text(operands, *arguments)
            start = len(lines)
            lines.append(None)
            for i, block in enumerate(op.blocks):
                if i:
                    lines.append(f"{pad}}} {op.between} {{")
                render_block(block, indent + 1)
            if op.blocks:
                lines.append(f"{pad}}}{op.tail}")
            lines[start] = f"{pad}{name(op.results, True)} = {head}"

        def render_block(block, indent):
            for op in block.ops:
                if op in live:
                    render_op(op, indent)
            if block.terminator:
                yields = [v.name for v in block.yields]
                lines.append("  " * indent + block.terminator(yields))

        render_block(self.block, 2)
        return lines


def module(programs):
    """One module that runs several programs. `programs` are (program, numbers of the
    results that are wanted, numbers of the replaced operations)."""
    body, names, values, types = [], [], [], []
    for program, wanted, replaced in programs:
        results = [program.results[k] for k in wanted]
        body.append(f"    // seed {program.seed}")
        body += program.render(results, replaced, prefix=f"p{program.seed}_")
        for k, value in zip(wanted, results):
            names.append(f"p{program.seed}_r{k}")
            values.append(value.name)
            types.append(str(value.type))
    results = ",\n    ".join(f'{t} {{weave.name = "{n}"}}' for t, n in zip(types, names))
    text = "\n".join(body)
    return f"""module {{
  func.func @main(%seed: i32 {{weave.name = "seed", weave.default = 7 : i32}}) -> (
    {results}) {{
{text}
    return {", ".join(values)}
      : {", ".join(types)}
  }}
}}
""", names
