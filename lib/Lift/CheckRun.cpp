//===- CheckRun.cpp - Original and lifted kernel, side by side
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckRun.h"
#include "KLineage/Codegen/Codegen.h"
#include "KLineage/Gate/HostRunner.h"
#include "KLineage/Gate/Simt/SimtRuntime.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include <cstring>
#include <random>

using namespace klineage;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using Names = std::map<std::string, int64_t>;

namespace {
/// One parameter of the original with its value on the host.
struct Argument {
  const LaunchParam *param;
  std::vector<int64_t> shape;
  std::string type;
  std::vector<uint8_t> bytes; ///< of a buffer, or of the scalar
};
} // namespace

static int64_t bytesOf(llvm::StringRef type) {
  if (type == "index")
    return 8;
  int64_t bits = 0;
  if (type == "bf16")
    return 2;
  return type.drop_front().getAsInteger(10, bits) ? 0 : (bits + 7) / 8;
}

/// Values with few bits, positive and negative; indices stay small.
static void fill(Argument &argument, uint64_t seed) {
  std::mt19937_64 random(seed);
  int64_t size = bytesOf(argument.type);
  for (size_t at = 0; at + size <= argument.bytes.size(); at += size) {
    double value = double(int64_t(random() % 4097) - 2048) / 512;
    uint64_t bits = random() % 16;
    if (argument.type == "f64")
      std::memcpy(&bits, &value, 8);
    float narrow = float(value);
    uint32_t word;
    std::memcpy(&word, &narrow, 4);
    if (argument.type == "f32")
      bits = word;
    else if (argument.type == "bf16")
      bits = word >> 16;
    else if (argument.type == "f16")
      bits = 0x3000 | (random() & 0x8fff); // 1/8 to 16
    std::memcpy(argument.bytes.data() + at, &bits, size);
  }
}

static void setScalar(Argument &argument, int64_t value) {
  argument.bytes.resize(8);
  uint64_t bits = value;
  double wide = 0.5;
  float narrow = 0.5f;
  if (argument.type == "f64")
    std::memcpy(&bits, &wide, 8);
  else if (argument.type == "f32")
    std::memcpy(&bits, &narrow, 4);
  std::memcpy(argument.bytes.data(), &bits, 8);
}

namespace {
/// Which argument of the entry each parameter of the kernel is, or -1.
class LiftRun {
public:
  LiftRun(const LaunchDescription &launch, const Names &sizes,
          const CompiledState &lifted)
      : launch(launch), sizes(sizes), lifted(lifted) {}

  Error prepare(const llvm::Function &original) {
    size_t next = 0;
    if (original.arg_size() != launch.params.size())
      return createStringError("the original has another number of parameters");
    for (auto [index, param] : llvm::enumerate(launch.params)) {
      Argument argument{&param, {}, "", {}};
      const llvm::Type *type = original.getArg(index)->getType();
      bool inEntry = next < lifted.params.size() &&
                     (param.isBuffer ||
                      (!isExtent(param.name) && !lifted.params[next].isBuffer));
      entryIndex.push_back(inEntry ? int64_t(next) : -1);
      argument.type = inEntry ? lifted.params[next++].elementType
                      : type->isIntegerTy()
                          ? "i" + std::to_string(type->getIntegerBitWidth())
                          : "f32";
      if (param.isBuffer) {
        int64_t bytes = bytesOf(argument.type);
        for (const Extent &extent : param.shape) {
          auto value = extent.evaluate(sizes);
          if (!value)
            return value.takeError();
          argument.shape.push_back(*value);
          bytes *= *value;
        }
        argument.bytes.resize(bytes);
        fill(argument, 17 + index);
      } else {
        auto found = sizes.find(param.name);
        if (argument.type[0] == 'i' && found == sizes.end())
          return createStringError("no size is given for '" + param.name + "'");
        setScalar(argument, found == sizes.end() ? 0 : found->second);
      }
      arguments.push_back(std::move(argument));
    }
    for (const std::string &name : launch.freeNames({})) {
      auto found = sizes.find(name);
      if (found == sizes.end())
        return createStringError("no size is given for '" + name + "'");
      free.push_back(found->second);
    }
    if (next + free.size() != lifted.params.size())
      return createStringError("the entry has other arguments than the launch "
                               "description");
    return Error::success();
  }

  /// False if an extent that the lifted kernel has fixed is another here.
  bool fits() const {
    for (auto [index, argument] : llvm::enumerate(arguments)) {
      if (entryIndex[index] < 0 || !argument.param->isBuffer)
        continue;
      const std::vector<int64_t> &fixed =
          lifted.params[entryIndex[index]].shape;
      for (auto [dim, extent] : llvm::enumerate(argument.shape))
        if (!mlir::ShapedType::isDynamic(fixed[dim]) && fixed[dim] != extent)
          return false;
    }
    return true;
  }

  /// All buffers after a run, one after the other.
  Expected<std::vector<uint8_t>> runOriginal(simt::SimtRuntime &runtime) const {
    std::vector<void *> pointers;
    if (Error error = upload(runtime, pointers))
      return std::move(error);
    std::vector<void *> args;
    for (auto [pointer, argument] : llvm::zip(pointers, arguments))
      args.push_back(argument.param->isBuffer
                         ? static_cast<void *>(&pointer)
                         : const_cast<uint8_t *>(argument.bytes.data()));
    LaunchRequest request;
    request.kernel = launch.kernel;
    int64_t dims[7];
    for (int i = 0; i < 7; ++i) {
      const Extent &extent = i < 3   ? launch.grid[i]
                             : i < 6 ? launch.block[i - 3]
                                     : launch.shared;
      auto value = extent.evaluate(sizes);
      if (!value)
        return value.takeError();
      dims[i] = *value;
    }
    request.grid = {dims[0], dims[1], dims[2]};
    request.block = {dims[3], dims[4], dims[5]};
    request.dynamicSharedBytes = dims[6];
    request.args = args;
    if (Error error = runtime.launch(request))
      return std::move(error);
    return download(runtime, pointers);
  }

  Expected<std::vector<uint8_t>> runLifted(HostProgram &host,
                                           simt::SimtRuntime &runtime) const {
    std::vector<void *> pointers;
    if (Error error = upload(runtime, pointers))
      return std::move(error);
    std::vector<EntryArgument> entry(lifted.params.size());
    for (auto [index, argument] : llvm::enumerate(arguments)) {
      if (entryIndex[index] < 0)
        continue;
      EntryArgument &to = entry[entryIndex[index]];
      to.pointer = pointers[index];
      to.bytes = argument.bytes.size();
      to.shape = argument.shape;
      if (!argument.param->isBuffer)
        std::memcpy(&to.bits, argument.bytes.data(), 8);
    }
    for (auto [index, value] : llvm::enumerate(free))
      entry[entry.size() - free.size() + index].bits = value;
    if (Error error = host.run(runtime, entry))
      return std::move(error);
    return download(runtime, pointers);
  }

private:
  bool isExtent(llvm::StringRef name) const {
    for (const LaunchParam &param : launch.params)
      for (const Extent &extent : param.shape)
        if (extent.kind == Extent::name && extent.symbol == name)
          return true;
    return false;
  }

  Error upload(simt::SimtRuntime &runtime, std::vector<void *> &to) const {
    for (const Argument &argument : arguments) {
      to.push_back(nullptr);
      if (!argument.param->isBuffer)
        continue;
      auto pointer =
          runtime.allocate(argument.bytes.size(), argument.param->name);
      if (!pointer)
        return pointer.takeError();
      to.back() = *pointer;
      if (Error error = runtime.copyToDevice(*pointer, argument.bytes.data(),
                                             argument.bytes.size()))
        return error;
    }
    return Error::success();
  }

  Expected<std::vector<uint8_t>> download(simt::SimtRuntime &runtime,
                                          std::vector<void *> &pointers) const {
    std::vector<uint8_t> all;
    if (Error error = runtime.synchronize())
      return std::move(error);
    for (auto [pointer, argument] : llvm::zip(pointers, arguments)) {
      if (!argument.param->isBuffer)
        continue;
      size_t at = all.size();
      all.resize(at + argument.bytes.size());
      if (Error error = runtime.copyToHost(all.data() + at, pointer,
                                           argument.bytes.size()))
        return std::move(error);
      if (Error error = runtime.release(pointer))
        return std::move(error);
    }
    return all;
  }

  const LaunchDescription &launch;
  const Names &sizes;
  const CompiledState &lifted;
  std::vector<Argument> arguments;
  std::vector<int64_t> entryIndex;
  std::vector<int64_t> free; ///< last arguments of the entry
};

/// Everything that lives as long as the comparison.
struct Comparison {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> original;
  CompiledState lifted;
  std::unique_ptr<HostProgram> host;
};
} // namespace

static std::string describe(const simt::Finding &finding) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << finding;
  return text;
}

/// Both with one order. Returns false when the answer is known.
static Expected<bool> compareOrder(Comparison &state, LiftRun &run,
                                   simt::Order order, llvm::StringRef where,
                                   LiftComparison &result) {
  simt::Options options;
  options.mode = simt::Mode::checked;
  options.order = order;
  options.contract = false;
  auto original = simt::Program::create(*state.original, {}, options);
  if (!original)
    return createStringError("the original cannot be run: " +
                             llvm::toString(original.takeError()));
  auto lifted = simt::Program::create(*state.lifted.device,
                                      state.lifted.kernels, options);
  if (!lifted)
    return createStringError("the lifted state cannot be run: " +
                             llvm::toString(lifted.takeError()));
  simt::SimtRuntime originalRuntime(**original), liftedRuntime(**lifted);
  auto expected = run.runOriginal(originalRuntime);
  if (!expected)
    return createStringError("the original fails: " +
                             llvm::toString(expected.takeError()));
  auto found = run.runLifted(*state.host, liftedRuntime);
  ++result.runs;
  result.originalFindings += originalRuntime.findings().size();
  if (!found) {
    result.message = (where + ": " + llvm::toString(found.takeError())).str();
    return false;
  }
  if (liftedRuntime.findings().size() > originalRuntime.findings().size()) {
    result.message =
        (where + ": " + describe(liftedRuntime.findings().front())).str();
    return false;
  }
  result.bytes += expected->size();
  if (*expected == *found)
    return true;
  size_t at = 0;
  while ((*expected)[at] == (*found)[at])
    ++at;
  result.message = (where + ": byte " + llvm::Twine(at) + " of " +
                    llvm::Twine(expected->size()) + " differs")
                       .str();
  return false;
}

Expected<LiftComparison> klineage::compareLift(llvm::StringRef originalFile,
                                               mlir::ModuleOp module,
                                               const LaunchDescription &launch,
                                               const TargetInfo &target) {
  Comparison state;
  llvm::SMDiagnostic diagnostic;
  state.original = llvm::parseIRFile(originalFile, diagnostic, state.context);
  if (!state.original)
    return createStringError("cannot read '" + originalFile +
                             "': " + diagnostic.getMessage());
  llvm::Function *kernel = state.original->getFunction(launch.kernel);
  if (!kernel)
    return createStringError("'" + originalFile + "' has no kernel '" +
                             launch.kernel + "'");
  auto compiled = compileState(module, target);
  if (!compiled)
    return compiled.takeError();
  state.lifted = std::move(*compiled);
  auto host = HostProgram::create(state.lifted);
  if (!host)
    return host.takeError();
  state.host = std::move(*host);
  if (launch.sizes.empty())
    return createStringError("the launch description has no 'sizes'");
  LiftComparison result;
  for (const Names &sizes : launch.sizes) {
    LiftRun run(launch, sizes, state.lifted);
    if (Error error = run.prepare(*kernel))
      return std::move(error);
    if (!run.fits())
      continue;
    std::string where;
    for (auto &[name, value] : sizes)
      where += (where.empty() ? "" : " ") + name + "=" + std::to_string(value);
    for (simt::Order order :
         {simt::Order::forward, simt::Order::reverse, simt::Order::random}) {
      auto goOn = compareOrder(state, run, order, where, result);
      if (!goOn)
        return goOn.takeError();
      if (!*goOn)
        return result;
    }
  }
  if (result.runs == 0)
    return createStringError(
        "no set of 'sizes' has the extents that are fixed");
  result.equal = true;
  return result;
}
