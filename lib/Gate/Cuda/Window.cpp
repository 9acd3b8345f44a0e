//===- Window.cpp - One timed window on the device's stream
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Window.h"
#include "MemoryPool.h"

using namespace klineage::cuda;
using namespace llvm;

ScopedBuffer::~ScopedBuffer() {
  if (size)
    consumeError(device.memory().release(pointer));
}

Error ScopedBuffer::allocate(int64_t bytes, StringRef name) {
  auto buffer = device.memory().allocate(bytes, name);
  if (!buffer)
    return buffer.takeError();
  pointer = *buffer;
  size = bytes;
  return Error::success();
}

Window::~Window() {
  consumeError(device.enter());
  for (Event event : {start, end})
    if (event)
      (void)device.api().cuEventDestroy(event);
}

Error Window::open(int64_t flushBytes) {
  if (Error error = device.enter())
    return error;
  for (Event *event : {&start, &end}) {
    Event created = nullptr;
    if (Error error = device.check(device.api().cuEventCreate(&created, 0),
                                   "creating an event"))
      return error;
    *event = created;
  }
  if (flushBytes == 0)
    return Error::success();
  return flush.allocate(flushBytes, "L2 flush");
}

Expected<Sample> Window::sample(function_ref<Error()> work, int64_t flushes) {
  const Driver &api = device.api();
  Stream stream = device.stream();
  if (Error error = device.enter())
    return std::move(error);
  for (int64_t i = 0; i < flushes && flush.bytes(); ++i)
    if (Error error = device.check(
            api.cuMemsetD32Async(flush.get(), ++pattern,
                                 flush.bytes() / sizeof(unsigned), stream),
            "flushing the L2"))
      return std::move(error);
  if (Error error =
          device.check(api.cuEventRecord(start, stream), "recording an event"))
    return std::move(error);
  if (Error error = work())
    return std::move(error);
  if (Error error =
          device.check(api.cuEventRecord(end, stream), "recording an event"))
    return std::move(error);

  // Still in the flush: all of the window was queued before it began.
  Sample sample;
  int query = api.cuEventQuery(start);
  sample.hostBound = query == kSuccess;
  if (query != kErrorNotReady)
    if (Error error = device.check(query, "asking for an event"))
      return std::move(error);
  if (Error error = device.check(api.cuEventSynchronize(end),
                                 "waiting for the timed window"))
    return std::move(error);
  float milliseconds = 0;
  if (Error error =
          device.check(api.cuEventElapsedTime(&milliseconds, start, end),
                       "reading the time between events"))
    return std::move(error);
  sample.microseconds = milliseconds * 1e3;
  return sample;
}
