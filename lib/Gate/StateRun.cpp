//===- StateRun.cpp - Running a compiled state on host buffers
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StateRun.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <cstring>

using namespace klineage;
using llvm::Error;

llvm::Expected<std::unique_ptr<RunnableState>>
RunnableState::create(mlir::ModuleOp module, const TargetInfo &target) {
  auto compiled = compileState(module, target);
  if (!compiled)
    return compiled.takeError();
  auto state = std::make_unique<RunnableState>();
  state->compiled = std::move(*compiled);
  auto host = HostProgram::create(state->compiled);
  if (!host)
    return host.takeError();
  state->host = std::move(*host);
  return std::move(state);
}

std::optional<int64_t>
RunnableState::argumentBytes(llvm::ArrayRef<int64_t> sizes) const {
  int64_t total = 0;
  for (const EntryParam &param : compiled.params) {
    std::optional<int64_t> bytes = elementBytes(param.elementType);
    for (int64_t extent : param.shape) {
      if (mlir::ShapedType::isDynamic(extent)) {
        extent = sizes.empty() ? 1 : sizes.front();
        sizes = sizes.empty() ? sizes : sizes.drop_front();
      }
      bytes = bytes ? llvm::checkedMul(*bytes, extent) : bytes;
    }
    auto sum = bytes ? llvm::checkedAdd(total, *bytes) : bytes;
    if (!sum)
      return std::nullopt;
    total = *sum;
  }
  return total;
}

std::vector<HostBuffer>
RunnableState::arguments(llvm::ArrayRef<int64_t> sizes) const {
  std::vector<HostBuffer> buffers;
  for (const EntryParam &param : compiled.params) {
    HostBuffer buffer;
    buffer.type = param.elementType;
    for (int64_t extent : param.shape) {
      if (mlir::ShapedType::isDynamic(extent)) {
        buffer.shape.push_back(sizes.empty() ? 1 : sizes.front());
        sizes = sizes.empty() ? sizes : sizes.drop_front();
      } else {
        buffer.shape.push_back(extent);
      }
    }
    buffer.bytes.resize(buffer.count() * elementBytes(buffer.type));
    buffers.push_back(std::move(buffer));
  }
  return buffers;
}

std::vector<bool> RunnableState::outputs() const {
  std::vector<bool> list;
  for (const EntryParam &param : compiled.params)
    list.push_back(param.isBuffer && param.noAlias);
  return list;
}

DeviceArguments::~DeviceArguments() {
  for (EntryArgument &argument : arguments)
    if (argument.pointer)
      llvm::consumeError(runtime.release(argument.pointer));
}

Error DeviceArguments::upload(const RunnableState &state,
                              llvm::ArrayRef<HostBuffer> buffers,
                              std::optional<uint8_t> poison) {
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    const EntryParam &param = state.compiled.params[index];
    EntryArgument argument;
    if (!param.isBuffer) {
      std::memcpy(&argument.bits, buffer.bytes.data(),
                  std::min<size_t>(8, buffer.bytes.size()));
      arguments.push_back(argument);
      continue;
    }
    argument.bytes = buffer.bytes.size();
    argument.shape = buffer.shape;
    auto pointer =
        runtime.allocate(argument.bytes, "argument " + std::to_string(index));
    if (!pointer)
      return pointer.takeError();
    argument.pointer = *pointer;
    arguments.push_back(argument);
    std::vector<uint8_t> poisoned;
    const uint8_t *source = buffer.bytes.data();
    if (param.noAlias && poison) {
      poisoned.assign(buffer.bytes.size(), *poison);
      source = poisoned.data();
    }
    if (Error error =
            runtime.copyToDevice(argument.pointer, source, argument.bytes))
      return error;
  }
  return Error::success();
}

Error DeviceArguments::download(std::vector<HostBuffer> &buffers) {
  for (auto [buffer, argument] : llvm::zip_equal(buffers, arguments))
    if (argument.pointer)
      if (Error error = runtime.copyToHost(
              buffer.bytes.data(), argument.pointer, buffer.bytes.size()))
        return error;
  return Error::success();
}

llvm::Expected<std::vector<HostBuffer>>
klineage::runState(RunnableState &state, DeviceRuntime &runtime,
                   std::vector<HostBuffer> buffers,
                   std::optional<uint8_t> poison) {
  DeviceArguments arguments(runtime);
  if (Error error = arguments.upload(state, buffers, poison))
    return std::move(error);
  if (Error error = state.host->run(runtime, arguments.get()))
    return std::move(error);
  if (Error error = arguments.download(buffers))
    return std::move(error);
  return buffers;
}

std::string klineage::sizesText(llvm::ArrayRef<HostBuffer> buffers) {
  std::string text;
  for (const HostBuffer &buffer : buffers) {
    text += text.empty() ? "" : ", ";
    for (int64_t extent : buffer.shape)
      text += std::to_string(extent) + "x";
    text += buffer.type;
  }
  return text;
}
