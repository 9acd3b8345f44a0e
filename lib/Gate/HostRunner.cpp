//===- HostRunner.cpp - Running the entry of a compiled state
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/HostRunner.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/TargetSelect.h"

using namespace klineage;
using llvm::createStringError;
using llvm::Error;

namespace {
/// What host code reaches through its context pointer.
class Session {
public:
  Session(const CompiledState &compiled, DeviceRuntime &runtime)
      : compiled(compiled), runtime(runtime) {}
  ~Session() { llvm::consumeError(std::move(error)); }

  bool failed() { return bool(error); }
  void fail(Error next) {
    // The first error is the cause; later ones follow from it.
    if (error)
      llvm::consumeError(std::move(next));
    else
      error = std::move(next);
  }
  /// Gives the temporaries back and says what went wrong.
  Error finish() {
    for (void *temporary : temporaries)
      if (Error next = runtime.release(temporary))
        fail(std::move(next));
    temporaries.clear();
    return std::move(error);
  }

  const CompiledState &compiled;
  DeviceRuntime &runtime;
  std::vector<void *> temporaries;

private:
  Error error = Error::success();
};
} // namespace

static int64_t allocate(void *context, int64_t bytes) {
  auto *session = static_cast<Session *>(context);
  if (session->failed())
    return 0;
  std::string name = "temporary" + std::to_string(session->temporaries.size());
  auto pointer = session->runtime.allocate(bytes, name);
  if (!pointer) {
    session->fail(pointer.takeError());
    return 0;
  }
  session->temporaries.push_back(*pointer);
  return reinterpret_cast<int64_t>(*pointer);
}

static void launch(void *context, int64_t kernel, int64_t gx, int64_t gy,
                   int64_t gz, int64_t bx, int64_t by, int64_t bz,
                   int64_t shared, uint64_t *slots) {
  auto *session = static_cast<Session *>(context);
  if (session->failed())
    return;
  const KernelImage &image = session->compiled.kernels[kernel];
  std::vector<void *> args;
  for (size_t i = 0; i < image.params.size(); ++i)
    args.push_back(&slots[i]);
  LaunchRequest request;
  request.kernel = image.name;
  request.grid = {gx, gy, gz};
  request.block = {bx, by, bz};
  request.dynamicSharedBytes = shared + image.dynamicSharedBytes;
  request.args = args;
  if (Error error = session->runtime.launch(request))
    session->fail(std::move(error));
}

/// The part of the promises that a launch can check.
static Error checkContract(const CompiledState &compiled,
                           llvm::ArrayRef<EntryArgument> arguments) {
  if (arguments.size() != compiled.params.size())
    return createStringError(
        "the entry takes " + llvm::Twine(compiled.params.size()) +
        " arguments, got " + llvm::Twine(arguments.size()));
  for (size_t i = 0; i < arguments.size(); ++i) {
    const EntryParam &param = compiled.params[i];
    if (!param.isBuffer)
      continue;
    if (int64_t(arguments[i].shape.size()) != param.rank)
      return createStringError("argument " + llvm::Twine(i) + " has rank " +
                               llvm::Twine(arguments[i].shape.size()) +
                               ", expected " + llvm::Twine(param.rank));
    for (int64_t dim = 0; dim < param.rank; ++dim)
      if (!mlir::ShapedType::isDynamic(param.shape[dim]) &&
          param.shape[dim] != arguments[i].shape[dim])
        return createStringError("dimension " + llvm::Twine(dim) +
                                 " of argument " + llvm::Twine(i) + " is " +
                                 llvm::Twine(arguments[i].shape[dim]) +
                                 ", expected " + llvm::Twine(param.shape[dim]));
    if (reinterpret_cast<uintptr_t>(arguments[i].pointer) % param.alignment)
      return createStringError(
          "argument " + llvm::Twine(i) + " is not aligned to " +
          llvm::Twine(param.alignment) + " bytes, as the kernel was promised");
    for (size_t j = 0; param.noAlias && j < arguments.size(); ++j) {
      auto *a = static_cast<char *>(arguments[i].pointer);
      auto *b = static_cast<char *>(arguments[j].pointer);
      // What both have in common; an empty buffer has nothing in common.
      if (i != j && compiled.params[j].isBuffer &&
          std::max(a, b) <
              std::min(a + arguments[i].bytes, b + arguments[j].bytes))
        return createStringError("arguments " + llvm::Twine(i) + " and " +
                                 llvm::Twine(j) +
                                 " overlap, although the first is written");
    }
  }
  return Error::success();
}

static std::vector<uint64_t> packSlots(llvm::ArrayRef<EntryArgument> arguments,
                                       const CompiledState &compiled) {
  std::vector<uint64_t> slots;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!compiled.params[i].isBuffer) {
      slots.push_back(arguments[i].bits);
      continue;
    }
    slots.push_back(reinterpret_cast<uint64_t>(arguments[i].pointer));
    slots.insert(slots.end(), arguments[i].shape.begin(),
                 arguments[i].shape.end());
  }
  slots.push_back(0);
  return slots;
}

static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>>
compileHost(const llvm::Module &host) {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
  // The JIT owns its module and context; ours stays for later runs.
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::WriteBitcodeToFile(host, os);
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "host"), *context);
  if (!module)
    return module.takeError();
  auto jit = llvm::orc::LLJITBuilder()
                 .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                 .setLinkProcessSymbolsByDefault(false)
                 .create();
  if (!jit)
    return jit.takeError();
  (*module)->setDataLayout((*jit)->getDataLayout());
  (*module)->setTargetTriple((*jit)->getTargetTriple());
  llvm::orc::SymbolMap symbols;
  auto add = [&](const char *name, auto *function) {
    symbols[(*jit)->mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(function),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  add("klrt_alloc", allocate);
  add("klrt_launch", launch);
  if (Error error = (*jit)->getMainJITDylib().define(
          llvm::orc::absoluteSymbols(std::move(symbols))))
    return error;
  if (Error error = (*jit)->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(*module), std::move(context))))
    return error;
  return std::move(*jit);
}

struct HostProgram::Impl {
  const CompiledState &compiled;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  void (*entry)(void *, uint64_t *);
};

HostProgram::HostProgram(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
HostProgram::~HostProgram() = default;

llvm::Expected<std::unique_ptr<HostProgram>>
HostProgram::create(const CompiledState &compiled) {
  auto jit = compileHost(*compiled.host);
  if (!jit)
    return jit.takeError();
  auto entry = (*jit)->lookup("klentry");
  if (!entry)
    return entry.takeError();
  return std::unique_ptr<HostProgram>(new HostProgram(std::make_unique<Impl>(
      Impl{compiled, std::move(*jit),
           entry->toPtr<void (*)(void *, uint64_t *)>()})));
}

Error HostProgram::run(DeviceRuntime &runtime,
                       llvm::ArrayRef<EntryArgument> arguments) {
  if (Error error = checkContract(impl->compiled, arguments))
    return error;
  std::vector<uint64_t> slots = packSlots(arguments, impl->compiled);
  Session session(impl->compiled, runtime);
  impl->entry(&session, slots.data());
  if (!session.failed())
    session.fail(runtime.synchronize());
  return session.finish();
}

Error HostProgram::enqueue(DeviceRuntime &runtime,
                           llvm::ArrayRef<EntryArgument> arguments) {
  std::vector<uint64_t> slots = packSlots(arguments, impl->compiled);
  Session session(impl->compiled, runtime);
  impl->entry(&session, slots.data());
  return session.finish();
}
