#!/usr/bin/env python3
"""Makes the PTX that run_lift.py runs: of each CUDA expert, before and after the lift.

Usage: benchmarks/lift_ptx.py OUT [--only TEXT] [FOLDER...]     (folders of experts/, default: all)

For each kernel, in OUT:
  NAME.original.ptx  clang -O3                    NAME.lifted.ptx  of the lifted state
  NAME.original.exact.ptx, NAME.lifted.exact.ptx  the same without fused products and sums
  NAME.nvcc.ptx      nvcc -O3, where there is one
  kernels.json       launch descriptions, types, counts of instructions, registers by ptxas
Both sides of a pair go through the same llc. Needs clang-22, llvm-22, mlir-22-tools and
the toolkit of CUDA 13; no GPU.
"""
import argparse
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
CUDA = os.environ.get("CUDA_HOME", "/usr/local/cuda")
LLVM = os.environ.get("LLVM_PREFIX", "/usr/lib/llvm-22") + "/bin/"
TOOL = os.environ.get("KLINEAGE_OPT", ROOT + "/build/dev/bin/klineage-opt")
ARCH = "sm_90a"
LLC = [LLVM + "llc", "-O3", "-mtriple=nvptx64-nvidia-cuda", f"-mcpu={ARCH}", "-mattr=+ptx83"]
EXACT = ["-fp-contract=off", "-nvptx-fma-level=0"]
# Instructions that a lift must not lose or multiply.
KEY = ("mma.sync", "wgmma", "ldmatrix", "stmatrix", "cp.async", "ld.global.nc", "ld.global", "st.global", "ld.shared",
       "st.shared", "fma.rn", "shfl.sync", "bar", "atom", "red", "ex2", "mbarrier")


class Failed(Exception):
    pass


def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", timeout=600)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()
        raise Failed(errors[0][-200:] if errors else f"{command[0]} ends with {done.returncode}")
    return done.stdout


def without_contract(ir):
    return re.sub(r"\bcontract ", "", ir)


def resources(ptx):
    """What ptxas says; None without one."""
    ptxas = shutil.which("ptxas") or CUDA + "/bin/ptxas"
    if not os.access(ptxas, os.X_OK):
        return None
    done = subprocess.run([ptxas, "-v", f"-arch={ARCH}", ptx, "-o", "/dev/null"], capture_output=True, text=True)
    if done.returncode:
        raise Failed("ptxas: " + (done.stderr.strip().splitlines() or ["fails"])[0][-160:])
    found = {key: re.search(pattern, done.stderr) for key, pattern in
             {"registers": r"Used (\d+) registers", "spill_stores": r"(\d+) bytes spill stores",
              "shared": r"(\d+) bytes smem"}.items()}
    return {key: int(match.group(1)) if match else 0 for key, match in found.items()}


def instructions(ptx):
    """Of the kernel: functions that were inlined into it are still there."""
    counts = collections.Counter()
    with open(ptx, encoding="utf-8") as file:
        kernel = re.search(r"^\.visible \.entry.*?^}", file.read(), re.M | re.S).group(0)
    for line in kernel.splitlines():
        line = re.sub(r"^@!?%\w+\s+", "", line.strip())
        for key in KEY:
            if line.startswith(key):
                counts[key] += 1
                break
    return dict(counts)


def parameter_types(state, kernel):
    signature = re.search(r"gpu\.func @" + kernel + r"\((.*)\)", state)
    types = re.findall(r"%\w+: (memref<[^>]*>|!llvm\.ptr|\w+)", signature.group(1))
    return [re.sub(r"memref<(.*)>", r"\1", kind) for kind in types]


def lift(source, out):
    """One entry of kernels.json."""
    name = os.path.basename(source)[:-3]
    base = os.path.join(out, name)
    launch = json.load(open(source[:-3] + ".json", encoding="utf-8"))
    entry = {"name": name, "source": os.path.relpath(source, ROOT), "launch": launch}
    with tempfile.TemporaryDirectory() as work:
        state_file = work + "/state.mlir"
        run([ROOT + "/scripts/lift.sh", source, "-o", state_file, "--arch=" + ARCH])
        state = open(state_file, encoding="utf-8").read()
        for key in ("ops", "llvm_left"):
            found = re.search(rf"klineage\.lift\.{key} = (\d+)", state)
            entry[key] = int(found.group(1)) if found else 0
        entry["types"] = parameter_types(state, launch["kernel"])
        compile_ = [LLVM + "clang++", "-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch={ARCH}",
                    f"--cuda-path={CUDA}", "-Wno-unknown-cuda-version", "-std=c++17", "-O3", "-S", "-emit-llvm"]
        run(compile_ + ["-o", work + "/original.ll", source])
        run([TOOL, state_file, "--klineage-import", f"--klineage-emit=format=llvm chip={ARCH} to={work}/lifted.ll",
             "-o", "/dev/null"])
        for side in ("original", "lifted"):
            ir = open(f"{work}/{side}.ll", encoding="utf-8").read()
            run(LLC + ["-o", f"{base}.{side}.ptx"], ir)
            run(LLC + EXACT + ["-o", f"{base}.{side}.exact.ptx"], without_contract(ir))
            entry[side] = {"instructions": instructions(f"{base}.{side}.ptx"), **(resources(f"{base}.{side}.ptx") or {})}
    nvcc = shutil.which("nvcc") or CUDA + "/bin/nvcc"
    if os.access(nvcc, os.X_OK):
        try:
            run([nvcc, "-ptx", "-O3", "-std=c++17", f"-arch={ARCH}", source, "-o", base + ".nvcc.ptx"])
        except Failed as error:
            entry["nvcc"] = str(error)
    return entry


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("folders", nargs="*", default=["cuda", "heldout", "heldout2"])
    parser.add_argument("--only", default="", help="kernels whose name has this text")
    a = parser.parse_args()
    os.makedirs(a.out, exist_ok=True)
    entries = []
    for folder in a.folders:
        sources = sorted(glob.glob(f"{ROOT}/experts/{folder}/*.cu"))
        if not sources:
            sys.exit(f"no kernels in experts/{folder}")
        for source in sources:
            name = os.path.basename(source)[:-3]
            if a.only not in name:
                continue
            try:
                entry = lift(source, a.out)
            except Failed as error:
                entry = {"name": name, "source": os.path.relpath(source, ROOT), "failed": str(error)}
            entries.append(entry)
            print(f"{name}: {entry.get('failed', 'made')}", file=sys.stderr)
    with open(os.path.join(a.out, "kernels.json"), "w", encoding="utf-8") as file:
        json.dump(entries, file, indent=1)


if __name__ == "__main__":
    main()
