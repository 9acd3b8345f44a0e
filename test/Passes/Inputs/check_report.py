"""Reads a JSON report and checks what a program would rely on."""
import json
import sys

report = json.load(open(sys.argv[1], encoding="utf-8"))
assert list(report) == ["lineage", "chip", "ended", "states", "transitions", "trials"], list(report)
names = [state["name"] for state in report["states"]]
hashes = {state["name"]: state["sha256"] for state in report["states"]}
assert names[0] == "s0" and all(len(sha) == 64 for sha in hashes.values())
assert report["chip"] == "sm_90a" and report["ended"] == "no further skill applies"
if "--refused" in sys.argv:
    assert not report["transitions"]
    trial = report["trials"][0]
    assert trial["before"] == "s0" and trial["skill"] == "matmul_shared"
    assert trial["verdict"]["kind"] == "illegal" and trial["verdict"]["stage"] == "clauses"
    assert "does not hold" in trial["verdict"]["message"]
    sys.exit()
assert report["lineage"] == "scale"
transition = report["transitions"][0]
assert transition["before"] == "s0" and transition["after"] in names
assert transition["skill"] == "elementwise_vector", transition["skill"]
assert transition["verdict"]["kind"] == "accepted"
assert isinstance(transition["verdict"]["details"], dict)
assert transition["steps"][0]["before"] == hashes["s0"]
assert transition["steps"][-1]["after"] == hashes[transition["after"]]
assert all(c["truth"] == "proved" for s in transition["steps"] for c in s["clauses"])
