#!/usr/bin/env python3
"""Usage: scripts/check-readme.py TOOL

Runs the commands of README's tour (indented lines that start with `$`) in an empty
folder with links to skills/ and test/. Each must succeed, and the lines that the
README shows of its output and messages must come in that order; numbers and hashes
may differ, and `...` stands for anything. The commands in the descriptions of passes
(docs/generated/passes.md) run after them, in the same folder.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def loosely(line):
    line = re.sub(r"\b[0-9a-f]{12}\b", "#", line.strip())
    return re.sub(r"\d+(\.\d+)?", "#", line)


def tour(readme):
    """(command, shown lines) in the order of the section."""
    steps, shown = [], None
    for line in readme.split("## A tour", 1)[1].split("\n## ", 1)[0].splitlines():
        if line.startswith("    $ "):
            shown = []
            steps.append((line[len("    $ "):], shown))
        elif not line.startswith("    "):
            shown = None
        elif shown is not None:
            shown.append(line)
    return steps


def pass_examples(page):
    return [(line, []) for line in page.splitlines() if line.startswith("klineage-opt ")]


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def check(command, shown, tool, folder):
    path = os.path.dirname(tool) + os.pathsep + os.environ["PATH"]
    done = subprocess.run(["bash", "-c", command], cwd=folder, env={**os.environ, "PATH": path},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0 and "no libdevice.10.bc found" in done.stdout:
        print("  (no CUDA here: its libdevice is needed for exp)")
        return None
    if done.returncode != 0:
        return f"fails: {done.stdout.strip().splitlines()[:1]}"
    output = iter(loosely(line) for line in done.stdout.splitlines())
    for line in shown:
        if line.strip() != "..." and loosely(line) not in output:
            return f"does not print (in this order): {line.strip()}"
    return None


def main():
    tool = os.path.abspath(sys.argv[1])
    steps = tour(read("README.md"))
    examples = pass_examples(read("docs", "generated", "passes.md"))
    if len(steps) < 8 or len(examples) < 2:
        print(f"README has only {len(steps)} commands in its tour, the passes only {len(examples)} examples")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        for part in ("skills", "test"):
            os.symlink(os.path.abspath(os.path.join(ROOT, part)), os.path.join(folder, part))
        # What the examples of the passes call their inputs.
        for name, source in (("k", "softmax"), ("softmax", "softmax"), ("other", "softmax_dynamic"),
                             ("expert", "../../../experts/row_sum_tree")):
            shutil.copy(os.path.join(ROOT, "test", "Inputs", "corpus", source + ".mlir"),
                        os.path.join(folder, name + ".mlir"))
        status = 0
        for command, shown in steps + examples:
            problem = check(command, shown, tool, folder)
            print(f"{'FAILED' if problem else 'ok'}: {command}")
            if problem:
                print("  " + problem)
                status = 1
    return status


sys.exit(main())
