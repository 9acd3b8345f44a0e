"""Random kernels of linalg operations, and what they compute, in plain Python.

Kernel(rng) has the module (`text`), the extents of its dynamic dimensions (`sizes`),
and `expected(inputs)`: the outputs as lists of numbers and the bounds on their errors.
Nothing of the tool is used, so that the two can be compared.
"""
import itertools
import math
import struct

FLOATS = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "f64": 2.0**-52}
EXTENTS = (1, 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 32, 33, 64, 100, 127, 128, 129, 256, 1000, 1024)
POINTS = 30000  # of one operation; Python is slow


def round_to(dtype, value):
    if dtype[0] == "i":
        bits = int(dtype[1:])
        value = int(value) & ((1 << bits) - 1)
        return value - (1 << bits) if bits > 1 and value >> (bits - 1) else value
    if dtype == "f64" or math.isnan(value) or math.isinf(value):
        return value
    if dtype == "bf16":
        bits = struct.unpack("<I", struct.pack("<f", round_to("f32", value)))[0]
        bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
        return struct.unpack("<f", struct.pack("<I", bits & 0xFFFFFFFF))[0]
    form = "<f" if dtype == "f32" else "<e"
    try:
        return struct.unpack(form, struct.pack(form, value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


BINARY = {
    "arith.addf": lambda a, b: a + b, "arith.subf": lambda a, b: a - b, "arith.mulf": lambda a, b: a * b,
    "arith.maximumf": max, "arith.minimumf": min, "arith.maxnumf": max, "arith.minnumf": min,
    "arith.addi": lambda a, b: a + b, "arith.subi": lambda a, b: a - b, "arith.muli": lambda a, b: a * b,
    "arith.maxsi": max, "arith.minsi": min, "arith.andi": lambda a, b: a & b, "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b}
# Unary functions keep to arguments where they are defined and smooth.
UNARY = {
    "math.absf": abs, "arith.negf": lambda a: -a, "math.tanh": math.tanh, "math.sin": math.sin, "math.cos": math.cos,
    "math.erf": math.erf, "math.floor": math.floor}
OF_ABS = {"math.exp": lambda a: math.exp(-a), "math.sqrt": math.sqrt, "math.log1p": math.log1p,
          "math.rsqrt": lambda a: 1 / math.sqrt(1 + a)}


class Value:
    def __init__(self, name, dims, dtype, evaluate):
        self.name, self.dims, self.dtype, self.evaluate = name, dims, dtype, evaluate


class Body:
    """The region of an operation: text and a program over numbers."""

    def __init__(self, rng, dtypes):
        self.rng, self.lines, self.program = rng, [], []
        self.values = [(f"%b{i}", dtype) for i, dtype in enumerate(dtypes)]
        self.inputs = len(dtypes)

    def emit(self, text, dtype, function, *operands):
        name = f"%v{len(self.program)}"
        self.lines.append(f"{name} = {text}")
        self.program.append((lambda *a, f=function, d=dtype: round_to(d, f(*a)), operands))
        self.values.append((name, dtype))
        return len(self.values) - 1

    def name(self, index):
        return self.values[index][0]

    def constant(self, dtype, value):
        text = repr(float(value)) if dtype in FLOATS else ("true" if value else "false") if dtype == "i1" else str(value)
        return self.emit(f"arith.constant {text}" + ("" if dtype == "i1" else f" : {dtype}"), dtype, lambda: value)

    def binary(self, op, a, b):
        dtype = self.values[a][1]
        return self.emit(f"{op} {self.name(a)}, {self.name(b)} : {dtype}", dtype, BINARY[op], a, b)

    def unary(self, op, a, function):
        dtype = self.values[a][1]
        return self.emit(f"{op} {self.name(a)} : {dtype}", dtype, function, a)

    def cast(self, a, to):
        source = self.values[a][1]
        if source == to:
            return a
        if source in FLOATS and to in FLOATS:
            bits = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
            if bits[source] == bits[to]:
                a, source = self.cast(a, "f32"), "f32"
            op = "arith.extf" if bits[to] > bits[source] else "arith.truncf"
        elif source in FLOATS:
            # Halves are exact, so that both sides cut the same number.
            a = self.unary("math.floor", a, math.floor)
            op = "arith.fptosi"
            if to in ("i1", "i8"):
                return self.cast(self.cast(a, "i32"), to)
        elif to in FLOATS:
            op = "arith.uitofp" if source == "i1" else "arith.sitofp"
        elif int(to[1:]) > int(source[1:]):
            op = "arith.extui" if source == "i1" else "arith.extsi"
        else:
            op = "arith.trunci"
        return self.emit(f"{op} {self.name(a)} : {source} to {to}", to, lambda x: x, a)

    def grow(self, a, exact):
        """One more operation on the value `a`."""
        dtype, rng = self.values[a][1], self.rng
        if dtype == "i1":
            return a
        if dtype not in FLOATS:
            other = self.constant(dtype, rng.choice((-3, -1, 0, 1, 2, 5)))
            if rng.random() < 0.2:
                less = self.emit(f"arith.cmpi slt, {self.name(a)}, {self.name(other)} : {dtype}", "i1", lambda x, y: x < y, a, other)
                return self.emit(f"arith.select {self.name(less)}, {self.name(a)}, {self.name(other)} : {dtype}", dtype,
                                 lambda c, x, y: x if c else y, less, a, other)
            return self.binary(rng.choice([op for op in BINARY if op.endswith("i")]), a, other)
        kind = rng.randrange(5)
        if kind == 0:
            other = self.constant(dtype, rng.choice((-1.5, -1.0, -0.0, 0.0, 0.25, 1.0, 3.0)))
            return self.binary(rng.choice([op for op in BINARY if op.endswith("f")]), a, other)
        if kind == 1 and not exact:
            op = rng.choice(sorted(OF_ABS))
            positive = self.unary("math.absf", a, abs)
            if op == "math.exp":
                positive = self.unary("arith.negf", positive, lambda x: -x)
                return self.unary(op, positive, math.exp)
            if op == "math.rsqrt":
                positive = self.binary("arith.addf", positive, self.constant(dtype, 1.0))
                return self.unary(op, positive, lambda x: 1 / math.sqrt(x))
            return self.unary(op, positive, OF_ABS[op])
        if kind == 2 and not exact:
            divisor = self.binary("arith.addf", self.unary("math.absf", a, abs), self.constant(dtype, 1.0))
            return self.emit(f"arith.divf {self.name(a)}, {self.name(divisor)} : {dtype}", dtype, lambda x, y: x / y, a, divisor)
        # A comparison or a step is told the same from both sides only on inputs.
        choices = [op for op in sorted(UNARY) if exact or op != "math.floor"]
        if kind == 3 and exact:
            zero = self.constant(dtype, 0.0)
            test = self.emit(f"arith.cmpf ogt, {self.name(a)}, {self.name(zero)} : {dtype}", "i1", lambda x, y: x > y, a, zero)
            return self.emit(f"arith.select {self.name(test)}, {self.name(a)}, {self.name(zero)} : {dtype}", dtype,
                             lambda c, x, y: x if c else y, test, a, zero)
        op = rng.choice(choices)
        return self.unary(op, a, UNARY[op])

    def run(self, inputs):
        values = list(inputs)
        for function, operands in self.program:
            values.append(function(*[values[o] for o in operands]))
        return values


class Kernel:
    def __init__(self, rng):
        self.rng, self.lines, self.count = rng, [], 0
        self.memrefs = rng.random() < 0.3
        self.extents = self.choose_extents()
        self.dynamic = {d for d in self.extents if rng.random() < 0.5} if rng.random() < 0.6 else set()
        self.float = rng.choice(("f32", "f32", "f32", "f16", "bf16", "f64"))
        self.integer = rng.choice(("i32", "i32", "i8", "i16", "i64"))
        self.values, self.args, self.size_of, self.changed = [], [], {}, {}
        self.magnitude = 1.0
        for i in range(rng.randint(1, 3)):
            self.argument(f"%x{i}")
        for _ in range(rng.randint(1, 4)):
            rng.choice((self.elementwise, self.elementwise, self.reduction, self.reduction, self.product))()
        self.results = [self.values[-1]]
        made = [v for v in self.values[:-1] if v.name[:2] == "%t"]
        if made and rng.random() < 0.15:
            self.results.append(rng.choice(made))
        self.finish()

    def choose_extents(self):
        rng = self.rng
        while True:
            extents = {d: rng.choice(EXTENTS) if rng.random() > 0.02 else 0 for d in "ABC"[:rng.randint(1, 3)]}
            if math.prod(max(e, 1) for e in extents.values()) <= POINTS:
                return extents

    def new(self):
        self.count += 1
        return f"%t{self.count}"

    def pick_dims(self, least=0):
        names = sorted(self.extents)
        self.rng.shuffle(names)
        return tuple(names[:self.rng.randint(least, len(names))])

    def type_of(self, dims, dtype):
        text = "".join(("?" if d in self.dynamic else str(self.extents[d])) + "x" for d in dims)
        return f"{'memref' if self.memrefs else 'tensor'}<{text}{dtype}>"

    def argument(self, name):
        dims = tuple(sorted(self.extents)) if not self.args else self.pick_dims(1)
        dtype = self.integer if self.rng.random() < 0.2 else self.float
        number = len(self.args)
        value = Value(name, dims, dtype, lambda inputs: inputs[number])
        value.exact = True
        self.args.append(value)
        self.values.append(value)

    def size(self, dim):
        """A value with a dynamic extent; the first argument has all dimensions."""
        if dim not in self.size_of:
            first, name = self.args[0], self.new()
            kind = "memref" if self.memrefs else "tensor"
            self.lines.insert(0, f"{name} = {kind}.dim {first.name}, {name}c : {self.type_of(first.dims, first.dtype)}")
            self.lines.insert(0, f"{name}c = arith.constant {first.dims.index(dim)} : index")
            self.size_of[dim] = name
        return self.size_of[dim]

    def empty(self, dims, dtype):
        name = self.new()
        sizes = ", ".join(self.size(d) for d in dims if d in self.dynamic)
        op = "memref.alloc" if self.memrefs else "tensor.empty"
        self.lines.append(f"{name} = {op}({sizes}) : {self.type_of(dims, dtype)}")
        return name

    def filled(self, dims, dtype, number):
        constant, out = self.new(), self.empty(dims, dtype)
        text = repr(float(number)) if dtype in FLOATS else str(number)
        ty = self.type_of(dims, dtype)
        if math.isinf(number):
            text = {"f16": "0xFC00", "bf16": "0xFF80", "f32": "0xFF800000", "f64": "0xFFF0000000000000"}[dtype]
        self.lines.append(f"{constant} = arith.constant {text} : {dtype}")
        if self.memrefs:
            self.lines.append(f"linalg.fill ins({constant} : {dtype}) outs({out} : {ty})")
            return out
        name = self.new()
        self.lines.append(f"{name} = linalg.fill ins({constant} : {dtype}) outs({out} : {ty}) -> {ty}")
        return name

    def operands(self, space):
        """Values whose dimensions are among those of the loops."""
        fitting = [v for v in self.values if set(v.dims) <= set(space)]
        if not fitting:
            return []
        full = [v for v in fitting if set(v.dims) == set(space)]
        found = [self.rng.choice(full or fitting)] + [self.rng.choice(fitting) for _ in range(self.rng.choice((0, 0, 1, 1, 2)))]
        # Rounding decides what integer a computed float becomes.
        if any(v.dtype not in FLOATS for v in found):
            found = [v for v in found if v.dtype not in FLOATS or v.exact]
        return found

    def generic(self, space, ins, out_dims, start, body, yielded, out_dtype, in_place=False):
        """`start` is None (the old value is not read) or the name and number of the start.
        `in_place`: overwrite the first input, if that is a buffer of the same form."""
        in_place = in_place and self.memrefs and ins[0].dtype == out_dtype and sorted(ins[0].dims) == sorted(out_dims)
        in_place = in_place and all(v.name != ins[0].name for v in ins[1:])
        if in_place:
            out_dims = ins[0].dims
        loops = [f"d{i}" for i in range(len(space))]
        where = dict(zip(space, loops))
        maps = [f"affine_map<({', '.join(loops)}) -> ({', '.join(where[d] for d in dims)})>"
                for dims in [v.dims for v in ins] + [out_dims]]
        kinds = ['"parallel"' if d in out_dims else '"reduction"' for d in space]
        out = start[0] if start else ins[0].name if in_place else self.empty(out_dims, out_dtype)
        ty, name = self.type_of(out_dims, out_dtype), out if self.memrefs else self.new()
        arguments = ", ".join(f"%b{i}: {d}" for i, d in enumerate([v.dtype for v in ins] + [out_dtype]))
        self.lines.append(("" if self.memrefs else f"{name} = ")
                          + f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{', '.join(kinds)}]}}")
        self.lines.append(f"    ins({', '.join(v.name for v in ins)} : {', '.join(self.type_of(v.dims, v.dtype) for v in ins)})"
                          f" outs({out} : {ty}) {{")
        self.lines.append(f"^bb0({arguments}):")
        self.lines += ["  " + line for line in body.lines]
        self.lines.append(f"  linalg.yield {body.name(yielded)} : {out_dtype}")
        self.lines.append("}" if self.memrefs else f"}} -> {ty}")
        value = Value(name, out_dims, out_dtype, self.loops(space, ins, out_dims, start[1] if start else 0, body, yielded))
        value.exact = False
        if in_place:
            self.values.remove(ins[0])
            for number, arg in enumerate(self.args):
                if arg.name == name:
                    self.changed[number] = value
        self.values.append(value)

    def loops(self, space, ins, out_dims, start, body, yielded):
        extents, cache = self.extents, {}

        def offset(dims, point):
            at = 0
            for d in dims:
                at = at * extents[d] + point[d]
            return at

        def evaluate(inputs):
            if "data" in cache:
                return cache["data"]
            data = [v.evaluate(inputs) for v in ins]
            result = [start] * math.prod(extents[d] for d in out_dims)
            for indices in itertools.product(*[range(extents[d]) for d in space]):
                point = dict(zip(space, indices))
                at = offset(out_dims, point)
                given = [values[offset(v.dims, point)] for values, v in zip(data, ins)]
                values = body.run(given + [result[at]])
                result[at] = values[yielded]
                largest = max((abs(x) for x in values if math.isfinite(x)), default=0)
                self.magnitude = max(self.magnitude, largest)
            cache["data"] = result
            return result
        return evaluate

    def elementwise(self):
        rng, space = self.rng, self.pick_dims(1)
        ins = self.operands(space)
        if not ins:
            return
        dtype = rng.choice([v.dtype for v in ins])
        body = Body(rng, [v.dtype for v in ins] + [dtype])
        at, exact = body.cast(0, dtype), ins[0].exact and ins[0].dtype == dtype
        for _ in range(rng.randint(0, 3)):
            at, exact = body.grow(at, exact), False
        for i in range(1, len(ins)):
            op = rng.choice([o for o in BINARY if o.endswith("f" if dtype in FLOATS else "i")])
            at = body.binary(op, at, body.cast(i, dtype))
        out = list(space)
        rng.shuffle(out)
        self.generic(space, ins, tuple(out), None, body, at, dtype, rng.random() < 0.3)

    def reduction(self):
        rng, space = self.rng, self.pick_dims(1)
        ins = self.operands(space)
        # Loops whose extent no operand tells are invalid.
        space = tuple(d for d in space if any(d in v.dims for v in ins))
        if not space:
            return
        dtype = "f32" if ins[0].dtype in ("f16", "bf16") and rng.random() < 0.7 else ins[0].dtype
        body = Body(rng, [v.dtype for v in ins] + [dtype])
        at = body.cast(0, dtype)
        if rng.random() < 0.4:
            at = body.grow(at, False)
        for i in range(1, len(ins)):
            at = body.binary("arith.mulf" if dtype in FLOATS else "arith.muli", at, body.cast(i, dtype))
        if dtype in FLOATS:
            op, start = rng.choice((("arith.addf", 0.0), ("arith.addf", 0.0), ("arith.addf", 1.0), ("arith.maximumf", -math.inf),
                                    ("arith.maximumf", 0.0), ("arith.minimumf", 3.0), ("arith.maxnumf", -math.inf)))
        else:
            op, start = rng.choice((("arith.addi", 0), ("arith.addi", 5), ("arith.maxsi", -100), ("arith.minsi", 100),
                                    ("arith.xori", 0), ("arith.ori", 0), ("arith.andi", -1), ("arith.muli", 1)))
        old = len(ins)
        at = body.binary(op, *rng.choice(((at, old), (old, at))))
        out = [d for d in space if rng.random() < 0.5][:len(space) - 1]
        rng.shuffle(out)
        self.generic(space, ins, tuple(out), (self.filled(out, dtype, start), start), body, at, dtype)

    def product(self):
        """A matrix product of two values that share one dimension."""
        rng = self.rng
        pairs = [(a, b) for a in self.values for b in self.values
                 if len(a.dims) == len(b.dims) == 2 and len(set(a.dims) & set(b.dims)) == 1 and a.dtype == b.dtype]
        if not pairs:
            return self.reduction()
        a, b = rng.choice(pairs)
        (shared,) = set(a.dims) & set(b.dims)
        dtype = "f32" if a.dtype in ("f16", "bf16") else a.dtype
        body = Body(rng, [a.dtype, b.dtype, dtype])
        kind = "f" if dtype in FLOATS else "i"
        at = body.binary("arith.mul" + kind, body.cast(0, dtype), body.cast(1, dtype))
        at = body.binary("arith.add" + kind, 2, at)
        out = tuple(d for d in a.dims + b.dims if d != shared)
        start = 0.0 if kind == "f" else 0
        self.generic(out + (shared,), [a, b], out, (self.filled(out, dtype, start), start), body, at, dtype)

    def finish(self):
        types = [self.type_of(v.dims, v.dtype) for v in self.args]
        params = [f"{v.name}: {t}" for v, t in zip(self.args, types)]
        if self.memrefs:
            for number, value in enumerate(self.results):
                params.append(f"%out{number}: {self.type_of(value.dims, value.dtype)}")
                ty = self.type_of(value.dims, value.dtype)
                self.lines.append(f"linalg.copy ins({value.name} : {ty}) outs(%out{number} : {ty})")
            self.lines.append("return")
            head = f"func.func @kernel({', '.join(params)}) {{"
        else:
            out = ", ".join(self.type_of(v.dims, v.dtype) for v in self.results)
            self.lines.append(f"return {', '.join(v.name for v in self.results)} : {out}")
            head = f"func.func @kernel({', '.join(params)}) -> ({out}) {{"
        self.text = "\n".join([head] + ["  " + line for line in self.lines] + ["}", ""])
        self.sizes = [self.extents[d] for v in self.args + self.results for d in v.dims if d in self.dynamic]

    def expected(self, inputs):
        """Of each argument: numbers and the error that order and rounding explain, or
        None where too large numbers make it meaningless."""
        answers = [self.changed.get(i, arg).evaluate(inputs) for i, arg in enumerate(self.args)]
        answers += [value.evaluate(inputs) for value in self.results]
        narrow = {v.dtype for v in self.values + self.args}
        units = max(FLOATS[t] for t in narrow & set(FLOATS)) if narrow & set(FLOATS) else 0
        limit = 1e4 if "f16" in narrow else 1e30
        kinds = [a.dtype for a in self.args] + [v.dtype for v in self.results]
        for data, dtype in zip(answers, kinds):
            if dtype not in FLOATS:
                yield data, 0.0
            else:
                yield data, 64 * units * self.magnitude if self.magnitude < limit else None
