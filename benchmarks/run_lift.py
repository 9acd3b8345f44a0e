#!/usr/bin/env python3
"""Runs original against lifted PTX on a GPU: every byte compared, both timed in one run.

Usage: benchmarks/run_lift.py DIR [--json FILE] [--only TEXT] [--repeats 40]

DIR is what lift_ptx.py made; the GPU machine needs Python and the driver, nothing else.
Exit code 1 if a pair differs or does not run, 77 without a GPU. The pair without fused
products and sums must be equal bit for bit, at every size of the launch description and
at the size of lift_sizes.json; the pair as compiled may choose other products to fuse, so
of it the largest difference is printed (of a buffer's first 2^18 elements). Times: CUDA
events around one launch, 256 MiB written before each, variants in random order, median.
"""
import argparse
import array
import ctypes
import json
import math
import multiprocessing
import os
import queue as queue_module
import random
import statistics
import struct
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
SEED = 17
SAMPLE = 1 << 18
SIZES = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2, "i64": 8, "i32": 4, "i16": 2, "i8": 1}
SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}


class Failed(Exception):
    pass


class DeviceFault(Exception):
    pass


class Device:
    """What is needed of the driver; the library is looked for at run time."""

    def __init__(self):
        try:
            self.driver = ctypes.CDLL(os.environ.get("KLINEAGE_CUDA_DRIVER") or "libcuda.so.1")
        except OSError as error:
            raise Failed("no CUDA driver") from error
        count = ctypes.c_int()
        if self.driver.cuInit(0) or self.driver.cuDeviceGetCount(ctypes.byref(count)) or not count.value:
            raise Failed("no GPU")
        self.context = ctypes.c_void_p()

    def start(self):
        self("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), 0)
        self("cuCtxSetCurrent", self.context)
        return self

    def __call__(self, name, *args):
        code = getattr(self.driver, name)(*args)
        if code:
            text = ctypes.c_char_p()
            self.driver.cuGetErrorName(code, ctypes.byref(text))
            message = f"{name}: {(text.value or b'?').decode()}"
            # The context is lost after these.
            raise (DeviceFault if code in range(700, 720) else Failed)(message)

    def describe(self):
        name, version = ctypes.create_string_buffer(256), ctypes.c_int()
        self("cuDeviceGetName", name, 256, 0)
        self("cuDriverGetVersion", ctypes.byref(version))
        return f"{name.value.decode()}, driver for CUDA {version.value // 1000}.{version.value % 1000 // 10}"

    def allocate(self, count):
        pointer = ctypes.c_uint64()
        self("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(max(count, 1)))
        return pointer

    def free(self, pointer):
        self("cuMemFree_v2", pointer)

    def upload(self, pointer, data):
        self("cuMemcpyHtoD_v2", pointer, data, ctypes.c_size_t(len(data)))

    def download(self, pointer, count):
        data = ctypes.create_string_buffer(max(count, 1))
        self("cuMemcpyDtoH_v2", data, pointer, ctypes.c_size_t(count))
        return data.raw[:count]

    def load(self, path, kernel, shared):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        with open(path, "rb") as file:
            self("cuModuleLoadData", ctypes.byref(module), file.read() + b"\0")
        self("cuModuleGetFunction", ctypes.byref(function), module, kernel.encode())
        if shared > 48 * 1024:
            self("cuFuncSetAttribute", function, 8, shared)
        return function

    def tensor_map(self, kind, pointer, dims, box, swizzle):
        """128 bytes for TMA; dims and box count from the fastest dimension."""
        if kind != "bf16":
            raise Failed(f"a tensor map of {kind}")
        rank = len(dims)
        strides = [SIZES[kind] * math.prod(dims[:i + 1]) for i in range(rank - 1)]
        made = (ctypes.c_uint64 * 24)()
        aligned = ctypes.addressof(made) + -ctypes.addressof(made) % 64
        self("cuTensorMapEncodeTiled", ctypes.c_void_p(aligned), 9, rank, pointer, (ctypes.c_uint64 * rank)(*dims),
             (ctypes.c_uint64 * max(rank - 1, 1))(*strides), (ctypes.c_uint32 * rank)(*box),
             (ctypes.c_uint32 * rank)(*[1] * rank), 0, SWIZZLES[swizzle], 0, 0)
        return ctypes.string_at(aligned, 128)


def evaluate(extent, names):
    """Extents know + - * / ceildiv min (docs/lifting.md)."""
    functions = {"ceildiv": lambda a, b: -(-a // b), "min": min}
    return int(eval(str(extent).replace("/", "//"), {"__builtins__": {}}, {**functions, **names}))


def make(kind, count, seed):
    """Floats of both signs, small integers (they may be indices), as bytes that repeat."""
    if kind not in SIZES:
        raise Failed(f"a buffer of {kind}")
    generator = random.Random(seed)
    period = min(count, 65521)
    if kind[0] == "i":
        block = b"".join(generator.randrange(16).to_bytes(SIZES[kind], "little") for _ in range(period))
    elif kind == "bf16":
        block = b"".join(struct.pack("<f", generator.gauss(0, 1))[2:] for _ in range(period))
    else:
        form = {"f64": "d", "f32": "f", "f16": "e"}[kind]
        block = struct.pack(f"<{period}{form}", *(generator.gauss(0, 1) for _ in range(period)))
    return (block * -(-count // max(period, 1)))[:count * SIZES[kind]]


def numbers(kind, data):
    data = data[:SAMPLE * SIZES[kind]]
    if kind == "bf16":
        data = b"".join(b"\0\0" + data[i:i + 2] for i in range(0, len(data), 2))
    if kind == "f16":
        return struct.unpack(f"<{len(data) // 2}e", data)
    return array.array("d" if kind == "f64" else "f", data)


class Problem:
    """Arguments of one kernel at one size."""

    def __init__(self, device, entry, names):
        self.device, launch = device, entry["launch"]
        self.grid = [evaluate(e, names) for e in launch["grid"]] + [1] * (3 - len(launch["grid"]))
        self.block = [evaluate(e, names) for e in launch["block"]] + [1] * (3 - len(launch["block"]))
        self.shared = evaluate(launch.get("shared", 0), names)
        self.values, self.buffers, self.start, named = [], [], [], {}
        for index, (param, kind) in enumerate(zip(launch["params"], entry["types"])):
            if isinstance(param, str):
                value = names.get(param, 0)
                scalar = {"f32": ctypes.c_float, "f64": ctypes.c_double, "i64": ctypes.c_int64}.get(kind, ctypes.c_int32)
                self.values.append(scalar(0.5 if kind[0] == "f" else value))
                continue
            name, shape = next((key, value) for key, value in param.items() if key != "type")
            kind = param.get("type") or kind.split("x")[-1]
            data = make(kind, math.prod(evaluate(extent, names) for extent in shape), SEED + index)
            pointer = device.allocate(len(data))
            self.start.append(data)
            self.buffers.append((kind, pointer))
            self.values.append(pointer)
            named[name] = len(self.buffers) - 1
        for name, facts in launch.get("tensor_maps", {}).items():
            kind, pointer = self.buffers[named[facts["of"]]]
            self.start[named[name]] = device.tensor_map(kind, pointer, [evaluate(e, names) for e in facts["dims"]],
                                                        facts["box"], facts["swizzle"])
        self.args = (ctypes.c_void_p * len(self.values))(*[ctypes.addressof(v) for v in self.values])

    def free(self):
        for _, pointer in self.buffers:
            self.device.free(pointer)

    def reset(self):
        for (_, pointer), data in zip(self.buffers, self.start):
            self.device.upload(pointer, data)

    def launch(self, function):
        self.device("cuLaunchKernel", function, *self.grid, *self.block, self.shared, None, self.args, None)

    def outputs(self, function):
        self.reset()
        self.launch(function)
        self.device("cuCtxSynchronize")
        return [self.device.download(pointer, len(data)) for (_, pointer), data in zip(self.buffers, self.start)]

    def difference(self, first, second):
        """Largest difference against the largest value, of buffers of floats."""
        worst = 0.0
        for (kind, _), a, b in zip(self.buffers, first, second):
            if a == b:
                continue
            if kind[0] == "i":
                return float("inf")
            largest = most = 0.0
            for x, y in zip(numbers(kind, a), numbers(kind, b)):
                if math.isnan(x) != math.isnan(y):
                    return float("inf")
                if math.isfinite(x) and math.isfinite(y):
                    largest, most = max(largest, abs(x)), max(most, abs(x - y))
                elif x != y and not math.isnan(x):
                    return float("inf")
            worst = max(worst, most / max(largest, 1e-30))
        return worst


def timed(device, runs, repeats):
    flush, times = device.allocate(256 << 20), {name: [] for name in runs}
    start, end, elapsed = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_float()
    device("cuEventCreate", ctypes.byref(start), 0)
    device("cuEventCreate", ctypes.byref(end), 0)
    for repeat in range(repeats + 5):
        order = list(runs)
        random.shuffle(order)
        for name in order:
            device("cuMemsetD8_v2", flush, ctypes.c_ubyte(repeat & 255), ctypes.c_size_t(256 << 20))
            device("cuEventRecord", start, None)
            runs[name]()
            device("cuEventRecord", end, None)
            device("cuEventSynchronize", end)
            device("cuEventElapsedTime", ctypes.byref(elapsed), start, end)
            if repeat >= 5:
                times[name].append(elapsed.value * 1000)
    device.free(flush)
    return {name: statistics.median(values) for name, values in times.items()}


def compare(problem, functions, names, result):
    """False if the pair differs at this size."""
    first, second = problem.outputs(functions["original.exact"]), problem.outputs(functions["lifted.exact"])
    result["bytes"] += sum(len(a) for a in first)
    if first == problem.start:
        raise Failed(f"the original writes nothing at {names}")
    for index, (a, b) in enumerate(zip(first, second)):
        if a == b:
            continue
        again = first == problem.outputs(functions["original.exact"])
        result["verdict"] = "differs" if again else "the original differs from itself"
        at = next(i for i, (x, y) in enumerate(zip(a, b)) if x != y)
        result["where"] = {"size": names, "buffer": index, "byte": at}
        return False
    first, second = problem.outputs(functions["original"]), problem.outputs(functions["lifted"])
    result["fused"] = max(result.get("fused", 0.0), problem.difference(first, second))
    return True


def judge(device, entry, folder, size, repeats):
    base, kernel = os.path.join(folder, entry["name"]), entry["launch"]["kernel"]
    sizes = entry["launch"]["sizes"] + ([size] if size else [])
    shared = max(evaluate(entry["launch"].get("shared", 0), names) for names in sizes)
    variants = ["original", "lifted", "original.exact", "lifted.exact"]
    variants += ["nvcc"] * os.path.exists(base + ".nvcc.ptx")
    functions = {name: device.load(f"{base}.{name}.ptx", kernel, shared) for name in variants}
    result = {"name": entry["name"], "verdict": "equal", "sizes": len(sizes), "bytes": 0}
    for names in sizes:
        problem = Problem(device, entry, names)
        if not compare(problem, functions, names, result):
            problem.free()
            return result
        if names is not sizes[-1]:
            problem.free()
    timings = [name for name in variants if "exact" not in name]
    micros = timed(device, {name: lambda f=functions[name]: problem.launch(f) for name in timings}, repeats)
    problem.free()
    result.update({name + "_us": round(value, 2) for name, value in micros.items()})
    result["lifted_over_original"] = round(micros["lifted"] / micros["original"], 4)
    return result


def work(entries, folder, repeats, queue):
    """Judges one kernel after the other; a fault of the device ends the process."""
    device = Device().start()
    with open(os.path.join(HERE, "lift_sizes.json"), encoding="utf-8") as file:
        sizes = json.load(file)
    for entry in entries:
        result = {"name": entry["name"], "verdict": "no PTX: " + entry.get("failed", "")}
        try:
            if "failed" not in entry:
                result = judge(device, entry, folder, sizes.get(entry["name"]), repeats)
        except Failed as error:
            result["verdict"] = "not run: " + str(error)
        except DeviceFault as error:
            result["verdict"] = "device fault: " + str(error)
            queue.put(result)
            queue.close()
            queue.join_thread()
            os._exit(1)
        queue.put(result)


def results_of(entries, folder, repeats):
    """In processes of their own: after a fault the next begins with the next kernel."""
    context, at = multiprocessing.get_context("spawn"), 0
    while at < len(entries):
        queue = context.Queue()
        process = context.Process(target=work, args=(entries[at:], folder, repeats, queue))
        process.start()
        while at < len(entries):
            try:
                result = queue.get(timeout=1)
            except queue_module.Empty:
                if process.is_alive():
                    continue
                result = {"name": entries[at]["name"], "verdict": f"the process ended with {process.exitcode}"}
            yield entries[at], result
            at += 1
            if result["verdict"].startswith(("device fault", "the process")):
                break
        process.join()


def row(entry, result):
    registers = "/".join(str(entry.get(side, {}).get("registers", "")) for side in ("original", "lifted"))
    cells = (entry["name"], entry.get("ops", ""), entry.get("llvm_left", ""), result["verdict"],
             f"{result['fused']:.1e}" if "fused" in result else "", registers, result.get("original_us", ""),
             result.get("lifted_us", ""), result.get("nvcc_us", ""), result.get("lifted_over_original", ""))
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--json", help="file for the results")
    parser.add_argument("--only", default="", help="kernels whose name has this text")
    parser.add_argument("--repeats", type=int, default=40)
    a = parser.parse_args()
    with open(os.path.join(a.folder, "kernels.json"), encoding="utf-8") as file:
        entries = [entry for entry in json.load(file) if a.only in entry["name"]]
    try:
        device = Device().describe()
    except Failed as error:
        print(f"UNSUPPORTED: {error}; nothing was run")
        sys.exit(77)
    results = {"device": device, "kernels": []}
    print("| kernel | llvm ops before | left | on the GPU | fused pair differs by | registers | us | us lifted | us nvcc | "
          "lifted / original |\n|---|---|---|---|---|---|---|---|---|---|")
    for entry, result in results_of(entries, a.folder, a.repeats):
        results["kernels"].append({**{k: v for k, v in entry.items() if k != "launch"}, **result})
        print(row(entry, result), flush=True)
        if a.json:
            with open(a.json, "w", encoding="utf-8") as file:
                json.dump(results, file, indent=1)
    ratios = [r["lifted_over_original"] for r in results["kernels"] if "lifted_over_original" in r]
    made = [r for r in results["kernels"] if "failed" not in r]
    equal = sum(r["verdict"] == "equal" for r in made)
    print(f"\n{equal} of {len(entries)} equal bit for bit, {len(entries) - len(made)} without PTX; "
          f"{sum(x <= 1.03 for x in ratios)} of {len(ratios)} within 3 %")
    sys.exit(equal != len(made))


if __name__ == "__main__":
    main()
