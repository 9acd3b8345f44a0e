#!/usr/bin/env python3
# Part of the KLineage project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps docs/steps and docs/clauses.md as the code is.

Each page docs/steps/<kind>.md shows the state before and after a step of
docs/steps/examples/<kind>.mlir. In that file, `// STEP: <options>` lines give
uses of klineage-test-step; the last one is the step of the page.

usage: check-step-docs.py --tool <klineage-opt> [--update]
"""
import argparse
import difflib
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STEPS = ROOT / "docs" / "steps"
MARKER = re.compile(r"<!-- tool: (before|after) -->\n```mlir\n(.*?)```\n", re.S)


def run(tool, example, steps):
    command = [tool, str(example), "--klineage-import"]
    command += [f"--klineage-test-step={step}" for step in steps]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{' '.join(command)}\n{result.stderr}")
    lines = [line for line in result.stdout.splitlines() if line.strip()]
    return "\n".join(lines) + "\n"


def check_steps(tool, update):
    failures = []
    kinds = re.findall(r'KLineage_StepOp<"(\w+)"',
                       (ROOT / "include/KLineage/TransformOps/StepOps.td").read_text())
    for kind in kinds:
        page, example = STEPS / f"{kind}.md", STEPS / "examples" / f"{kind}.mlir"
        if not page.exists() or not example.exists():
            failures.append(f"{kind}: no page or no example")
            continue
        steps = re.findall(r"^// STEP: (.*)$", example.read_text(), re.M)
        states = {"before": run(tool, example, steps[:-1]), "after": run(tool, example, steps)}
        text = page.read_text()
        found = {m[1] for m in MARKER.finditer(text)}
        if found != {"before", "after"}:
            failures.append(f"{kind}: the page lacks '<!-- tool: before -->' or '... after'")
        new = MARKER.sub(lambda m: f"<!-- tool: {m[1]} -->\n```mlir\n{states[m[1]]}```\n", text)
        if new != text and update:
            page.write_text(new)
        elif new != text:
            diff = difflib.unified_diff(text.splitlines(), new.splitlines(), "page", "tool", "", "", 1)
            failures.append(f"{kind}: the page is not what the tool prints\n" + "\n".join(diff))
    return failures


def clause_functions():
    """C++ functions that make one clause, by name."""
    made = {}
    for file in list((ROOT / "lib").rglob("*.cpp")):
        text = file.read_text()
        for match in re.finditer(r"^(?:static )?ClauseResult\s+(?:klineage::)?(\w+)\((.*?)^}", text, re.S | re.M):
            names = set(re.findall(r'"([a-z][a-z_]+)",\s*ClauseClass::', match[2]))
            names |= set(re.findall(r'\.name = "([a-z_]+)"', match[2]))
            if len(names) == 1:
                made[match[1]] = names.pop()
    return made


def used_in(text, functions):
    """Clauses that C++ text makes, itself or by a function."""
    used = set(re.findall(r'"([a-z][a-z_]+)",\s*ClauseClass::', text))
    used |= set(re.findall(r'\.name = "([a-z_]+)"', text))
    return used | {name for function, name in functions.items() if re.search(rf"\b{function}\(", text)}


SOURCES = {"block_row_reduction": ["BlockRowReduction"], "fuse_producer": ["FuseProducer", "LoopFusion", "BodyFusion"],
           "distribute_to_threads": ["DistributeToThreads"], "remove_barrier": ["RemoveBarrier", "BarrierProof"]}


def check_clauses():
    failures = []
    functions = clause_functions()
    table = {}
    for line in (ROOT / "docs/clauses.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 8 and re.fullmatch(r"`[a-z_]+`", cells[1]):
            table[cells[1].strip("`")] = cells[2:7]
    in_code = {}
    for kind in re.findall(r'KLineage_StepOp<"(\w+)"',
                           (ROOT / "include/KLineage/TransformOps/StepOps.td").read_text()):
        camel = "".join(part.capitalize() for part in kind.split("_"))
        text = "".join((ROOT / f"lib/Steps/{name}.cpp").read_text() for name in SOURCES.get(kind, [camel]))
        in_code[kind] = used_in(text, functions)
        page = (STEPS / f"{kind}.md").read_text()
        for name in sorted(in_code[kind]):
            if not re.search(rf"\b{name}\b", page):
                failures.append(f"docs/steps/{kind}.md does not mention the clause {name}")
    structured = (ROOT / "lib/Analysis/StructuredClauses.cpp").read_text()
    own = {name for function, name in functions.items() if f"klineage::{function}(" in structured}
    kernels = (ROOT / "lib/TransformOps/KernelClauseOps.cpp").read_text()
    own |= set(re.findall(r'\.name = "([a-z_]+)"', kernels))
    everywhere = own.union(*in_code.values())
    for name in sorted(everywhere - set(table)):
        failures.append(f"docs/clauses.md lacks {name}")
    for name in sorted(set(table) - everywhere):
        failures.append(f"docs/clauses.md lists {name}, which no code makes")
    for name, cells in table.items():
        listed = set(re.findall(r"[a-z_]+", cells[3])) & set(in_code)
        actual = {kind for kind, names in in_code.items() if name in names}
        if listed != actual:
            failures.append(f"docs/clauses.md: {name} is used by {sorted(actual)}, the table says {sorted(listed)}")
    ods = (ROOT / "include/KLineage/TransformOps/ClauseOps.td").read_text()
    operations = {f"require_{name}" for name in re.findall(r'KLineage_ClauseOp<"(\w+)"', ods)}
    mentioned = set(re.findall(r"`(require_\w+)`", (ROOT / "docs/clauses.md").read_text()))
    for name in sorted(operations ^ mentioned):
        failures.append(f"docs/clauses.md and ClauseOps.td differ in {name}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True, help="klineage-opt")
    parser.add_argument("--update", action="store_true", help="rewrite the blocks of IR in the pages")
    arguments = parser.parse_args()
    failures = check_steps(arguments.tool, arguments.update) + check_clauses()
    for failure in failures:
        print(f"check-step-docs: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
