#!/usr/bin/env python3
"""Usage: scripts/check-sources.py [FILE]...

Rules for sources that no compiler checks (all tracked files by default): sizes of
files and functions, the header text, words that must not stay, and options in
libraries. Files and functions that are over a limit today stand in ALLOWED with
their size; an entry must go when the file gets better.
"""
import os
import re
import subprocess
import sys

FILE_LINES = 500
FUNCTION_LINES = 60
SOURCES = (".cpp", ".h", ".td", ".py", ".sh")
LICENSE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"

# "path" or "path:function" -> lines that are allowed.
ALLOWED = {}

# Words of unfinished work, and absolute paths of somebody's machine.
FORBIDDEN = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|(?<![\w.])/(home|root|work|mnt)/")
# Iterators of two calls that may each return a container of their own.
TWO_RANGES = re.compile(r"-\s+\w[\w.>-]*\(\)\.begin\(\)")
NOT_A_FUNCTION = re.compile(r"^\s*(namespace|class|struct|union|enum|extern \"C\" \{|switch|if|for|while|do|else|case|return|\}|#|//)")


def functions(lines):
    """(name, first line, length) of functions at namespace or class level, found
    by indentation: clang-format puts the closing brace below the first word."""
    start = None
    for number, line in enumerate(lines):
        if start is None:
            match = re.match(r"^( {0,4})\S.*", line)
            if not match or not line.rstrip().endswith("{") or NOT_A_FUNCTION.match(line):
                continue
            # The head may span lines; its first line has the least indentation.
            first = number
            while first > 0 and lines[first].startswith("    ") and lines[first - 1].strip():
                first -= 1
            head = " ".join(lines[first:number + 1])
            name = re.search(r"([\w:~]+)\s*\(", head)
            if name and "](" not in head and " = " not in head.split("(")[0]:
                indent = re.match(r" *", lines[first]).group(0)
                start = (name.group(1), first, indent)
        elif line.startswith(start[2] + "}") :
            yield start[0], start[1] + 1, number - start[1] + 1
            start = None


def check_header(path, lines):
    name = os.path.basename(path)
    top = "".join(lines[:8])
    if not lines[0].startswith(f"//===- {name} - "):
        yield f"{path}:1: starts with no '//===- {name} - what it is'"
    if LICENSE not in top:
        yield f"{path}:1: has no license line"


def check_limit(key, size, limit, what):
    if size > ALLOWED.get(key, limit):
        yield f"{key}: {what} has {size} lines; the limit is {ALLOWED.get(key, limit)}"
    elif key in ALLOWED and size <= limit:
        yield f"{key}: is within the limit now; take it out of ALLOWED"


def check(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = text.splitlines()
    own = path == "scripts/check-sources.py"
    for number, line in enumerate(lines, 1):
        if FORBIDDEN.search(line) and not own:
            yield f"{path}:{number}: must not stay: {line.strip()}"
    if not path.endswith(SOURCES) or not lines:
        return
    yield from check_limit(path, len(lines), FILE_LINES, "the file")
    if path.endswith((".cpp", ".h", ".td")):
        yield from check_header(path, lines)
        for match in TWO_RANGES.finditer(text):
            number = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{number}: name the range: each call may return its own"
    if path.endswith((".cpp", ".h")):
        for name, _, size in functions(lines):
            yield from check_limit(f"{path}:{name}", size, FUNCTION_LINES, "the function")
    if path.startswith(("lib/", "include/")) and re.search(r"\bcl::opt\b|#include <iostream>", text):
        yield f"{path}: libraries have no cl::opt and no <iostream>"


def main():
    paths = sys.argv[1:] or subprocess.check_output(["git", "ls-files"], text=True).splitlines()
    text_files = (".cpp", ".h", ".td", ".py", ".sh", ".md", ".mlir", ".test", ".txt", ".cmake", ".in", ".json")
    found = [m for p in paths if p.endswith(text_files) and os.path.exists(p) for m in check(p)]
    print("\n".join(found) if found else f"check-sources: {len(paths)} files are in order")
    return 1 if found else 0


sys.exit(main())
