//===- LoadModule.cpp - Loading PTX and looking up its kernels
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Cuda/CudaRuntime.h"
#include <vector>

using namespace klineage;
using namespace klineage::cuda;
using namespace llvm;

// Values of CUjit_option.
static constexpr int kInfoLog = 3, kInfoLogBytes = 4, kErrorLog = 5,
                     kErrorLogBytes = 6, kLogVerbose = 12;

// Values of CUfunction_attribute.
static constexpr int kMaxThreads = 0, kStaticShared = 1, kConstant = 2,
                     kLocal = 3, kRegisters = 4, kBinaryVersion = 6,
                     kMaxDynamicShared = 8;

static constexpr size_t kLogBytes = 64 * 1024;
/// What fits into an error message; the log as a whole is seldom longer.
static constexpr size_t kLogInMessage = 4000;

/// A log as one line: "first; second".
static std::string oneLine(StringRef text) {
  std::string result;
  SmallVector<StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    line = line.trim();
    if (line.empty())
      continue;
    if (!result.empty())
      result += " | ";
    result += line;
  }
  if (result.size() > kLogInMessage)
    result = result.substr(0, kLogInMessage) + "...";
  return result;
}

static Error withLog(Error error, const std::string &log) {
  if (log.empty())
    return error;
  return handleErrors(std::move(error), [&](const CudaError &found) {
    return makeError(found.getKind(),
                     found.getMessage() + "; driver's log: " + log,
                     found.getResult());
  });
}

Error CudaRuntime::loadModule(StringRef image) {
  if (image.trim().empty())
    return makeError(ErrorKind::compile, "cuda: the device code is empty");
  // The driver reads PTX up to a zero byte, which a StringRef need not have.
  std::string code = image.str();
  std::vector<char> info(kLogBytes), errors(kLogBytes);
  auto bySize = [](size_t bytes) { return reinterpret_cast<void *>(bytes); };
  int options[] = {kInfoLog, kInfoLogBytes, kErrorLog, kErrorLogBytes,
                   kLogVerbose};
  // Sizes are passed in the pointer itself, and overwritten with what was used.
  // One byte is kept so that the text always ends.
  void *values[] = {info.data(), bySize(kLogBytes - 1), errors.data(),
                    bySize(kLogBytes - 1), bySize(1)};
  Module loaded = nullptr;
  int result = device->api().cuModuleLoadDataEx(&loaded, code.c_str(), 5,
                                                options, values);
  log = StringRef(info.data()).trim().str();
  if (result == kSuccess) {
    module = loaded;
    return Error::success();
  }
  return withLog(device->check(result, "loading the device code"),
                 oneLine(errors.data()));
}

Error CudaRuntime::addKernel(const KernelImage &image) {
  Kernel kernel;
  kernel.image = image;
  int result = device->api().cuModuleGetFunction(&kernel.function, module,
                                                 image.name.c_str());
  if (Error error =
          device->check(result, "looking up kernel '" + image.name + "'"))
    return error;
  if (Error error = readResources(kernel))
    return error;
  if (Error error = checkParameters(kernel))
    return error;
  if (Error error = grantShared(kernel, image.dynamicSharedBytes))
    return error;
  kernels[image.name] = std::move(kernel);
  return Error::success();
}

Error CudaRuntime::readResources(Kernel &kernel) {
  FunctionResources &facts = kernel.resources;
  const std::pair<int, int64_t *> attributes[] = {
      {kMaxThreads, &facts.maxThreadsPerBlock},
      {kStaticShared, &facts.staticSharedBytes},
      {kConstant, &facts.constantBytes},
      {kLocal, &facts.localBytes},
      {kRegisters, &facts.registers},
      {kBinaryVersion, &facts.binaryVersion},
      {kMaxDynamicShared, &kernel.dynamicAllowed}};
  for (auto [attribute, slot] : attributes) {
    int value = 0;
    int result =
        device->api().cuFuncGetAttribute(&value, attribute, kernel.function);
    if (Error error =
            device->check(result, "reading attribute " + Twine(attribute) +
                                      " of kernel '" + kernel.image.name + "'"))
      return error;
    *slot = value;
  }
  return Error::success();
}

/// The driver reads as many bytes per parameter as the code declares; launch
/// facts that say otherwise would make it read past a value.
Error CudaRuntime::checkParameters(const Kernel &kernel) {
  auto query = device->api().cuFuncGetParamInfo;
  if (!query)
    return Error::success();
  auto refuse = [&](const Twine &why) {
    return makeError(ErrorKind::usage,
                     "cuda: kernel '" + kernel.image.name + "': " + why);
  };
  size_t count = kernel.image.params.size();
  for (size_t i = 0; i < count; ++i) {
    size_t offset = 0, bytes = 0;
    if (query(kernel.function, i, &offset, &bytes) != kSuccess)
      return refuse("the launch facts have " + Twine(count) +
                    " parameters, the code has " + Twine(i));
    int64_t expected = kernel.image.params[i].bytes;
    if (static_cast<int64_t>(bytes) != expected)
      return refuse("parameter " + Twine(i) + " ('" +
                    kernel.image.params[i].name + "') has " + Twine(expected) +
                    " bytes in the launch facts and " + Twine(bytes) +
                    " in the code");
  }
  size_t offset = 0, bytes = 0;
  if (query(kernel.function, count, &offset, &bytes) == kSuccess)
    return refuse("the launch facts have " + Twine(count) +
                  " parameters, the code has more");
  return Error::success();
}

Error CudaRuntime::grantShared(Kernel &kernel, int64_t dynamicBytes) {
  int64_t staticBytes = kernel.resources.staticSharedBytes;
  int64_t limit = device->facts().sharedPerBlockOptIn;
  if (dynamicBytes < 0)
    return makeError(ErrorKind::usage, "cuda: kernel '" + kernel.image.name +
                                           "': " + Twine(dynamicBytes) +
                                           " bytes of dynamic shared memory");
  if (dynamicBytes > limit - staticBytes)
    return makeError(
        ErrorKind::resource_limit,
        "cuda: kernel '" + kernel.image.name + "' needs " + Twine(staticBytes) +
            " static and " + Twine(dynamicBytes) +
            " dynamic bytes of shared memory, together more than the limit "
            "of " +
            Twine(limit) + " (device: shared memory per block after opt-in)");
  if (dynamicBytes <= kernel.dynamicAllowed)
    return Error::success();
  int result = device->api().cuFuncSetAttribute(
      kernel.function, kMaxDynamicShared, static_cast<int>(dynamicBytes));
  if (Error error = device->check(result, "granting " + Twine(dynamicBytes) +
                                              " bytes of dynamic shared memory "
                                              "to kernel '" +
                                              kernel.image.name + "'"))
    return error;
  kernel.dynamicAllowed = dynamicBytes;
  return Error::success();
}
