import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "KLineage"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "consumer", "skill.mlir"]
# The suite has two roots: test/ and, for the tests of skills, skills/ (or the
# folder of skills that the variable names).
root = {"": "test", "1": "skills"}.get(os.environ.get("KLINEAGE_LIT_SKILLS", ""), os.environ.get("KLINEAGE_LIT_SKILLS"))
config.test_source_root = os.path.join(config.source_root, root)
config.test_exec_root = os.path.join(config.binary_root, root)

path = [os.path.join(config.binary_root, "bin"), config.llvm_tools_dir, os.environ["PATH"]]
config.environment["PATH"] = os.pathsep.join(path)
config.substitutions.append(("%inputs", os.path.join(config.source_root, "test", "Inputs")))
lift = os.path.join(config.source_root, "scripts", "lift.sh")
config.substitutions.append(("%lift", f"env KLINEAGE_OPT={config.binary_root}/bin/klineage-opt {lift}"))
config.substitutions.append(("%experts", os.path.join(config.source_root, "experts")))
config.substitutions.append(("%run_lift", f"{sys.executable} {config.source_root}/benchmarks/run_lift.py"))
config.substitutions.append(("%make_ptx", f"env KLINEAGE_OPT={config.binary_root}/bin/klineage-opt {sys.executable} "
                             f"{config.source_root}/benchmarks/lift_ptx.py"))
config.substitutions.append(("%skills", os.path.join(config.source_root, "skills")))
plugin = os.path.join(config.binary_root, "lib", "KLineagePlugin.so")
config.substitutions.append(("%plugin", plugin))
if config.plugin:
    config.available_features.add("plugin")

corpus = os.path.join(config.source_root, "scripts", "corpus.py")
config.substitutions.append(("%corpus", f"{sys.executable} {corpus}"))

ptxas = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
if os.access(ptxas, os.X_OK):
    config.available_features.add("ptxas")
if os.path.exists("/usr/local/cuda/nvvm/libdevice/libdevice.10.bc"):
    config.available_features.add("libdevice")

# In a process of its own: lit must not start CUDA, and a broken driver may hang.
PROBE = """
import ctypes, os
driver = ctypes.CDLL(os.environ.get("KLINEAGE_CUDA_DRIVER") or "libcuda.so.1")
count = ctypes.c_int()
raise SystemExit(bool(driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)) or not count.value))
"""


def has_gpu():
    try:
        return subprocess.run([sys.executable, "-c", PROBE], capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if has_gpu():
    config.available_features.add("cuda")
# All tests but those of test/Gpu run as on a machine without a GPU.
config.environment["KLINEAGE_CUDA_DRIVER"] = "/nonexistent/libcuda.so.1"

# KLINEAGE_CHECK_ROUNDTRIP=1: every input is also printed, as text and as bytecode,
# and parsed again.
if os.environ.get("KLINEAGE_CHECK_ROUNDTRIP"):
    config.substitutions.append((r"\bklineage-opt (?=%s|%t)", "klineage-opt --verify-roundtrip "))
cuda = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or "/usr/local/cuda"
front_end = [os.path.join(config.llvm_tools_dir, tool) for tool in ("clang++", "opt", "mlir-translate")]
if os.path.exists(os.path.join(cuda, "include", "cuda_runtime.h")) and all(map(os.path.exists, front_end)):
    config.available_features.add("cuda-headers")
