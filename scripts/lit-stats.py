#!/usr/bin/env python3
"""Usage: scripts/lit-stats.py [BUILD]

Counts the lit files and the negative ones among them (those that verify
diagnostics or expect a failure). With BUILD, also checks that ctest runs every
folder that has lit files; fails if it does not, or if fewer than a quarter of the
files are negative.
"""
import os
import re
import subprocess
import sys

NEGATIVE = re.compile(r"expected-(error|warning)|^//\s*RUN:.*\bnot\b|^#\s*RUN:.*\bnot\b", re.MULTILINE)


def lit_files():
    for root, folders, files in os.walk("test"):
        folders[:] = [f for f in folders if f not in ("Inputs", "consumer")]
        yield from (os.path.join(root, f) for f in files if f.endswith((".mlir", ".test")))
    for folder in ("skills", "skills_approximate"):
        for root, _, files in os.walk(folder):
            yield from (os.path.join(root, f) for f in files if f.endswith(".mlir") and f != "skill.mlir")


def test_name(folder):
    parts = folder.split(os.sep)
    return f"skill-{parts[1]}" if parts[0].startswith("skills") else "lit-" + "-".join(parts[1:])


def main():
    os.chdir(os.path.join(os.path.dirname(__file__), ".."))
    files = sorted(lit_files())
    negative = 0
    for path in files:
        with open(path, encoding="utf-8") as file:
            negative += bool(NEGATIVE.search(file.read()))
    print(f"{len(files)} lit files, {negative} negative ({100 * negative // max(1, len(files))} %)")
    status = 0
    if 4 * negative < len(files):
        print("fewer than a quarter of the lit files are negative")
        status = 1
    if len(sys.argv) > 1:
        listed = subprocess.check_output(["ctest", "--test-dir", sys.argv[1], "-N"], text=True)
        for name in sorted({test_name(os.path.dirname(f)) for f in files}):
            if not re.search(rf": {re.escape(name)}$", listed, re.MULTILINE):
                print(f"no ctest named {name}: run cmake again, or see test/CMakeLists.txt")
                status = 1
    return status


sys.exit(main())
