//===- CudaError.cpp - Names and advice for results of the CUDA driver
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Cuda/CudaError.h"
#include "llvm/Support/raw_ostream.h"

using namespace klineage::cuda;
using namespace llvm;

char CudaError::ID;

void CudaError::log(raw_ostream &os) const { os << message; }

std::error_code CudaError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

Error klineage::cuda::makeError(ErrorKind kind, const Twine &message,
                                int result) {
  return make_error<CudaError>(kind, message.str(), result);
}

namespace {
struct ResultText {
  int value;
  StringLiteral name;   ///< without CUDA_ERROR_
  StringLiteral advice; ///< what it means and what to do
};
} // namespace

// Advice that several results share.
#define REBOOT "restart the process; if it stays, look at nvidia-smi and dmesg"
#define FAULT "the kernel is wrong: run it in the simt executor's checked mode"
#define HARNESS "a wrong call of this library: please report it"
#define MPS "the MPS server refused: look at its log, or stop it"
#define IMAGE "compile for this device (chip=...) or install a newer driver"

static constexpr ResultText results[] = {
    {1, "INVALID_VALUE", HARNESS},
    {2, "OUT_OF_MEMORY",
     "the device has too little free memory; use smaller sizes, or end other "
     "processes on it (nvidia-smi)"},
    {3, "NOT_INITIALIZED",
     "CUDA was initialised before this process was forked, or not at all; "
     "start CUDA in the child only"},
    {4, "DEINITIALIZED", "the driver is shutting down; nothing more can run"},
    {5, "PROFILER_DISABLED",
     "profiling is off under this tool; run without it"},
    {34, "STUB_LIBRARY",
     "the library is CUDA's link-time stub; point KLINEAGE_CUDA_DRIVER to the "
     "libcuda.so.1 of the installed driver"},
    {36, "CALL_REQUIRES_NEWER_DRIVER", "install a newer NVIDIA driver"},
    {46, "DEVICE_UNAVAILABLE",
     "another process has the device for itself (exclusive compute mode); wait "
     "for it or change the mode with nvidia-smi -c"},
    {100, "NO_DEVICE",
     "the driver sees no GPU; check nvidia-smi, CUDA_VISIBLE_DEVICES and the "
     "container's device access"},
    {101, "INVALID_DEVICE", "no device has this ordinal; see nvidia-smi -L"},
    {102, "DEVICE_NOT_LICENSED", "the virtual GPU has no licence"},
    {200, "INVALID_IMAGE", "neither PTX nor an object file for a GPU"},
    {201, "INVALID_CONTEXT", HARNESS},
    {205, "MAP_FAILED", REBOOT},
    {206, "UNMAP_FAILED", REBOOT},
    {209, "NO_BINARY_FOR_GPU", "the code is for another GPU; " IMAGE},
    {214, "ECC_UNCORRECTABLE",
     "the device's memory has an error; reset or replace the device"},
    {215, "UNSUPPORTED_LIMIT", HARNESS},
    {216, "CONTEXT_ALREADY_IN_USE", "another process owns the context"},
    {217, "PEER_ACCESS_UNSUPPORTED", HARNESS},
    {218, "INVALID_PTX", "the driver's compiler refused the PTX; " IMAGE},
    {220, "NVLINK_UNCORRECTABLE", "the link between GPUs failed; " REBOOT},
    {221, "JIT_COMPILER_NOT_FOUND",
     "the driver lacks libnvidia-ptxjitcompiler; install it, or put ptxas into "
     "PATH"},
    {222, "UNSUPPORTED_PTX_VERSION",
     "the PTX is newer than the driver; install a newer NVIDIA driver"},
    {223, "JIT_COMPILATION_DISABLED",
     "unset CUDA_DISABLE_PTX_JIT, or put ptxas into PATH"},
    {224, "UNSUPPORTED_EXEC_AFFINITY", HARNESS},
    {225, "UNSUPPORTED_DEVSIDE_SYNC",
     "the PTX synchronizes from the device, which this driver does not do"},
    {226, "CONTAINED", "a memory error ended the context; " REBOOT},
    {300, "INVALID_SOURCE", "the device code is not valid; emit it again"},
    {301, "FILE_NOT_FOUND", HARNESS},
    {302, "SHARED_OBJECT_SYMBOL_NOT_FOUND",
     "the driver's libraries are of different versions; reinstall it"},
    {303, "SHARED_OBJECT_INIT_FAILED",
     "one of the driver's libraries does not start; reinstall it"},
    {304, "OPERATING_SYSTEM",
     "the operating system refused; check the rights of /dev/nvidia* and "
     "dmesg"},
    {400, "INVALID_HANDLE", HARNESS},
    {401, "ILLEGAL_STATE", HARNESS},
    {402, "LOSSY_QUERY", HARNESS},
    {500, "NOT_FOUND", "the module has nothing of this name"},
    {600, "NOT_READY", "the device still works; wait for it"},
    {700, "ILLEGAL_ADDRESS",
     "a kernel accessed memory that is not its own; " FAULT},
    {701, "LAUNCH_OUT_OF_RESOURCES",
     "registers times threads, or shared memory, exceed the device; use fewer "
     "threads or limit registers"},
    {702, "LAUNCH_TIMEOUT",
     "the kernel ran too long for a device with a display; use a smaller size"},
    {703, "LAUNCH_INCOMPATIBLE_TEXTURING", HARNESS},
    {704, "PEER_ACCESS_ALREADY_ENABLED", HARNESS},
    {705, "PEER_ACCESS_NOT_ENABLED", HARNESS},
    {708, "PRIMARY_CONTEXT_ACTIVE", HARNESS},
    {709, "CONTEXT_IS_DESTROYED",
     "other code in this process reset the device"},
    {710, "ASSERT", "an assertion in a kernel failed; " FAULT},
    {711, "TOO_MANY_PEERS", HARNESS},
    {712, "HOST_MEMORY_ALREADY_REGISTERED", HARNESS},
    {713, "HOST_MEMORY_NOT_REGISTERED", HARNESS},
    {714, "HARDWARE_STACK_ERROR", "a kernel broke its call stack; " FAULT},
    {715, "ILLEGAL_INSTRUCTION",
     "a kernel met an instruction that this device does not have; " IMAGE},
    {716, "MISALIGNED_ADDRESS",
     "a kernel accessed memory at an address that its width does not "
     "divide; " FAULT},
    {717, "INVALID_ADDRESS_SPACE",
     "a kernel used an address of the wrong memory space; " FAULT},
    {718, "INVALID_PC", "a kernel jumped out of its code; " FAULT},
    {719, "LAUNCH_FAILED", "a kernel ended with a fault; " FAULT},
    {720, "COOPERATIVE_LAUNCH_TOO_LARGE",
     "a cooperative grid does not fit the device at once; use fewer blocks"},
    {721, "TENSOR_MEMORY_LEAK",
     "a kernel did not free its tensor memory; " FAULT},
    {800, "NOT_PERMITTED", "this user may not do that; ask the administrator"},
    {801, "NOT_SUPPORTED", "this device or driver cannot do that"},
    {802, "SYSTEM_NOT_READY",
     "the system is not ready: start nvidia-fabricmanager or wait for it"},
    {803, "SYSTEM_DRIVER_MISMATCH",
     "libcuda and the kernel module are of different versions; reboot or "
     "reinstall the driver"},
    {804, "COMPAT_NOT_SUPPORTED_ON_DEVICE",
     "the compatibility libcuda does not work on this GPU; use the driver's "
     "own (KLINEAGE_CUDA_DRIVER)"},
    {805, "MPS_CONNECTION_FAILED", MPS},
    {806, "MPS_RPC_FAILURE", MPS},
    {807, "MPS_SERVER_NOT_READY", MPS},
    {808, "MPS_MAX_CLIENTS_REACHED", MPS},
    {809, "MPS_MAX_CONNECTIONS_REACHED", MPS},
    {810, "MPS_CLIENT_TERMINATED", MPS},
    {811, "CDP_NOT_SUPPORTED", "kernels that launch kernels do not run here"},
    {812, "CDP_VERSION_MISMATCH",
     "kernels that launch kernels do not run here"},
    {908, "STREAM_CAPTURE_WRONG_THREAD", HARNESS},
    {909, "TIMEOUT", "a wait in the driver took too long; " REBOOT},
    {910, "GRAPH_EXEC_UPDATE_FAILURE", HARNESS},
    {911, "EXTERNAL_DEVICE", "a device outside CUDA failed; " REBOOT},
    {912, "INVALID_CLUSTER_SIZE",
     "a cluster of blocks that the device cannot run; use a smaller one"},
    {913, "FUNCTION_NOT_LOADED", HARNESS},
    {914, "INVALID_RESOURCE_TYPE", HARNESS},
    {915, "INVALID_RESOURCE_CONFIGURATION", HARNESS},
    {916, "KEY_ROTATION", "the device changes its keys; try again"},
    {999, "UNKNOWN", REBOOT},
};

std::string klineage::cuda::describeResult(int result) {
  if (result == 0)
    return "CUDA_SUCCESS (0)";
  for (const ResultText &text : results)
    if (text.value == result)
      return ("CUDA_ERROR_" + text.name + " (" + Twine(result) +
              "): " + text.advice)
          .str();
  return ("CUDA error " + Twine(result) +
          ": a result that this program does not know; look it up as CUresult "
          "in NVIDIA's documentation of the driver")
      .str();
}

ErrorKind klineage::cuda::kindOfResult(int result) {
  switch (result) {
  case 2:
    return ErrorKind::out_of_memory;
  case 3:
  case 34:
  case 36:
  case 46:
  case 100:
  case 101:
  case 102:
  case 221:
  case 802:
  case 803:
  case 804:
  case 805:
  case 807:
  case 808:
  case 809:
    return ErrorKind::unavailable;
  case 200:
  case 209:
  case 218:
  case 222:
  case 223:
  case 225:
  case 300:
    return ErrorKind::compile;
  case 701:
  case 720:
  case 912:
    return ErrorKind::resource_limit;
  case 702:
    return ErrorKind::timeout;
  case 700:
  case 710:
  case 714:
  case 715:
  case 716:
  case 717:
  case 718:
  case 719:
  case 721:
    return ErrorKind::device_fault;
  default:
    return ErrorKind::driver;
  }
}

bool klineage::cuda::isSticky(int result) {
  switch (kindOfResult(result)) {
  case ErrorKind::device_fault:
  case ErrorKind::timeout:
    return true;
  default:
    // Failures of the hardware or of the context itself.
    return result == 4 || result == 214 || result == 220 || result == 226 ||
           result == 709 || result == 810 || result == 999;
  }
}
