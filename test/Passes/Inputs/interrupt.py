"""Usage: interrupt.py TOOL KERNEL SKILLS OUT: sends SIGINT during a judgement."""
import signal
import subprocess
import sys
import time

tool, kernel, skills, out = sys.argv[1:]
process = subprocess.Popen([tool, kernel, f"--klineage-apply=skills={skills} executor=simt", "-o", out])
time.sleep(0.5)
process.send_signal(signal.SIGINT)
code = process.wait(timeout=60)
assert code == 130, f"exit code {code}"
