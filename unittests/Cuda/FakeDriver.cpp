//===- FakeDriver.cpp - A CUDA driver on host memory with a virtual clock
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Built twice: as a usable driver, and (FAKE_TOO_OLD) as one from before
// cuGetProcAddress_v2. Handles are numbers cast to pointers or small objects;
// every one is counted. After a fault each call answers with it, as the real
// driver does, but still takes handles back.

#include "FakeDriver.h"
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

namespace {
using DevicePtr = unsigned long long;
struct FakeFunction {
  std::string name;
  std::vector<size_t> params;
  int dynamicAllowed = 48 * 1024;
};
struct FakeModule {
  std::map<std::string, FakeFunction> functions;
};
struct FakeEvent {
  double time = -1;
};

using Context = struct ContextHandle *;
using Module = FakeModule *;
using Function = FakeFunction *;
using Stream = struct StreamHandle *;
using Event = FakeEvent *;

struct State {
  FakeConfig config;
  FakeCounts counts;
  std::map<std::string, FakeKernel> kernels;
  std::map<DevicePtr, size_t> buffers;
  size_t bytesInUse = 0;
  std::string log; ///< "flush record k record ..."
  bool initialised = false, current = false;
  int sticky = 0;
  double host = 0, device = 0;
};
State state;

int bad(int result = 1) {
  ++state.counts.badCalls;
  return result;
}

/// Time passes on the host; calls outside a context or after a fault fail.
int enter() {
  state.host += state.config.hostCallUs;
  if (!state.initialised)
    return bad(3);
  if (!state.current)
    return bad(201);
  return state.sticky;
}

void enqueue(double us) {
  state.device = std::max(state.device, state.host) + us;
}

bool owns(DevicePtr pointer, size_t bytes) {
  auto it = state.buffers.upper_bound(pointer);
  if (it == state.buffers.begin())
    return false;
  --it;
  return pointer + bytes <= it->first + it->second;
}

int cuInit(unsigned flags) {
  if (state.config.crashInInit)
    std::abort();
  while (state.config.hangInInit)
    pause();
  state.initialised = state.config.initResult == 0;
  return flags ? bad() : state.config.initResult;
}

int cuDriverGetVersion(int *version) {
  *version = state.config.driverVersion;
  return 0;
}

int cuDeviceGetCount(int *count) {
  *count = state.config.deviceCount;
  return state.initialised ? 0 : bad(3);
}

int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ordinal < state.config.deviceCount ? 0 : bad(101);
}

int cuDeviceGetName(char *name, int size, int) {
  std::strncpy(name, "Fake GPU", size);
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int) {
  static const std::map<int, int> values = {
      {1, 1024},     {2, 1024},  {3, 1024},  {4, 64},     {5, 2147483647},
      {6, 65535},    {7, 65535}, {8, 49152}, {12, 65536}, {16, 132},
      {38, 1 << 20}, {75, 9},    {76, 0},    {97, 232448}};
  auto it = values.find(attribute);
  if (it == values.end())
    return bad();
  *value = it->second;
  return 0;
}

int cuDeviceTotalMem(size_t *bytes, int) {
  *bytes = state.config.memoryBytes;
  return 0;
}

int cuDevicePrimaryCtxRetain(Context *context, int) {
  if (state.config.retainResult)
    return state.config.retainResult;
  ++state.counts.contexts;
  *context = reinterpret_cast<Context>(16);
  return 0;
}

int cuDevicePrimaryCtxRelease(int) {
  --state.counts.contexts;
  return state.sticky;
}

int cuCtxSetCurrent(Context context) {
  state.current = context != nullptr;
  return 0;
}

/// ".visible .entry name(" and its ".param .u64 x" up to ")".
void parseEntries(const std::string &ptx, FakeModule &module) {
  size_t at = 0;
  while ((at = ptx.find(".entry ", at)) != std::string::npos) {
    at += 7;
    size_t open = ptx.find('(', at), close = ptx.find(')', at);
    FakeFunction function;
    function.name = ptx.substr(at, open - at);
    for (size_t p = open; (p = ptx.find(".param .", p)) < close; ++p) {
      int bits = std::atoi(ptx.c_str() + p + 9);
      function.params.push_back(bits / 8);
    }
    module.functions[function.name] = function;
  }
}

int cuModuleLoadDataEx(Module *module, const void *image, unsigned count,
                       int *options, void **values) {
  if (int result = enter())
    return result;
  char *info = nullptr, *errors = nullptr;
  size_t infoSize = 0, errorSize = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == 3)
      info = static_cast<char *>(values[i]);
    if (options[i] == 4)
      infoSize = reinterpret_cast<uintptr_t>(values[i]);
    if (options[i] == 5)
      errors = static_cast<char *>(values[i]);
    if (options[i] == 6)
      errorSize = reinterpret_cast<uintptr_t>(values[i]);
  }
  if (!info || !infoSize || !errors || !errorSize)
    return bad();
  if (state.config.moduleResult) {
    std::strncpy(errors, state.config.moduleLog, errorSize);
    return state.config.moduleResult;
  }
  std::strncpy(info, "ptxas info : Used 32 registers\n", infoSize);
  *module = new FakeModule();
  parseEntries(static_cast<const char *>(image), **module);
  ++state.counts.modules;
  return 0;
}

int cuModuleUnload(Module module) {
  delete module;
  --state.counts.modules;
  return enter();
}

int cuModuleGetFunction(Function *function, Module module, const char *name) {
  if (int result = enter())
    return result;
  auto it = module->functions.find(name);
  if (it == module->functions.end())
    return 500;
  *function = &it->second;
  return 0;
}

int cuFuncGetAttribute(int *value, int attribute, Function function) {
  const FakeKernel &kernel = state.kernels[function->name];
  const std::map<int, int> values = {{0, kernel.maxThreads},
                                     {1, kernel.staticShared},
                                     {2, 0},
                                     {3, 8},
                                     {4, 32},
                                     {6, 90},
                                     {8, function->dynamicAllowed}};
  auto it = values.find(attribute);
  if (it == values.end())
    return bad();
  *value = it->second;
  return enter();
}

int cuFuncSetAttribute(Function function, int attribute, int value) {
  if (attribute != 8 || value > 232448)
    return bad();
  function->dynamicAllowed = value;
  return enter();
}

int cuFuncGetParamInfo(Function function, size_t index, size_t *offset,
                       size_t *bytes) {
  if (index >= function->params.size())
    return 1;
  *offset = 8 * index;
  *bytes = function->params[index];
  return 0;
}

int cuLaunchKernel(Function function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned sharedBytes, Stream stream,
                   void **parameters, void **extra) {
  if (int result = enter())
    return result;
  if (!stream || extra || int(sharedBytes) > function->dynamicAllowed ||
      !gridX || !gridY || !gridZ || blockX * blockY * blockZ > 1024)
    return bad();
  const FakeKernel &kernel = state.kernels[function->name];
  if (kernel.run)
    kernel.run(parameters);
  enqueue(kernel.us + kernel.jitterUs * (state.counts.launches++ % 4));
  state.log += function->name + " ";
  // The device finds out later than the launch: the next call sees it.
  state.sticky = kernel.fault;
  return 0;
}

int cuMemGetInfo(size_t *free, size_t *total) {
  *free = state.config.memoryBytes - state.bytesInUse;
  *total = state.config.memoryBytes;
  return enter();
}

int cuMemAlloc(DevicePtr *pointer, size_t bytes) {
  if (int result = enter())
    return result;
  if (bytes == 0)
    return bad();
  if (state.bytesInUse + bytes > size_t(state.config.memoryBytes))
    return 2;
  *pointer = reinterpret_cast<uintptr_t>(
      std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  state.buffers[*pointer] = bytes;
  state.bytesInUse += bytes;
  ++state.counts.buffers;
  ++state.counts.allocations;
  return 0;
}

int cuMemFree(DevicePtr pointer) {
  auto it = state.buffers.find(pointer);
  if (it == state.buffers.end())
    return bad();
  std::free(reinterpret_cast<void *>(pointer));
  state.bytesInUse -= it->second;
  state.buffers.erase(it);
  --state.counts.buffers;
  return enter();
}

int copy(void *dst, const void *src, size_t bytes, DevicePtr dstCheck,
         DevicePtr srcCheck, Stream stream) {
  if (int result = enter())
    return result;
  if (!stream || (dstCheck && !owns(dstCheck, bytes)) ||
      (srcCheck && !owns(srcCheck, bytes)))
    return bad();
  std::memmove(dst, src, bytes);
  enqueue(bytes / state.config.bytesPerUs);
  return 0;
}

void *host(DevicePtr pointer) { return reinterpret_cast<void *>(pointer); }

int cuMemcpyHtoDAsync(DevicePtr dst, const void *src, size_t bytes,
                      Stream stream) {
  return copy(host(dst), src, bytes, dst, 0, stream);
}

int cuMemcpyDtoHAsync(void *dst, DevicePtr src, size_t bytes, Stream stream) {
  return copy(dst, host(src), bytes, 0, src, stream);
}

int cuMemcpyDtoDAsync(DevicePtr dst, DevicePtr src, size_t bytes,
                      Stream stream) {
  return copy(host(dst), host(src), bytes, dst, src, stream);
}

int cuMemsetD32Async(DevicePtr dst, unsigned value, size_t count,
                     Stream stream) {
  if (int result = enter())
    return result;
  if (!stream || !owns(dst, count * 4))
    return bad();
  std::fill_n(static_cast<unsigned *>(host(dst)), count, value);
  enqueue(count * 4 / state.config.bytesPerUs);
  state.log += "flush ";
  return 0;
}

int cuStreamCreate(Stream *stream, unsigned flags) {
  if (state.config.streamResult)
    return state.config.streamResult;
  *stream = reinterpret_cast<Stream>(32);
  ++state.counts.streams;
  return flags == 1 ? enter() : bad();
}

int cuStreamDestroy(Stream) {
  --state.counts.streams;
  return enter();
}

int cuStreamSynchronize(Stream) {
  if (int result = enter())
    return result;
  state.host = std::max(state.host, state.device);
  return 0;
}

int cuEventCreate(Event *event, unsigned) {
  if (state.config.eventResult)
    return state.config.eventResult;
  *event = new FakeEvent();
  ++state.counts.events;
  return enter();
}

int cuEventDestroy(Event event) {
  delete event;
  --state.counts.events;
  return enter();
}

int cuEventRecord(Event event, Stream stream) {
  if (int result = enter())
    return result;
  if (!stream)
    return bad();
  enqueue(0);
  event->time = state.device;
  state.log += "record ";
  return 0;
}

int cuEventQuery(Event event) {
  if (int result = enter())
    return result;
  return event->time > state.host ? 600 : 0;
}

int cuEventSynchronize(Event event) {
  if (int result = enter())
    return result;
  state.host = std::max(state.host, event->time);
  return 0;
}

int cuEventElapsedTime(float *milliseconds, Event start, Event end) {
  if (start->time < 0 || end->time < 0 || end->time > state.host)
    return bad(600);
  *milliseconds = static_cast<float>((end->time - start->time) * 1e-3);
  return enter();
}
} // namespace

extern "C" {
#ifndef FAKE_TOO_OLD
int cuGetProcAddress_v2(const char *symbol, void **function, int version,
                        uint64_t flags, int *status) {
  struct Entry {
    const char *name;
    int version;
    void *address;
  };
  static const Entry entries[] = {
#define KLINEAGE_CUDA_FUNCTION(name, version, required, parameters)            \
  {#name, version, reinterpret_cast<void *>(&name)},
#include "KLineage/Gate/Cuda/DriverFunctions.def"
  };
  *function = nullptr;
  if (flags != 1 || version > state.config.driverVersion)
    return 1;
  *status = 1;
  for (const Entry &entry : entries)
    if (entry.name == std::string(symbol) &&
        state.config.missing != std::string(symbol)) {
      *status = version == entry.version ? 0 : 2;
      *function = *status ? nullptr : entry.address;
    }
  return 0;
}
#endif

void fakeReset(const FakeConfig &config) {
  state = State();
  state.config = config;
}
void fakeCounts(FakeCounts &counts) { counts = state.counts; }
void fakeKernel(const char *name, const FakeKernel &kernel) {
  state.kernels[name] = kernel;
}
const char *fakeLog() { return state.log.c_str(); }
}
