#!/usr/bin/env python3
"""Usage: scripts/check-readme.py TOOL

Runs the commands of README's tour (indented lines that start with `$ klineage-opt`)
in an empty folder with a softmax.mlir, an other.mlir and skills/. Each must succeed,
and the output lines that the README shows must come in that order; numbers and
hashes may differ, and `...` stands for anything. The commands in the descriptions
of passes (docs/generated/passes.md) run after them, in the same folder.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def loosely(line):
    line = re.sub(r"\b[0-9a-f]{12}\b", "#", line.strip())
    return re.sub(r"\d+(\.\d+)?", "#", line)


def tour(readme):
    """(command, shown lines) in the order of the page."""
    steps = []
    for line in readme.splitlines():
        command = re.match(r"    \$ klineage-opt (.*)", line)
        if command:
            steps.append((command.group(1), []))
        elif steps and line.startswith("    "):
            if steps[-1]:
                steps[-1][1].append(line)
        elif steps and not line.strip():
            steps.append(None)
        if steps and line and not line.startswith("    "):
            break
    return [s for s in steps if s]


def pass_examples(page):
    return [(line[len("klineage-opt "):], []) for line in page.splitlines() if line.startswith("klineage-opt ")]


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def check(command, shown, tool, folder):
    words = shlex.split(command, comments=True)
    done = subprocess.run([tool] + words, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0 and "no libdevice.10.bc found" in done.stderr:
        print("  (no CUDA here: its libdevice is needed for exp)")
        return None
    if done.returncode != 0:
        return f"fails: {done.stderr.strip().splitlines()[:1]}"
    output = iter(loosely(line) for line in done.stdout.splitlines())
    for line in shown:
        if line.strip() != "..." and loosely(line) not in output:
            return f"does not print (in this order): {line.strip()}"
    return None


def main():
    tool = os.path.abspath(sys.argv[1])
    steps = tour(read("README.md"))
    examples = pass_examples(read("docs", "generated", "passes.md"))
    if len(steps) < 4 or len(examples) < 2:
        print(f"README has only {len(steps)} commands in its tour, the passes only {len(examples)} examples")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(ROOT, "skills"), os.path.join(folder, "skills"))
        text = read("skills", "row_reduction", "accept.mlir")
        other = text.replace("64x1000", "128x1000").replace("tensor<64x", "tensor<128x")
        for name, source in (("softmax", text), ("k", text), ("other", other)):
            with open(os.path.join(folder, name + ".mlir"), "w", encoding="utf-8") as file:
                file.write(source)
        status = 0
        for command, shown in steps + examples:
            problem = check(command, shown, tool, folder)
            print(f"{'FAILED' if problem else 'ok'}: klineage-opt {command.split('#')[0].strip()}")
            if problem:
                print("  " + problem)
                status = 1
    return status


sys.exit(main())
