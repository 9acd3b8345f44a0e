//===- Probe.cpp - Is there a device that works?
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Cuda/CudaDevice.h"
#include "KLineage/Support/ChildProcess.h"
#include <cstring>

using namespace klineage;
using namespace klineage::cuda;
using namespace llvm;

ProbeResult klineage::cuda::probeHere(int ordinal) {
  auto device = CudaDevice::open(ordinal);
  if (!device)
    return {false, toString(device.takeError())};
  const DeviceFacts &facts = (*device)->facts();
  return {true, ("cuda: " + facts.name + " (compute capability " +
                 Twine(facts.computeMajor) + "." + Twine(facts.computeMinor) +
                 ", driver for CUDA " + versionText(facts.driverVersion) +
                 ") can be used")
                    .str()};
}

/// '+' or '-' and the sentence, as the child gives them to its parent.
static std::string answer(const ProbeResult &result) {
  return (result.usable ? "+" : "-") + result.sentence;
}

static ProbeResult unusable(const Twine &why) {
  return {false, ("cuda: " + why).str()};
}

static ProbeResult judge(const ChildResult &child, unsigned timeoutSeconds) {
  std::string how = "exit code " + std::to_string(child.code);
  switch (child.kind) {
  case ChildResult::answered:
    if (StringRef text = child.text; text.size() > 1)
      return {text.front() == '+', text.drop_front().str()};
    break;
  case ChildResult::timed_out:
    return unusable("the driver did not start within " + Twine(timeoutSeconds) +
                    " s; look at nvidia-smi and dmesg");
  case ChildResult::interrupted:
    return unusable("interrupted while the driver started");
  case ChildResult::failed:
    return unusable("no process for the probe: " + child.text);
  case ChildResult::signaled:
    how = std::string("signal ") + strsignal(child.code);
    break;
  case ChildResult::out_of_memory:
  case ChildResult::exited:
    break;
  }
  return unusable("the driver ended the process that tried it (" + how +
                  "); reinstall the NVIDIA driver");
}

ProbeResult klineage::cuda::probe(int ordinal, unsigned timeoutSeconds) {
  ChildLimits limits;
  limits.seconds = timeoutSeconds;
  return judge(runInChild(limits, [&] { return answer(probeHere(ordinal)); }),
               timeoutSeconds);
}
