#!/usr/bin/env python3
"""Prints the kernels of the corpus, as frontends emit them: linalg on tensors.

Usage:
  corpus.py list
  corpus.py print KERNEL [--type f32|f16|bf16] [--shape 128x1000] [--dynamic]
  corpus.py write DIR [--check]    every kernel, static and dynamic; --check compares
  corpus.py table OPT [--check PAGE] [--extents LIST]   which skills take which kernel, as Markdown

Half-precision kernels compute in f32, as frontends do: the first operation
widens, the last one narrows.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
FLAT = {"r": "(d0, d1) -> (d0, d1)", "c": "(d0, d1) -> (d1)", "s": "(d0, d1) -> (d0)"}


class Kernel:
    """One function under construction."""

    def __init__(self, name, args, dtype, dynamic):
        self.name, self.dtype, self.dynamic = name, dtype, dynamic
        self.acc = "f32" if dtype in ("f16", "bf16") else dtype
        self.args, self.lines, self.count = args, [], 0
        self.types, self.dims = {}, {}
        for arg, shape in args:
            self.types[arg] = (shape, dtype)

    def add(self, text):
        self.lines.append("  " + text)

    def name_new(self, stem):
        self.count += 1
        return f"%{stem}{self.count}"

    def text_type(self, shape, dtype):
        dims = "".join("?x" if self.dynamic else f"{size}x" for _, size in shape)
        return f"tensor<{dims}{dtype}>"

    def type_of(self, value):
        return self.text_type(*self.types[value])

    def dim(self, symbol):
        """The size of a symbolic dimension, from the first argument that has it."""
        if symbol not in self.dims:
            for arg, shape in self.args:
                names = [n for n, _ in shape]
                if symbol in names:
                    position, size = names.index(symbol), self.name_new(symbol.lower())
                    self.add(f"{size}_i = arith.constant {position} : index")
                    self.add(f"{size} = tensor.dim {arg}, {size}_i : {self.type_of(arg)}")
                    self.dims[symbol] = size
                    break
        return self.dims[symbol]

    def empty(self, shape, dtype):
        sizes = ", ".join(self.dim(n) for n, _ in shape) if self.dynamic else ""
        value = self.name_new("e")
        self.types[value] = (shape, dtype)
        self.add(f"{value} = tensor.empty({sizes}) : {self.type_of(value)}")
        return value

    def constant(self, text, dtype):
        value = self.name_new("k")
        self.add(f"{value} = arith.constant {text} : {dtype}")
        return value

    def fill(self, scalar, shape, dtype):
        out, value = self.empty(shape, dtype), self.name_new("f")
        self.types[value] = (shape, dtype)
        ty = self.type_of(value)
        self.add(f"{value} = linalg.fill ins({scalar} : {dtype}) outs({out} : {ty}) -> {ty}")
        return value

    def named(self, op, ins, out):
        value = self.name_new("n")
        self.types[value] = self.types[out]
        types = ", ".join(self.type_of(v) for v in ins)
        ty = self.type_of(out)
        self.add(f"{value} = {op} ins({', '.join(ins)} : {types}) outs({out} : {ty})"
                 + ("" if op == "linalg.transpose" else f" -> {ty}"))
        return value

    def generic(self, maps, iterators, ins, out, body):
        """`body` takes a list of lines and argument names; returns the yielded name."""
        value = self.name_new("g")
        self.types[value] = self.types[out]
        attrs = ", ".join(f"affine_map<{m}>" for m in maps)
        iters = ", ".join(f'"{i}"' for i in iterators)
        types = ", ".join(self.type_of(v) for v in ins)
        ty = self.type_of(out)
        self.add(f"{value} = linalg.generic {{indexing_maps = [{attrs}], iterator_types = [{iters}]}}")
        self.add(f"    ins({', '.join(ins)} : {types}) outs({out} : {ty}) {{")
        names = [f"%x{i}" for i in range(len(ins))]
        args = [f"{n}: {self.types[v][1]}" for n, v in zip(names, ins)]
        self.add(f"^bb0({', '.join(args + ['%acc: ' + self.types[out][1]])}):")
        lines = []
        widened = [self.convert(lines, n, self.types[v][1], self.acc) for n, v in zip(names, ins)]
        result = body(lines, *widened)
        result = self.convert(lines, result, self.acc, self.types[out][1])
        for line in lines + [f"linalg.yield {result} : {self.types[out][1]}"]:
            self.add("  " + line)
        self.add(f"}} -> {ty}")
        return value

    @staticmethod
    def convert(lines, value, source, target):
        if source == target or value == "%acc":
            return value
        op = "arith.extf" if source in ("f16", "bf16") else "arith.truncf"
        lines.append(f"{value}c = {op} {value} : {source} to {target}")
        return value + "c"

    def text(self, result):
        args = ", ".join(f"{a}: {self.type_of(a)}" for a, _ in self.args)
        body = "\n".join(self.lines)
        ty = self.type_of(result)
        return (f"func.func @{self.name}({args}) -> {ty} {{\n{body}\n"
                f"  return {result} : {ty}\n}}\n")

    # Shorthands over matrices.
    def rows(self, ins, maps, shape, dtype, body):
        return self.generic([FLAT[m] for m in maps] + [FLAT["r"]], ["parallel"] * 2, ins,
                            self.empty(shape, dtype), body)

    def scalars(self, ins, shape, body):
        return self.generic(["(d0) -> (d0)"] * (len(ins) + 1), ["parallel"], ins,
                            self.empty(shape, self.acc), body)

    def reduce_rows(self, value, start, op, of=None):
        shape = self.types[value][0][:1]
        out = self.fill(self.constant(start, self.acc), shape, self.acc)
        return self.generic([FLAT["r"], FLAT["s"]], ["parallel", "reduction"], [value], out,
                            lambda b, a: op_of(b, op, (of(b, a) if of else a), "%acc", self.acc))


def op_of(lines, op, a, b, dtype):
    name = f"%r{len(lines)}"
    lines.append(f"{name} = {op} {a}, {b} : {dtype}" if b else f"{name} = {op} {a} : {dtype}")
    return name


def binary(op, dtype):
    return lambda b, x, y: op_of(b, op, x, y, dtype)


def matmul(k, m, n, kk):
    out = k.fill(k.constant("0.0", k.acc), [("M", m), ("N", n)], k.acc)
    return k.named("linalg.matmul", ["%a", "%b"], out)


def gemm(k, m, n, kk):
    c = matmul(k, m, n, kk)
    if k.acc == k.dtype:
        return c
    return k.rows([c], "r", k.types[c][0], k.dtype, lambda b, x: x)


def gemm_bias_relu(k, m, n, kk):
    c = matmul(k, m, n, kk)
    zero, shape = k.constant("0.0", k.acc), [("M", m), ("N", n)]
    s = k.rows([c, "%bias"], "rc", shape, k.acc, binary("arith.addf", k.acc))
    return k.rows([s], "r", shape, k.dtype, lambda b, x: op_of(b, "arith.maximumf", x, zero, k.acc))


def batch(k, bb, m, n, kk):
    out = k.fill(k.constant("0.0", k.acc), [("B", bb), ("M", m), ("N", n)], k.acc)
    c = k.named("linalg.batch_matmul", ["%a", "%b"], out)
    if k.acc == k.dtype:
        return c
    ident = "(d0, d1, d2) -> (d0, d1, d2)"
    return k.generic([ident, ident], ["parallel"] * 3, [c], k.empty(k.types[c][0], k.dtype),
                     lambda b, x: x)


def softmax(k, m, n):
    shape, t = [("M", m), ("N", n)], k.acc
    top = k.reduce_rows("%x", {"f32": "0xFF800000"}[t], "arith.maximumf")
    sub = k.rows(["%x", top], "rs", shape, t, binary("arith.subf", t))
    exp = k.rows([sub], "r", shape, t, lambda b, x: op_of(b, "math.exp", x, None, t))
    total = k.reduce_rows(exp, "0.0", "arith.addf")
    return k.rows([exp, total], "rs", shape, k.dtype, binary("arith.divf", t))


def extent(k, n):
    """The number of columns as a value of the accumulator's type."""
    if not k.dynamic:
        return k.constant(f"{float(n)}", k.acc)
    size, value = k.dim("N"), k.name_new("c")
    k.add(f"{value}i = arith.index_cast {size} : index to i64")
    k.add(f"{value} = arith.sitofp {value}i : i64 to {k.acc}")
    return value


def rstd(k, squares, n, m):
    count, eps, t = extent(k, n), k.constant("1.0e-05", k.acc), k.acc

    def body(b, x):
        mean = op_of(b, "arith.divf", x, count, t)
        return op_of(b, "math.rsqrt", op_of(b, "arith.addf", mean, eps, t), None, t)
    return k.scalars([squares], [("M", m)], body)


def layer_norm(k, m, n):
    shape, t = [("M", m), ("N", n)], k.acc
    count = extent(k, n)
    total = k.reduce_rows("%x", "0.0", "arith.addf")
    mean = k.scalars([total], [("M", m)], lambda b, x: op_of(b, "arith.divf", x, count, t))
    centred = k.rows(["%x", mean], "rs", shape, t, binary("arith.subf", t))
    squares = k.reduce_rows(centred, "0.0", "arith.addf", lambda b, x: op_of(b, "arith.mulf", x, x, t))
    r = rstd(k, squares, n, m)
    normal = k.rows([centred, r], "rs", shape, t, binary("arith.mulf", t))
    scaled = k.rows([normal, "%w"], "rc", shape, t, binary("arith.mulf", t))
    return k.rows([scaled, "%b"], "rc", shape, k.dtype, binary("arith.addf", t))


def rms(k, value, m, n):
    shape, t = [("M", m), ("N", n)], k.acc
    squares = k.reduce_rows(value, "0.0", "arith.addf", lambda b, x: op_of(b, "arith.mulf", x, x, t))
    r = rstd(k, squares, n, m)
    normal = k.rows([value, r], "rs", shape, t, binary("arith.mulf", t))
    return k.rows([normal, "%w"], "rc", shape, k.dtype, binary("arith.mulf", t))


def rms_norm(k, m, n):
    return rms(k, "%x", m, n)


def add_rms_norm(k, m, n):
    total = k.rows(["%x", "%y"], "rr", [("M", m), ("N", n)], k.acc, binary("arith.addf", k.acc))
    return rms(k, total, m, n)


def transpose(k, m, n):
    shape = [("N", n), ("M", m)]
    return k.generic(["(d0, d1) -> (d1, d0)", FLAT["r"]], ["parallel"] * 2, ["%x"],
                     k.empty(shape, k.dtype), lambda b, x: x)


def gelu(k, m, n):
    """0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), one operation each."""
    shape, t = [("M", m), ("N", n)], k.acc
    half, one = k.constant("0.5", t), k.constant("1.0", t)
    cubic, root = k.constant("4.471500e-02", t), k.constant("0.797884583", t)

    def step(ins, body, dtype=t):
        return k.rows(ins, "r" * len(ins), shape, dtype, body)
    cube = step(["%x"], lambda b, x: op_of(b, "arith.mulf", op_of(b, "arith.mulf", x, x, t), x, t))
    scaled = step([cube], lambda b, x: op_of(b, "arith.mulf", x, cubic, t))
    inner = step(["%x", scaled], binary("arith.addf", t))
    arg = step([inner], lambda b, x: op_of(b, "arith.mulf", x, root, t))
    tanh = step([arg], lambda b, x: op_of(b, "math.tanh", x, None, t))
    plus = step([tanh], lambda b, x: op_of(b, "arith.addf", x, one, t))
    halves = step(["%x"], lambda b, x: op_of(b, "arith.mulf", x, half, t))
    return step([halves, plus], binary("arith.mulf", t), k.dtype)


def sum_of(k, of, symbol, extent):
    """The sums of %x along the dimension that `of` leaves out, in its type."""
    out = k.fill(k.constant("0.0", k.acc), [(symbol, extent)], k.acc)
    iterators = ["reduction", "parallel"] if of == "c" else ["parallel", "reduction"]
    total = k.generic([FLAT["r"], FLAT[of]], iterators, ["%x"], out,
                      lambda b, a: op_of(b, "arith.addf", a, "%acc", k.acc))
    if k.acc == k.dtype:
        return total
    return k.generic(["(d0) -> (d0)"] * 2, ["parallel"], [total],
                     k.empty([(symbol, extent)], k.dtype), lambda b, x: x)


def row_sum(k, m, n):
    return sum_of(k, "s", "M", m)


def column_sum(k, m, n):
    return sum_of(k, "c", "N", n)


MN = [("%x", "MN")]
# name: builder, arguments with their dimensions, dimensions and base sizes
KERNELS = {
    "matmul": (gemm, [("%a", "MK"), ("%b", "KN")], "MNK", (128, 128, 128)),
    "batch_matmul": (batch, [("%a", "BMK"), ("%b", "BKN")], "BMNK", (4, 64, 64, 64)),
    "matmul_bias_relu": (gemm_bias_relu, [("%a", "MK"), ("%b", "KN"), ("%bias", "N")], "MNK",
                         (128, 128, 128)),
    "softmax": (softmax, MN, "MN", (128, 1000)),
    "layer_norm": (layer_norm, MN + [("%w", "N"), ("%b", "N")], "MN", (128, 1000)),
    "rms_norm": (rms_norm, MN + [("%w", "N")], "MN", (128, 1000)),
    "add_rms_norm": (add_rms_norm, MN + [("%y", "MN"), ("%w", "N")], "MN", (128, 1000)),
    "transpose": (transpose, MN, "MN", (128, 1000)),
    "gelu": (gelu, MN, "MN", (128, 1000)),
    "row_sum": (row_sum, MN, "MN", (128, 1000)),
    "column_sum": (column_sum, MN, "MN", (128, 1000)),
}


def print_kernel(name, dtype="f32", shape=None, dynamic=False):
    build, args, dims, sizes = KERNELS[name]
    sizes = shape or sizes
    if len(sizes) != len(dims):
        sys.exit(f"{name} has dimensions {dims}, got {len(sizes)} sizes")
    size = dict(zip(dims, sizes))
    kernel = Kernel(name, [(a, [(d, size[d]) for d in ds]) for a, ds in args], dtype, dynamic)
    return kernel.text(build(kernel, *sizes))


def write(directory, check):
    wrong = []
    for name in KERNELS:
        for suffix, dynamic in (("", False), ("_dynamic", True)):
            path, text = os.path.join(directory, name + suffix + ".mlir"), print_kernel(name, dynamic=dynamic)
            if not check:
                open(path, "w").write(text)
            elif not os.path.exists(path) or open(path).read() != text:
                wrong.append(path)
    if wrong:
        sys.exit("not what corpus.py prints: " + ", ".join(wrong))


SIZES = (1, 3, 17, 127, 128, 1000, 4096)


def judge(opt, text):
    """What apply makes of a kernel: the skills, or why each one is refused."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "kernel.mlir"), os.path.join(folder, "lineage.mlir")
        open(path, "w").write(text)
        run = subprocess.run([opt, path, f"--klineage-apply=skills={ROOT}/skills executor=simt budget=2 timeout=1200", "-o", out],
                             capture_output=True, text=True)
        if run.returncode:
            return f"exit {run.returncode}: {(run.stderr.strip().splitlines() or [''])[0]}"
        lineage = open(out).read()
    taken = [f"`{name}`" for name in re.findall(r'klineage\.transition @t\d+ .*? by "(\w+)"', lineage)]
    trials = re.findall(r'klineage\.trial .*? by "(\w+)".*?verdict <(\w+), "[\w-]+", "(.*?)", {', lineage)
    # A candidate that was judged and refused is told, whatever else was accepted.
    taken += [f"{name} is {kind}: {text}" for name, kind, text in trials if kind != "illegal"]
    if taken:
        return ", ".join(taken)
    why = {}
    for name, _, text in trials:
        clause = re.search(r"clause '(\w+)' is \w+", text)
        short = clause.group(0) if clause else text.replace("no legal knob setting: ", "")
        why.setdefault(name, short)
    return "; ".join(f"{n}: {w}" for n, w in sorted(why.items())) or "no anchor"


def variants(name):
    dims = KERNELS[name][2]

    def shape(size):
        return tuple(2 if d == "B" else size for d in dims)
    for size in SIZES:
        yield f"{size}", print_kernel(name, shape=shape(size))
    yield "dynamic", print_kernel(name, dynamic=True)
    for dtype in ("f16", "bf16"):
        yield f"128 {dtype}", print_kernel(name, dtype, shape(128))
        yield f"dynamic {dtype}", print_kernel(name, dtype, dynamic=True)


def table_rows(opt, extents):
    """kernel -> result -> extents, judged side by side."""
    jobs = [(name, label, text) for name in KERNELS for label, text in variants(name)]
    for path in sorted(os.listdir(os.path.join(ROOT, "experts"))):
        if path.endswith(".mlir"):
            jobs.append((f"experts/{path}", "as written", open(os.path.join(ROOT, "experts", path)).read()))
    jobs = [job for job in jobs if not extents or job[1] in extents]
    rows = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (name, label, _), result in zip(jobs, pool.map(lambda job: judge(opt, job[2]), jobs)):
            rows.setdefault(name, {}).setdefault(result, []).append(label)
    return rows


def table(opt, check, extents):
    rows = table_rows(opt, extents)
    lines = [f"| {name} | {', '.join(labels)} | {result} |"
             for name, results in rows.items() for result, labels in results.items()]
    if not check:
        print("\n".join(["| kernel | extents | skills accepted, or why none |", "|---|---|---|"] + lines))
        return
    written = {}
    for name, labels, result in re.findall(r"^\| ([\w/.]+) \| (.+?) \| (.+) \|$", open(check).read(), re.M):
        written.update({(name, label): result for label in labels.split(", ")})
    found = {(name, label): result for name, results in rows.items()
             for result, labels in results.items() for label in labels}
    wrong = [f"{name} {label}: {result}; the page says {written.get((name, label), 'nothing')}"
             for (name, label), result in found.items() if written.get((name, label)) != result]
    if not extents:
        wrong += [f"{name} {label}: in the page only" for name, label in written
                  if (name, label) not in found and name != "kernel"]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"corpus.py: {len(found)} kernels are as {check} says")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    sub = parser.add_subparsers(dest="command", required=True)
    sub.add_parser("list")
    p = sub.add_parser("print")
    p.add_argument("kernel", choices=KERNELS)
    p.add_argument("--type", default="f32", choices=["f32", "f16", "bf16"])
    p.add_argument("--shape", type=lambda s: tuple(int(i) for i in s.split("x")))
    p.add_argument("--dynamic", action="store_true")
    p = sub.add_parser("write")
    p.add_argument("directory")
    p.add_argument("--check", action="store_true")
    p = sub.add_parser("table")
    p.add_argument("opt", help="klineage-opt")
    p.add_argument("--check", metavar="PAGE", help="compare with the table of this page")
    p.add_argument("--extents", type=lambda s: s.split(","), help="of these variants only")
    a = parser.parse_args()
    if a.command == "list":
        print("\n".join(KERNELS))
    elif a.command == "print":
        print(print_kernel(a.kernel, a.type, a.shape, a.dynamic), end="")
    elif a.command == "table":
        table(a.opt, a.check, a.extents)
    else:
        write(a.directory, a.check)


if __name__ == "__main__":
    main()
