//===- HostRunner.h - Running the entry of a compiled state
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_GATE_HOSTRUNNER_H
#define KLINEAGE_GATE_HOSTRUNNER_H

#include "KLineage/Codegen/Codegen.h"
#include "KLineage/Gate/Executor.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <vector>

namespace klineage {

/// One argument of an entry: a device buffer with its shape, or the bits of a
/// scalar (an index is an i64).
struct EntryArgument {
  void *pointer = nullptr;
  int64_t bytes = 0;
  std::vector<int64_t> shape;
  uint64_t bits = 0;
};

/// The host code of a compiled state, ready to run any number of times and on
/// any runtime.
class HostProgram {
public:
  /// `compiled` stays as it is and must outlive the program.
  static llvm::Expected<std::unique_ptr<HostProgram>>
  create(const CompiledState &compiled);
  ~HostProgram();

  /// Runs the entry against `runtime` and waits until the device is done.
  /// Checks the launch contract first: number and ranks of arguments, static
  /// extents, promised alignment, and that written buffers overlap no other.
  /// Temporaries are released on every path.
  llvm::Error run(DeviceRuntime &runtime,
                  llvm::ArrayRef<EntryArgument> arguments);

  /// The same without waiting and without the contract: for timing, after a
  /// `run` with these arguments. The runtime must take back memory that work
  /// in flight still uses (cuda does, in stream order).
  llvm::Error enqueue(DeviceRuntime &runtime,
                      llvm::ArrayRef<EntryArgument> arguments);

private:
  struct Impl;
  explicit HostProgram(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace klineage

#endif // KLINEAGE_GATE_HOSTRUNNER_H
