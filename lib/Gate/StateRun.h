//===- StateRun.h - Running a compiled state on host buffers
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_STATERUN_H
#define KLINEAGE_LIB_GATE_STATERUN_H

#include "Data.h"
#include "KLineage/Gate/HostRunner.h"
#include <optional>

namespace klineage {

/// A state compiled for host and device; the device code is not yet anybody's.
struct RunnableState {
  CompiledState compiled;
  std::unique_ptr<HostProgram> host;

  static llvm::Expected<std::unique_ptr<RunnableState>>
  create(mlir::ModuleOp module, const TargetInfo &target);

  /// Bytes of all arguments; none if they are beyond 64 bits.
  std::optional<int64_t> argumentBytes(llvm::ArrayRef<int64_t> sizes) const;
  /// Zeroed arguments, with `sizes` for the dynamic dimensions, in order.
  std::vector<HostBuffer> arguments(llvm::ArrayRef<int64_t> sizes) const;
  /// Arguments that are written and nothing else.
  std::vector<bool> outputs() const;
};

/// Device copies of host buffers; released with the object.
class DeviceArguments {
public:
  explicit DeviceArguments(DeviceRuntime &runtime) : runtime(runtime) {}
  ~DeviceArguments();
  DeviceArguments(const DeviceArguments &) = delete;
  DeviceArguments &operator=(const DeviceArguments &) = delete;

  /// Outputs are filled with `poison` instead of their host bytes, if it is
  /// given: yesterday's right answer must not be lying there.
  llvm::Error upload(const RunnableState &state,
                     llvm::ArrayRef<HostBuffer> buffers,
                     std::optional<uint8_t> poison);
  llvm::Error download(std::vector<HostBuffer> &buffers);
  llvm::ArrayRef<EntryArgument> get() const { return arguments; }

private:
  DeviceRuntime &runtime;
  std::vector<EntryArgument> arguments;
};

/// Uploads, runs once, downloads: `buffers` as the run left them.
llvm::Expected<std::vector<HostBuffer>>
runState(RunnableState &state, DeviceRuntime &runtime,
         std::vector<HostBuffer> buffers, std::optional<uint8_t> poison);

/// "64x1000xf32, 64xf32".
std::string sizesText(llvm::ArrayRef<HostBuffer> buffers);

} // namespace klineage

#endif // KLINEAGE_LIB_GATE_STATERUN_H
