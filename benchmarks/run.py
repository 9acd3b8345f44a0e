#!/usr/bin/env python3
"""Measures what skills make of the corpus, beside the vendor, in one run.

Usage: benchmarks/run.py TOOL [--only REGEX] [--settings N] [--json FILE] [--budget SECONDS]
                         [--approximate] [--eager]

TOOL is klineage-opt; a GPU is needed. For each workload: the kernel as a frontend
emits it, `--klineage-apply` with executor=cuda (both executors judge it, the GPU at
these sizes; the times are the gate's profile), then PyTorch's operation and
torch.compile's on inputs of the same sizes, with the same protocol: cold L2, CUDA
events, medians. `same copy` is PyTorch's copy that moves as many bytes as the kernel, in this
process; `fast copy` one of 2 GiB; `of copy` is by the gate's own copy of 1 GiB, in the gate's
process. --approximate applies skills_approximate on top. Prints a Markdown table; exit code 1
if anything is not accepted.
"""
import argparse
import datetime
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
ROWS = "row_reduction"
# kernel of scripts/corpus.py, type, shape, skill
WORKLOADS = [
    *[(kernel, "bf16", shape, ROWS) for kernel in ("softmax", "layer_norm", "rms_norm", "add_rms_norm")
      for shape in ("16384x4096", "8192x8192", "8192x7168")],
    ("softmax", "bf16", "131072x1024", ROWS),
    ("softmax", "f32", "8192x4096", ROWS),
    ("layer_norm", "f32", "8192x4096", ROWS),
    ("row_sum", "f32", "8192x8192", ROWS),
    ("gelu", "f32", "8192x8192", "elementwise_vector"),
    ("gelu", "bf16", "8192x8192", "elementwise_vector"),
    ("transpose", "f32", "8192x8192", "transpose"),
    ("transpose", "bf16", "8192x8192", "transpose"),
    ("column_sum", "f32", "8192x8192", "column_split"),
    ("column_sum", "bf16", "8192x8192", "column_split"),
    ("matmul", "f32", "4096x4096x4096", "matmul_shared"),
    ("matmul", "f32", "1024x1024x1024", "matmul_shared"),
    ("matmul_bias_relu", "f32", "4096x4096x4096", "matmul_shared"),
]


def ours(tool, kernel, dtype, shape, skill, settings, folder, approximate):
    """Profile, verdict and time spent; the profile is None unless accepted."""
    source = os.path.join(folder, "kernel.mlir")
    with open(source, "w") as f:
        subprocess.run([sys.executable, os.path.join(ROOT, "scripts/corpus.py"), "print", kernel,
                        "--type", dtype, "--shape", shape], stdout=f, check=True)
    skills = os.path.join(ROOT, "skills", skill)
    begin = time.time()
    for folder in [skills] + [os.path.join(ROOT, "skills_approximate")] * approximate:
        done = subprocess.run([tool, source, f"--klineage-apply=skills={folder} executor=cuda budget={settings} settings={settings} timeout=100"],
                              capture_output=True, text=True)
        if done.returncode:
            break
        with open(source, "w") as f:
            f.write(done.stdout)
    seconds = time.time() - begin
    if done.returncode:
        return None, done.stderr.strip().splitlines()[-1][:200], seconds
    fields = dict(re.findall(r'(\w+) = "?([-\w.+ ]+?)"? ?(?:: \w+)?[,}]', done.stdout))
    verdicts = re.findall(r'verdict <(\w+), "([^"]*)", "([^"]*)"', done.stdout)
    text = f"{verdicts[-1][0]}: {verdicts[-1][2]}" if verdicts else "nothing applies"
    if "candidate_us" not in fields:
        return None, text, seconds
    profile = {k: float(fields[k]) for k in ("candidate_us", "baseline_us", "copy_gbps", "candidate_gbps", "speedup")}
    profile["knobs"] = re.findall(r" knobs {(.*?)}", done.stdout)
    return profile, text, seconds


def vendor(torch, kernel, dtype, shape, eager):
    """PyTorch's functions for the same work: name -> callable."""
    t = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}[dtype]
    dims = [int(i) for i in shape.split("x")]
    F = torch.nn.functional

    def tensor(*size):
        return torch.randn(*size, device="cuda", dtype=t)
    x = tensor(dims[0], dims[1])
    w, b, y = tensor(dims[1]), tensor(dims[1]), tensor(dims[0], dims[1])
    eps = 1e-5
    if kernel == "softmax":
        f = lambda: torch.softmax(x, -1)
    elif kernel == "layer_norm":
        f = lambda: F.layer_norm(x, (dims[1],), w, b, eps)
    elif kernel == "rms_norm":
        f = lambda: F.rms_norm(x, (dims[1],), w, eps)
    elif kernel == "add_rms_norm":
        def f():
            s = x + y
            return s, F.rms_norm(s, (dims[1],), w, eps)
    elif kernel == "gelu":
        f = lambda: F.gelu(x, approximate="tanh")
    elif kernel == "transpose":
        f = lambda: x.t().contiguous()
    elif kernel == "row_sum":
        f = lambda: x.sum(1)
    elif kernel == "column_sum":
        f = lambda: x.sum(0)
    elif kernel.startswith("matmul"):
        torch.backends.cuda.matmul.allow_tf32 = False
        k = tensor(dims[2], dims[1])
        a = tensor(dims[0], dims[2])
        bias = tensor(dims[1])
        f = (lambda: a @ k) if kernel == "matmul" else (lambda: torch.relu(torch.addmm(bias, a, k)))
    else:
        return {}
    variants = {"eager": f}
    if not eager and not kernel.startswith(("matmul", "transpose")):
        variants["compile"] = torch.compile(f)
    return variants


def measure(torch, f, flush, rounds=20, warmups=4):
    """Median microseconds of `f` with a cold L2."""
    times = []
    for i in range(rounds + warmups):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        flush.zero_()
        begin.record()
        f()
        end.record()
        torch.cuda.synchronize()
        if i >= warmups:
            times.append(begin.elapsed_time(end) * 1e3)
    return statistics.median(times)


def copy_rate(torch, moved, flush):
    """GB/s of a copy that reads and writes `moved` bytes together."""
    source = torch.empty(int(moved) // 2, dtype=torch.int8, device="cuda")
    target = torch.empty_like(source)
    rate = 2 * source.numel() / measure(torch, lambda: target.copy_(source), flush) / 1e3
    torch.cuda.empty_cache()
    return rate


def facts(torch, tool):
    smi = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                         capture_output=True, text=True).stdout.strip()
    ptxas = subprocess.run(["bash", "-c", "$(command -v ptxas || echo /usr/local/cuda/bin/ptxas) --version | tail -2 | head -1"],
                           capture_output=True, text=True).stdout.strip()
    return {"date": datetime.date.today().isoformat(), "gpu": smi, "ptxas": ptxas,
            "torch": torch.__version__ if torch else None,
            "command": " ".join(["benchmarks/run.py", os.path.basename(tool), *sys.argv[2:]])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--only", default="", help="workloads whose 'kernel type shape' this matches")
    parser.add_argument("--settings", type=int, default=1, help="knob settings to compare on the GPU")
    parser.add_argument("--approximate", action="store_true", help="apply skills_approximate on top")
    parser.add_argument("--eager", action="store_true", help="without torch.compile, which takes seconds a workload")
    parser.add_argument("--json", help="file for the figures")
    parser.add_argument("--budget", type=float, default=1e9, help="seconds after which no workload is begun")
    a = parser.parse_args()
    try:
        import torch
        flush = torch.empty(256 << 20, dtype=torch.int8, device="cuda")
    except ImportError:
        torch, flush = None, None
    nan = float("nan")
    fast = copy_rate(torch, 1 << 32, flush) if torch else nan
    rows, begin, failed = [], time.time(), False
    print("| kernel | type | shape | us | before us | of copy | of same copy | of fast copy | vendor us | vendor / ours | verdict |")
    print("|---|---|---|---:|---:|---:|---:|---:|---:|---:|---|", flush=True)
    for kernel, dtype, shape, skill in WORKLOADS:
        if not re.search(a.only, f"{kernel} {dtype} {shape}") or time.time() - begin > a.budget:
            continue
        with tempfile.TemporaryDirectory() as folder:
            profile, verdict, seconds = ours(a.tool, kernel, dtype, shape, skill, a.settings, folder, a.approximate)
        times, same = {}, nan
        if torch:
            if profile:
                same = copy_rate(torch, profile["candidate_gbps"] * profile["candidate_us"] * 1e3, flush)
            for name, f in vendor(torch, kernel, dtype, shape, a.eager).items():
                try:
                    times[name] = measure(torch, f, flush)
                except Exception as error:  # a vendor's failure is no failure of ours
                    print(f"{name} of {kernel}: {error}", file=sys.stderr)
            torch.cuda.empty_cache()
        best = min(times.values(), default=nan)
        row = {"kernel": kernel, "type": dtype, "shape": shape, "skill": skill, "verdict": verdict, "seconds": seconds,
               "vendor_us": times, "same_copy_gbps": same, **(profile or {})}
        rows.append(row)
        failed |= profile is None
        p = profile or dict.fromkeys(("candidate_us", "baseline_us", "copy_gbps", "candidate_gbps"), nan)
        print(f"| {kernel} | {dtype} | {shape} | {p['candidate_us']:.1f} | {p['baseline_us']:.1f} | "
              f"{p['candidate_gbps'] / p['copy_gbps']:.3f} | {p['candidate_gbps'] / same:.3f} | {p['candidate_gbps'] / fast:.3f} | {best:.1f} | {best / p['candidate_us']:.2f} | {verdict} |",
              flush=True)
    if a.json:
        with open(a.json, "w") as f:
            json.dump({**facts(torch, a.tool), "fast_copy_gbps": fast, "rows": rows}, f, indent=1)
    print("\n" + json.dumps({**facts(torch, a.tool), "fast_copy_gbps": fast}))
    return failed


if __name__ == "__main__":
    sys.exit(main())
