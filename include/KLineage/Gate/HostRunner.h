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

/// Runs the host code of `compiled` against `runtime`. Checks the launch
/// contract first: number and ranks of arguments, static extents, promised
/// alignment, and that written buffers overlap no other. Temporaries are
/// released on every path. Consumes the host module, not the device module.
llvm::Error runEntry(CompiledState &compiled, DeviceRuntime &runtime,
                     llvm::ArrayRef<EntryArgument> arguments);

} // namespace klineage

#endif // KLINEAGE_GATE_HOSTRUNNER_H
