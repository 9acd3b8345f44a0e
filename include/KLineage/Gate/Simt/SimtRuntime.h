//===- SimtRuntime.h - Running NVVM LLVM IR on the CPU
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_GATE_SIMT_SIMTRUNTIME_H
#define KLINEAGE_GATE_SIMT_SIMTRUNTIME_H

#include "KLineage/Codegen/KernelImage.h"
#include "KLineage/Gate/Executor.h"
#include "KLineage/Gate/Simt/Findings.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class Module;
} // namespace llvm

namespace klineage::simt {

/// `fast` runs blocks on all cores without checks. `checked` runs on one OS
/// thread and looks at each access. Both give the same values for a kernel
/// without findings.
enum class Mode { fast, checked };

/// In which order blocks, and the threads of a block, get their turns.
enum class Order { forward, reverse, random };

struct Options {
  Mode mode = Mode::fast;
  Order order = Order::forward;
  uint64_t seed = 1;         ///< of Order::random
  unsigned osThreads = 0;    ///< 0: all cores; checked mode uses one
  int64_t maxFindings = 100; ///< distinct ones kept; the rest is dropped
  /// Of each GPU thread: private memory and calls. Grows where the program has
  /// more private memory than that.
  int64_t stackBytes = 64 * 1024;
  /// Bytes that private memory holds before the kernel writes it: NaN in every
  /// float type, if nothing else is said.
  uint8_t privatePoison = 0xFF;
  int64_t sharedLimitBytes = 227 * 1024; ///< static + dynamic, of one block
  /// Products and sums become one operation where the NVPTX backend makes one.
  /// Without, each is rounded, whatever the flags allow: for comparisons to the
  /// bit of two forms of one kernel.
  bool contract = true;
  int64_t countedBlocks = 2; ///< blocks whose warp accesses are counted
};

/// The module has something that the executor does not model. The gate turns
/// it into the verdict `unsupported`; nothing was run.
class UnsupportedError : public llvm::ErrorInfo<UnsupportedError> {
public:
  static char ID;
  UnsupportedError(std::string what, std::string location)
      : what(std::move(what)), location(std::move(location)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
  /// The intrinsic, function or asm text.
  llvm::StringRef getWhat() const { return what; }
  /// "file:line:col" or the IR instruction.
  llvm::StringRef getLocation() const { return location; }

private:
  std::string what, location;
};

/// This machine has no memory for what the kernel asks for.
class MemoryError : public llvm::ErrorInfo<MemoryError> {
public:
  static char ID;
  explicit MemoryError(std::string text) : text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string text;
};

/// A device module made executable on this CPU. Immutable after creation and
/// usable by several runtimes one after the other (not concurrently).
class Program {
public:
  /// Clones `deviceModule` (NVVM-flavoured LLVM IR; it stays as it is), checks
  /// that all of it is understood, and compiles it. Fails with
  /// UnsupportedError, or with a plain error on invalid IR. `images` may be
  /// empty; the launch facts that it has (parameter sizes, block sizes,
  /// alignment) are checked.
  static llvm::Expected<std::unique_ptr<Program>>
  create(const llvm::Module &deviceModule, llvm::ArrayRef<KernelImage> images,
         const Options &options);
  ~Program();

  /// Names of the kernels, in the module's order.
  std::vector<std::string> kernelNames() const;

  struct Impl;
  Impl &impl() const { return *pimpl; }

private:
  explicit Program(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> pimpl;
};

/// DeviceRuntime over one Program. Device memory is host memory with guard
/// bands, filled with a poison pattern (0xCB bytes) on allocation. In checked
/// mode an access outside its buffer is reported and redirected to a dump
/// area, so the run goes on. In fast mode a broken guard band is an error of
/// release() and of synchronize(). A deadlock ends the launch with an error in
/// both modes, after its finding was recorded.
class SimtRuntime : public DeviceRuntime {
public:
  /// `program` must outlive the runtime.
  explicit SimtRuntime(Program &program);
  ~SimtRuntime() override;

  llvm::Expected<void *> allocate(int64_t bytes, llvm::StringRef name) override;
  llvm::Error release(void *pointer) override;
  llvm::Error copyToDevice(void *dst, const void *src, int64_t bytes) override;
  llvm::Error copyToHost(void *dst, const void *src, int64_t bytes) override;
  llvm::Error launch(const LaunchRequest &request) override;
  llvm::Error synchronize() override;

  /// Distinct faults so far, in the order of their first occurrence.
  const std::vector<Finding> &findings() const;
  /// One entry per kernel that was launched; empty in fast mode.
  std::vector<Counts> counts() const;

private:
  struct Impl;
  std::unique_ptr<Impl> pimpl;
};

} // namespace klineage::simt

#endif // KLINEAGE_GATE_SIMT_SIMTRUNTIME_H
