//===- KernelImage.h - What codegen hands to the executors
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_CODEGEN_KERNELIMAGE_H
#define KLINEAGE_CODEGEN_KERNELIMAGE_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>
#include <vector>

namespace klineage {

/// One parameter of a kernel: a bare device pointer or a scalar.
struct KernelParam {
  std::string name; ///< "A", "A.dim0", "n"
  bool isPointer = false;
  int64_t bytes = 8;     ///< size of the value that is passed
  int64_t alignment = 1; ///< of the pointed-to memory, promised to codegen
  bool readOnly = false; ///< no store reaches it (proved)
  bool noAlias = false;  ///< overlaps no parameter that the kernel writes
                         ///< (promised, or proved of one it only reads)
};

/// Launch facts of one kernel, as JSON in `emit format=launch`.
struct KernelImage {
  std::string name; ///< symbol in the device module and the PTX
  std::vector<KernelParam> params;
  int64_t blockDim[3] = {0, 0, 0}; ///< 0: only known at launch
  int64_t staticSharedBytes = 0;
  int64_t dynamicSharedBytes = 0;
  int64_t maxRegisters = 0; ///< 0: no limit asked for
};

/// `ptxas -v` figures of one kernel; valid only if `known`.
struct KernelResources {
  bool known = false;
  int64_t registers = 0, spillStores = 0, spillLoads = 0, sharedBytes = 0,
          stackBytes = 0;
};

} // namespace klineage

#endif // KLINEAGE_CODEGEN_KERNELIMAGE_H
