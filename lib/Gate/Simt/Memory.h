//===- Memory.h - Device memory of the simt runtime
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_SIMT_MEMORY_H
#define KLINEAGE_LIB_GATE_SIMT_MEMORY_H

#include "Race.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace klineage::simt {

/// One allocation, or one module-level variable (`block` is null then).
struct Buffer {
  std::string name;
  unsigned id = 0;
  char *base = nullptr;
  int64_t bytes = 0;
  char *block = nullptr; ///< what was mapped: guard, payload, guard
  int64_t blockBytes = 0;
  std::vector<Cell> shadow; ///< empty until the first checked access
  unsigned shadowShift = 0;
};

class DeviceMemory {
public:
  ~DeviceMemory();
  llvm::Expected<Buffer *> allocate(int64_t bytes, llvm::StringRef name);
  llvm::Error release(void *pointer);
  void adopt(llvm::StringRef name, char *base, int64_t bytes);

  /// The buffer that holds `address` or begins or ends there; null if none.
  Buffer *find(const void *address) const;
  /// Fails if [pointer, pointer + bytes) is not inside one buffer.
  llvm::Error checkRange(const void *pointer, int64_t bytes,
                         llvm::StringRef what) const;
  /// Fails if the guard band of some buffer was written to.
  llvm::Error checkGuards() const;
  void clearShadows();

private:
  llvm::Error checkGuard(const Buffer &buffer) const;
  std::map<uintptr_t, std::unique_ptr<Buffer>> buffers; ///< by base
  unsigned nextId = 1;
};

} // namespace klineage::simt

#endif // KLINEAGE_LIB_GATE_SIMT_MEMORY_H
