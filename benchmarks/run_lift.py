#!/usr/bin/env python3
"""Runs original against lifted PTX on a GPU: every byte compared, both timed in one run.

Usage: benchmarks/run_lift.py DIR [--json FILE] [--only TEXT] [--repeats 40]

DIR is what lift_ptx.py made. Exit code 1 if a pair differs or does not run. The pair
without fused products and sums must be equal bit for bit, at every size of the launch
description and at the size of lift_sizes.json; the pair as compiled may choose other
products to fuse, so of it the largest difference is printed. Times: CUDA events around
one launch, 256 MiB written before each, variants in random order, median.
"""
import argparse
import ctypes
import json
import multiprocessing
import os
import queue as queue_module
import random
import statistics
import subprocess
import sys

import torch

HERE = os.path.dirname(os.path.realpath(__file__))
SEED = 17
cuda = ctypes.CDLL("libcuda.so.1")
TYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16,
         "i64": torch.int64, "i32": torch.int32, "i16": torch.int16, "i8": torch.int8}


class Failed(Exception):
    pass


def check(code, what):
    if code:
        name = ctypes.c_char_p()
        cuda.cuGetErrorName(code, ctypes.byref(name))
        raise Failed(f"{what}: {(name.value or b'?').decode()}")


def evaluate(extent, names):
    """Extents know + - * / ceildiv min (docs/lifting.md)."""
    functions = {"ceildiv": lambda a, b: -(-a // b), "min": min}
    return int(eval(str(extent).replace("/", "//"), {"__builtins__": {}}, {**functions, **names}))


def make(kind, count, seed):
    """Floats of both signs, small integers (they may be indices), as bytes."""
    if kind not in TYPES:
        raise Failed(f"a buffer of {kind}")
    generator = torch.Generator(device="cuda").manual_seed(seed)
    if TYPES[kind].is_floating_point:
        data = torch.randn(count, generator=generator, device="cuda").to(TYPES[kind])
    else:
        data = torch.randint(0, 16, (count,), generator=generator, device="cuda").to(TYPES[kind])
    return data.view(torch.uint8)


class Problem:
    """Arguments of one kernel at one size."""

    def __init__(self, entry, names):
        launch = entry["launch"]
        self.grid = [evaluate(e, names) for e in launch["grid"]] + [1] * (3 - len(launch["grid"]))
        self.block = [evaluate(e, names) for e in launch["block"]] + [1] * (3 - len(launch["block"]))
        self.shared = evaluate(launch.get("shared", 0), names)
        self.values, self.buffers, self.start = [], [], []
        for index, (param, kind) in enumerate(zip(launch["params"], entry["types"])):
            if isinstance(param, str):
                value = names.get(param, 0)
                scalar = {"f32": ctypes.c_float, "f64": ctypes.c_double, "i64": ctypes.c_int64}.get(kind, ctypes.c_int32)
                self.values.append(scalar(0.5 if kind[0] == "f" else value))
                continue
            count = 1
            for extent in next(iter(param.values())):
                count *= evaluate(extent, names)
            self.start.append(make(kind.split("x")[-1], count, SEED + index))
            self.buffers.append((kind, torch.empty_like(self.start[-1])))
            self.values.append(ctypes.c_void_p(self.buffers[-1][1].data_ptr()))
        self.args = (ctypes.c_void_p * len(self.values))(*[ctypes.addressof(v) for v in self.values])

    def reset(self):
        for (_, buffer), start in zip(self.buffers, self.start):
            buffer.copy_(start)

    def launch(self, function):
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        check(cuda.cuLaunchKernel(function, *self.grid, *self.block, self.shared, stream, self.args, None), "launch")

    def outputs(self, function):
        self.reset()
        self.launch(function)
        torch.cuda.synchronize()
        return [buffer.clone() for _, buffer in self.buffers]

    def moved(self, outputs):
        """Whether the kernel wrote anything at all."""
        return any(not torch.equal(a, b) for a, b in zip(outputs, self.start))

    def difference(self, first, second):
        """Largest difference against the largest value, of buffers of floats."""
        worst = 0.0
        for (kind, _), a, b in zip(self.buffers, first, second):
            if torch.equal(a, b):
                continue
            kind = TYPES[kind.split("x")[-1]]
            if not kind.is_floating_point:
                return float("inf")
            a, b = a.view(kind).double(), b.view(kind).double()
            if not torch.equal(a.isnan(), b.isnan()):
                return float("inf")
            worst = max(worst, ((a - b).abs().nan_to_num().max() / a.abs().nan_to_num().max().clamp(min=1e-30)).item())
        return worst


def load(path, kernel, shared):
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    with open(path, "rb") as file:
        check(cuda.cuModuleLoadData(ctypes.byref(module), file.read() + b"\0"), os.path.basename(path))
    check(cuda.cuModuleGetFunction(ctypes.byref(function), module, kernel.encode()), kernel)
    if shared > 48 * 1024:
        check(cuda.cuFuncSetAttribute(function, 8, shared), "dynamic shared memory")
    return function


def timed(runs, repeats):
    flush = torch.empty(64 << 20, dtype=torch.float32, device="cuda")
    times = {name: [] for name in runs}
    for repeat in range(repeats + 5):
        order = list(runs)
        random.shuffle(order)
        for name in order:
            flush.zero_()
            start, end = torch.cuda.Event(True), torch.cuda.Event(True)
            start.record()
            runs[name]()
            end.record()
            end.synchronize()
            if repeat >= 5:
                times[name].append(start.elapsed_time(end) * 1000)
    return {name: statistics.median(values) for name, values in times.items()}


def judge(entry, folder, size, repeats):
    base, kernel = os.path.join(folder, entry["name"]), entry["launch"]["kernel"]
    sizes = entry["launch"]["sizes"] + ([size] if size else [])
    shared = max(evaluate(entry["launch"].get("shared", 0), names) for names in sizes)
    variants = ["original", "lifted", "original.exact", "lifted.exact"]
    variants += ["nvcc"] * os.path.exists(base + ".nvcc.ptx")
    functions = {name: load(f"{base}.{name}.ptx", kernel, shared) for name in variants}
    result = {"name": entry["name"], "verdict": "equal", "sizes": len(sizes), "bytes": 0}
    problem = None
    for names in sizes:
        problem = None  # The buffers before go first.
        problem = Problem(entry, names)
        first, second = problem.outputs(functions["original.exact"]), problem.outputs(functions["lifted.exact"])
        result["bytes"] += sum(a.numel() for a in first)
        if not problem.moved(first):
            raise Failed(f"the original writes nothing at {names}")
        for index, (a, b) in enumerate(zip(first, second)):
            if not torch.equal(a, b):
                again = all(torch.equal(x, y) for x, y in zip(first, problem.outputs(functions["original.exact"])))
                result["verdict"] = "differs" if again else "the original differs from itself"
                result["where"] = {"size": names, "buffer": index, "bytes": int((a != b).sum())}
                return result
        first, second = problem.outputs(functions["original"]), problem.outputs(functions["lifted"])
        result["fused"] = max(result.get("fused", 0.0), problem.difference(first, second))
    timings = [name for name in variants if "exact" not in name]
    micros = timed({name: lambda f=functions[name]: problem.launch(f) for name in timings}, repeats)
    result.update({name + "_us": round(value, 2) for name, value in micros.items()})
    result["lifted_over_original"] = round(micros["lifted"] / micros["original"], 4)
    return result


def work(entries, folder, repeats, queue):
    """Judges one kernel after the other; a fault of the device ends the process."""
    torch.zeros(1, device="cuda")
    with open(os.path.join(HERE, "lift_sizes.json"), encoding="utf-8") as file:
        sizes = json.load(file)
    for entry in entries:
        result = {"name": entry["name"], "verdict": "no PTX: " + entry.get("failed", "")}
        try:
            if "failed" not in entry:
                result = judge(entry, folder, sizes.get(entry["name"]), repeats)
        except Failed as error:
            result["verdict"] = "not run: " + str(error)
        except RuntimeError as error:
            result["verdict"] = "device fault: " + str(error).splitlines()[0]
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
    smi = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                         capture_output=True, text=True, check=False).stdout.strip()
    results = {"device": smi, "torch": torch.__version__, "kernels": []}
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
