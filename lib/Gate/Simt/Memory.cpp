//===- Memory.cpp - Device memory of the simt runtime
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "KLineage/Gate/Simt/SimtRuntime.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <sys/mman.h>

using namespace klineage::simt;
using namespace llvm;

/// Both a guard band and, being a page, enough alignment for the payload.
static constexpr int64_t guardBytes = 4096;

DeviceMemory::~DeviceMemory() {
  for (auto &[base, buffer] : buffers)
    if (buffer->block)
      munmap(buffer->block, buffer->blockBytes);
}

Expected<Buffer *> DeviceMemory::allocate(int64_t bytes, StringRef name) {
  if (bytes < 0)
    return createStringError("simt: buffer '" + name + "' of " + Twine(bytes) +
                             " bytes");
  auto total = checkedAdd<int64_t>(bytes, 3 * guardBytes);
  void *block = MAP_FAILED;
  if (total) {
    *total = alignDown(*total, guardBytes);
    block = mmap(nullptr, *total, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  if (block == MAP_FAILED)
    return make_error<MemoryError>(("simt: no memory for buffer '" + name +
                                    "' of " + Twine(bytes) + " bytes")
                                       .str());
  std::memset(block, poisonByte, *total);
  auto buffer = std::make_unique<Buffer>();
  buffer->name = name.str();
  buffer->id = nextId++;
  buffer->block = static_cast<char *>(block);
  buffer->blockBytes = *total;
  buffer->base = buffer->block + guardBytes;
  buffer->bytes = bytes;
  Buffer *result = buffer.get();
  buffers[reinterpret_cast<uintptr_t>(result->base)] = std::move(buffer);
  return result;
}

void DeviceMemory::adopt(StringRef name, char *base, int64_t bytes) {
  auto buffer = std::make_unique<Buffer>();
  buffer->name = name.str();
  buffer->id = nextId++;
  buffer->base = base;
  buffer->bytes = bytes;
  buffers[reinterpret_cast<uintptr_t>(base)] = std::move(buffer);
}

Error DeviceMemory::release(void *pointer) {
  auto it = buffers.find(reinterpret_cast<uintptr_t>(pointer));
  if (it == buffers.end() || !it->second->block)
    return createStringError("simt: released a pointer that was not allocated");
  Error error = checkGuard(*it->second);
  munmap(it->second->block, it->second->blockBytes);
  buffers.erase(it);
  return error;
}

Buffer *DeviceMemory::find(const void *address) const {
  auto value = reinterpret_cast<uintptr_t>(address);
  auto it = buffers.upper_bound(value);
  if (it == buffers.begin())
    return nullptr;
  Buffer *buffer = std::prev(it)->second.get();
  return value <= reinterpret_cast<uintptr_t>(buffer->base) + buffer->bytes
             ? buffer
             : nullptr;
}

Error DeviceMemory::checkRange(const void *pointer, int64_t bytes,
                               StringRef what) const {
  const Buffer *buffer = find(pointer);
  if (!buffer)
    return createStringError("simt: " + what +
                             " at a pointer that was not allocated");
  int64_t offset = static_cast<const char *>(pointer) - buffer->base;
  if (bytes < 0 || bytes > buffer->bytes - offset)
    return createStringError("simt: " + what + " of " + Twine(bytes) +
                             " bytes at offset " + Twine(offset) +
                             " of buffer '" + buffer->name + "' of " +
                             Twine(buffer->bytes) + " bytes");
  return Error::success();
}

Error DeviceMemory::checkGuard(const Buffer &buffer) const {
  auto broken = [](const char *begin, const char *end) {
    return std::find_if(begin, end,
                        [](char c) { return uint8_t(c) != poisonByte; }) != end;
  };
  if (!buffer.block)
    return Error::success();
  bool before = broken(buffer.block, buffer.base);
  bool behind =
      broken(buffer.base + buffer.bytes, buffer.block + buffer.blockBytes);
  if (!before && !behind)
    return Error::success();
  return createStringError(
      "simt: a kernel wrote " + Twine(before ? "before" : "behind") +
      " buffer '" + buffer.name + "' of " + Twine(buffer.bytes) + " bytes");
}

Error DeviceMemory::checkGuards() const {
  for (auto &[base, buffer] : buffers)
    if (Error error = checkGuard(*buffer))
      return error;
  return Error::success();
}

void DeviceMemory::clearShadows() {
  for (auto &[base, buffer] : buffers)
    buffer->shadow.clear();
}
