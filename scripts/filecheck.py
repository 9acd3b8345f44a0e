#!/usr/bin/env python3
"""Usage: scripts/filecheck.py FILE [--check-prefix=WORD] [--input-file=FILE]

The part of LLVM's FileCheck that test/Gpu uses, for machines without LLVM: plain
checks, -SAME, -NEXT, -NOT and -COUNT-n, with {{regex}}. No variables.
"""
import argparse
import re
import sys


def directives(path, prefix):
    """(kind, count, pattern, line number), in order of the file."""
    form = re.compile(r"(?:^|[^\w-])" + re.escape(prefix) + r"(-SAME|-NEXT|-NOT|-COUNT-(\d+))?:[ \t]*(.*)")
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            found = form.search(line)
            if found:
                kind = (found[1] or "").split("-")[1] if found[1] else "PLAIN"
                yield kind, int(found[2] or 1), to_regex(found[3].strip()), number


def to_regex(text):
    """Blanks match blanks of any number, as FileCheck does."""
    parts = re.split(r"\{\{(.*?)\}\}", text)
    plain = [re.sub(r"(\\?[ \t])+", r"[ \\t]+", re.escape(part)) for part in parts[::2]]
    return re.compile("".join(p + (f"(?:{parts[2 * i + 1]})" if 2 * i + 1 < len(parts) else "")
                              for i, p in enumerate(plain)))


def forbidden_between(waiting, text, begin, end):
    for pattern, number in waiting:
        if pattern.search(text, begin, end):
            return f"line {number}: what must not be there was found"
    return None


def check(rules, text):
    """None, or what fails."""
    position, waiting = 0, []
    for kind, count, pattern, number in rules:
        if kind == "NOT":
            waiting.append((pattern, number))
            continue
        for _ in range(count):
            start, limit = position, len(text)
            if kind in ("SAME", "NEXT"):
                end_of_line = text.find("\n", position)
                end_of_line = len(text) if end_of_line < 0 else end_of_line
                start = position if kind == "SAME" else end_of_line + 1
                limit = text.find("\n", start) if kind == "NEXT" else end_of_line
                limit = len(text) if limit < 0 else limit
            found = pattern.search(text, start, limit)
            if not found:
                return f"line {number}: nothing found"
            failure = forbidden_between(waiting, text, position, found.start())
            if failure:
                return failure
            position, waiting = found.end(), []
    return forbidden_between(waiting, text, position, len(text))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--check-prefix", default="CHECK")
    parser.add_argument("--input-file")
    a = parser.parse_args()
    text = open(a.input_file, encoding="utf-8").read() if a.input_file else sys.stdin.read()
    rules = list(directives(a.file, a.check_prefix))
    failure = check(rules, text) if rules else "no check with this prefix"
    failure = failure or (None if text else "the input is empty")
    if failure:
        print(f"{a.file}: {a.check_prefix}: {failure}; the input begins with\n{text[:2000]}", file=sys.stderr)
    return failure is not None


if __name__ == "__main__":
    sys.exit(main())
