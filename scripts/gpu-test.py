#!/usr/bin/env python3
"""Usage: scripts/gpu-test.py TOOL [--only SUBSTRING] [--folder test/Gpu] [--jobs 4]

Runs lit tests with TOOL, a klineage-opt, where lit and FileCheck are not at hand,
as on a GPU machine with the portable tool. Exit code 1 if a test fails.
"""
import argparse
import concurrent.futures
import os
import re
import stat
import subprocess
import sys
import tempfile
import time

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))


def write_tools(folder, tool):
    """klineage-opt, not and FileCheck, as the RUN lines call them."""
    scripts = {
        "klineage-opt": f'exec "{tool}" "$@"',
        # A signal is no expected failure.
        "not": '"$@"; code=$?; [ $code -ne 0 ] && [ $code -lt 128 ]',
        "FileCheck": f'exec "{sys.executable}" "{ROOT}/scripts/filecheck.py" "$@"',
    }
    for name, text in scripts.items():
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/bash\n{text}\n")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)


def commands(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = re.findall(r"^(?://|#)\s*RUN:\s*(.*)$", text, re.MULTILINE)
    return re.sub(r"\\\n", " ", "\n".join(lines)).split("\n")


def run_test(path, folder):
    """None, or how the test fails."""
    output = os.path.join(folder, re.sub(r"\W", "_", os.path.relpath(path, ROOT)))
    words = {"%skills": f"{ROOT}/skills", "%inputs": f"{ROOT}/test/Inputs", "%experts": f"{ROOT}/experts",
             "%corpus": f"{sys.executable} {ROOT}/scripts/corpus.py", "%s": path, "%t": output}
    environment = {**os.environ, "PATH": folder + os.pathsep + os.environ["PATH"]}
    for line in commands(path):
        for word, value in words.items():
            line = re.sub(re.escape(word) + r"(?![a-z])" if word != "%t" else "%t(?![a-z])", lambda _: value, line)
        done = subprocess.run(["bash", "-o", "pipefail", "-c", line], env=environment, capture_output=True,
                              text=True, timeout=240, errors="replace")
        if done.returncode:
            return f"{line}\n{(done.stdout + done.stderr)[-3000:]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--only", default="", help="tests whose name has this text")
    parser.add_argument("--folder", default=os.path.join(ROOT, "test", "Gpu"))
    parser.add_argument("--jobs", type=int, default=4)
    a = parser.parse_args()
    folder = os.path.realpath(a.folder)
    tests = sorted(os.path.join(folder, name) for name in os.listdir(folder)
                   if name.endswith((".mlir", ".test")) and a.only in name)
    if not tests:
        sys.exit("no test has such a name")
    failed = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        write_tools(scratch, os.path.realpath(a.tool))

        def timed(path):
            begin = time.time()
            try:
                return path, run_test(path, scratch), time.time() - begin
            except subprocess.TimeoutExpired as error:
                return path, f"a command takes more than {error.timeout:.0f} s", time.time() - begin
        for path, failure, seconds in pool.map(timed, tests):
            print(f"{'FAIL' if failure else 'PASS'}: {os.path.relpath(path, ROOT)} ({seconds:.1f} s)", flush=True)
            if failure:
                failed += 1
                print(failure, flush=True)
    print(f"{len(tests) - failed} of {len(tests)} tests pass")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
