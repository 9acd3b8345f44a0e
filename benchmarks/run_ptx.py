#!/usr/bin/env python3
"""Runs kernels that klineage-opt emitted on a GPU, beside PyTorch's own.

Usage: run_ptx.py DIR > results.json

DIR holds PTX of three kernels, one file a variant:
  matmul*.ptx   C[4096,4096] = A B, f32      (skill matmul_shared)
  softmax*.ptx  rows of f32 [8192,4096]      (skill row_reduction)
  bias*.ptx     relu(x + b), f32 [8192,8192] (skill elementwise_vector)
and, beside each, what `--klineage-emit=format=launch` printed, as .json, and the
grid as .grid.json: [x, y, z].

Protocol: correctness first, against PyTorch in f64; then CUDA events around one
launch, a 256 MiB buffer written before each, variants in random order, median.
"""
import ctypes
import glob
import json
import os
import random
import re
import statistics
import subprocess
import sys

import torch

cuda = ctypes.CDLL("libcuda.so.1")


def check(code, what):
    if code:
        name = ctypes.c_char_p()
        cuda.cuGetErrorName(code, ctypes.byref(name))
        raise RuntimeError(f"{what}: {name.value}")


class Kernel:
    def __init__(self, path):
        text = open(path).read()
        self.name = re.search(r"\.entry (\w+)", text).group(1)
        facts = json.load(open(path[:-4] + ".json"))
        self.block = facts["kernels"][0]["block"]
        if len(facts["kernels"]) != 1:
            raise RuntimeError(f"{path} holds {len(facts['kernels'])} kernels")
        module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        check(cuda.cuModuleLoadData(ctypes.byref(module), text.encode() + b"\0"), path)
        check(cuda.cuModuleGetFunction(ctypes.byref(self.function), module, self.name.encode()), path)

    def launch(self, grid, tensors):
        values = [ctypes.c_void_p(t.data_ptr()) for t in tensors]
        args = (ctypes.c_void_p * len(values))(*[ctypes.addressof(v) for v in values])
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        check(cuda.cuLaunchKernel(self.function, *grid, *self.block, 0, stream, args, None), self.name)


def workload(kind):
    f = torch.float32
    if kind == "matmul":
        a, b = torch.randn(4096, 4096, device="cuda"), torch.randn(4096, 4096, device="cuda")
        out = torch.full((4096, 4096), float("nan"), device="cuda")
        return [a, b, out], a.double() @ b.double(), lambda: torch.mm(a, b), 2 * 4096**3, 0
    if kind == "softmax":
        x = torch.randn(8192, 4096, device="cuda", dtype=f)
        out = torch.full_like(x, float("nan"))
        return [x, out], torch.softmax(x.double(), 1), lambda: torch.softmax(x, 1), 0, 2 * x.nbytes
    x, b = torch.randn(8192, 8192, device="cuda"), torch.randn(8192, device="cuda")
    out = torch.full_like(x, float("nan"))
    return [x, b, out], torch.relu(x.double() + b.double()), lambda: torch.relu(x + b), 0, 2 * x.nbytes


def timed(runs, repeats=40, warmups=8):
    flush = torch.empty(64 << 20, dtype=torch.float32, device="cuda")
    times = {name: [] for name in runs}
    for repeat in range(repeats + warmups):
        order = list(runs)
        random.shuffle(order)
        for name in order:
            flush.zero_()
            start, end = torch.cuda.Event(True), torch.cuda.Event(True)
            start.record()
            runs[name]()
            end.record()
            end.synchronize()
            if repeat >= warmups:
                times[name].append(start.elapsed_time(end) * 1000)
    return {name: statistics.median(values) for name, values in times.items()}


def main():
    folder = sys.argv[1]
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.zeros(1, device="cuda")
    smi = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                         capture_output=True, text=True).stdout.strip()
    results = {"device": smi, "torch": torch.__version__, "kernels": []}
    big = torch.empty(256 << 20, dtype=torch.float32, device="cuda")
    copy = torch.empty_like(big)
    micros = timed({"copy": lambda: copy.copy_(big)})["copy"]
    bandwidth = 2 * big.nbytes / micros / 1e3
    results["copy_GB_s"] = round(bandwidth, 1)
    for kind in ("matmul", "softmax", "bias"):
        tensors, expected, vendor, flops, moved = workload(kind)
        runs = {"vendor": vendor}
        for path in sorted(glob.glob(os.path.join(folder, kind + "*.ptx"))):
            name = os.path.basename(path)[:-4]
            kernel, grid = Kernel(path), json.load(open(path[:-4] + ".grid.json"))
            tensors[-1].fill_(float("nan"))
            kernel.launch(grid, tensors)
            torch.cuda.synchronize()
            scale = expected.abs().max()
            error = ((tensors[-1].double() - expected).abs().max() / scale).item()
            if not error < 1e-5:
                results["kernels"].append({"kernel": name, "verdict": "wrong", "error": error})
                continue
            runs[name] = lambda kernel=kernel, grid=grid: kernel.launch(grid, tensors)
            results["kernels"].append({"kernel": name, "verdict": "correct", "error": error})
        times = timed(runs)
        for entry in results["kernels"]:
            if entry["kernel"] not in times:
                continue
            micros = times[entry["kernel"]]
            entry.update(us=round(micros, 2), vendor_us=round(times["vendor"], 2),
                         speed_of_vendor=round(times["vendor"] / micros, 3))
            if flops:
                entry["TFLOP_s"] = round(flops / micros / 1e6, 2)
            else:
                entry["GB_s"] = round(moved / micros / 1e3, 1)
                entry["of_copy"] = round(moved / micros / 1e3 / bandwidth, 3)
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
