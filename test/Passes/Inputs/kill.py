"""Usage: kill.py TOOL KERNEL OPTIONS CHECKPOINT: SIGKILL as soon as there is a checkpoint."""
import os
import signal
import subprocess
import sys
import time

tool, kernel, options, checkpoint = sys.argv[1:]
process = subprocess.Popen(
    [tool, kernel, f"--klineage-apply={options} checkpoint={checkpoint}", "-o", "/dev/null"])
until = time.monotonic() + 60
while not os.path.exists(checkpoint) and process.poll() is None and time.monotonic() < until:
    time.sleep(0.001)
process.send_signal(signal.SIGKILL)
code = process.wait()
assert code == -signal.SIGKILL, f"exit code {code}: it ended before it could be killed"
