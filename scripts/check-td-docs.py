#!/usr/bin/env python3
"""Usage: scripts/check-td-docs.py LLVM_TBLGEN [-I DIR]...

Each operation, attribute and pass of the project has a summary (one line, no full
stop) and a description; --help of the tool lists each pass.
"""
import json
import re
import subprocess
import sys

SOURCES = {
    "include/KLineage/Dialect/KLineage/KLineageOps.td": ("Op", "AttrDef"),
    "include/KLineage/TransformOps/KLineageTransformOps.td": ("Op",),
    "include/KLineage/Passes/Passes.td": ("PassBase",),
    "include/KLineage/Lift/Passes.td": ("PassBase",),
}
# Parts of the pipeline klineage-lift, which --help lists.
PARTS = re.compile(r"klineage-lift-")

with open("tools/klineage-opt/Help.cpp", encoding="utf-8") as file:
    HELP = file.read()


def check(path, kinds, command):
    records = json.loads(subprocess.check_output(command + ["--dump-json", path]))
    names = {name for kind in kinds for name in records["!instanceof"].get(kind, [])}
    found = 0
    for name in sorted(names):
        record = records[name]
        dialect = (record.get("opDialect") or record.get("dialect") or {}).get("def", "")
        ours = "PassBase" in kinds or "KLineage" in dialect or "klineage" in str(record.get("opName", ""))
        if not ours:
            continue
        summary = (record.get("summary") or "").strip()
        if not summary or "\n" in summary or summary.endswith("."):
            print(f"{path}: {name}: the summary is missing, longer than a line, or ends with a full stop")
            found += 1
        if not (record.get("description") or "").strip():
            print(f"{path}: {name}: the description is missing")
            found += 1
        argument = record.get("argument")
        if argument and not PARTS.match(argument) and f'"{argument}"' not in HELP:
            print(f"{path}: {name}: tools/klineage-opt/Help.cpp does not list {argument}")
            found += 1
    if not names:
        print(f"{path}: no records of {kinds}")
        found += 1
    return found


def main():
    return 1 if sum(check(p, k, sys.argv[1:]) for p, k in SOURCES.items()) else 0


sys.exit(main())
