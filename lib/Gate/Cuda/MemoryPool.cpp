//===- MemoryPool.cpp - Device memory with names, reuse and range checks
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryPool.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace klineage::cuda;
using namespace llvm;

static constexpr int64_t kAlignment = 256;

/// Empty buffers get addresses of the first pages, which no device maps: an
/// access through one is a fault and not silent damage.
static constexpr DevicePtr kLastEmpty = 1 << 20;

MemoryPool::~MemoryPool() {
  trim();
  for (auto &[pointer, buffer] : live)
    if (buffer.rounded)
      (void)device.api().cuMemFree(pointer);
}

void MemoryPool::trim() {
  // Results are of no use here: the context ends next, or a request is retried.
  for (auto &[rounded, pointer] : kept)
    (void)device.api().cuMemFree(pointer);
  kept.clear();
}

Expected<DevicePtr> MemoryPool::allocate(int64_t bytes, StringRef name) {
  auto padded = checkedAdd(bytes, kAlignment - 1);
  if (bytes < 0 || !padded)
    return makeError(ErrorKind::usage, "cuda: buffer '" + name + "' of " +
                                           Twine(bytes) + " bytes: not a size");
  if (bytes == 0) {
    do
      nextEmpty = nextEmpty >= kLastEmpty ? kAlignment : nextEmpty + kAlignment;
    while (live.count(nextEmpty));
    live[nextEmpty] = {0, 0, name.str()};
    return nextEmpty;
  }
  int64_t rounded = *padded / kAlignment * kAlignment;
  DevicePtr pointer = 0;
  if (auto it = kept.find(rounded); it != kept.end()) {
    pointer = it->second;
    kept.erase(it);
  } else {
    int result = device.api().cuMemAlloc(&pointer, rounded);
    if (result == kErrorOutOfMemory && !kept.empty()) {
      trim();
      result = device.api().cuMemAlloc(&pointer, rounded);
    }
    if (Error error =
            device.check(result, "allocating " + Twine(bytes) +
                                     " bytes for buffer '" + name + "'"))
      return std::move(error);
  }
  live[pointer] = {bytes, rounded, name.str()};
  return pointer;
}

Error MemoryPool::release(DevicePtr pointer) {
  auto it = live.find(pointer);
  if (it == live.end())
    return makeError(ErrorKind::usage,
                     "cuda: release of 0x" + Twine::utohexstr(pointer) +
                         ", which is not the start of a live buffer");
  if (it->second.rounded)
    kept.emplace(it->second.rounded, pointer);
  live.erase(it);
  return Error::success();
}

Error MemoryPool::checkRange(DevicePtr pointer, int64_t bytes,
                             const Twine &what) const {
  auto it = live.upper_bound(pointer);
  if (it != live.begin()) {
    const auto &[base, buffer] = *std::prev(it);
    int64_t offset = pointer - base;
    if (bytes >= 0 && offset <= buffer.bytes && bytes <= buffer.bytes - offset)
      return Error::success();
    if (offset <= buffer.bytes)
      return makeError(ErrorKind::usage,
                       "cuda: " + what + ": " + Twine(bytes) +
                           " bytes at offset " + Twine(offset) +
                           " do not lie in buffer '" + buffer.name + "' of " +
                           Twine(buffer.bytes) + " bytes");
  }
  return makeError(ErrorKind::usage, "cuda: " + what + ": 0x" +
                                         Twine::utohexstr(pointer) +
                                         " is in no live buffer");
}
