//===- Codegen.h - From states to kernels, LLVM IR and PTX
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_CODEGEN_CODEGEN_H
#define KLINEAGE_CODEGEN_CODEGEN_H

#include "KLineage/Codegen/KernelImage.h"
#include "KLineage/Support/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace klineage {

//===----------------------------------------------------------------------===//
// Stage A: kernels in MLIR
//===----------------------------------------------------------------------===//

/// Turns the SIMT, block-program and host forms of a state into `gpu.func`
/// kernels and host code that launches them, in place. Hand-written kernels get
/// the same parameter convention: bare pointers, then sizes and scalars.
/// Emits one error on failure.
mlir::LogicalResult buildKernels(mlir::ModuleOp state,
                                 const TargetInfo &target);

//===----------------------------------------------------------------------===//
// Stage B: LLVM IR
//===----------------------------------------------------------------------===//

/// One argument of the entry, as `HostProgram` takes it.
struct EntryParam {
  bool isBuffer = false;
  int64_t rank = 0;           ///< of a buffer
  std::vector<int64_t> shape; ///< kDynamic where not static
  int64_t elementBits = 0;    ///< of a buffer's element or of the scalar
  std::string elementType;    ///< "f32", "bf16", "i8", "index", ...
  int64_t alignment = 1;      ///< promised, checked at launch
  bool noAlias = false;       ///< promised, checked at launch
  bool written = false;       ///< some kernel may write it
};

/// A compiled state: device code for all kernels in one module, host code of
/// the entry, and facts of both. Owns its LLVM context.
struct CompiledState {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> device; ///< NVVM IR
  std::unique_ptr<llvm::Module> host;   ///< `klentry(ctx, slots)`, calls klrt_*
  std::vector<KernelImage> kernels;
  std::vector<EntryParam> params;
};

/// Compiles a copy of `state`; `state` itself is not changed. Diagnostics of
/// MLIR go to the context's handler, the returned error names the stage.
llvm::Expected<CompiledState> compileState(mlir::ModuleOp state,
                                           const TargetInfo &target);

//===----------------------------------------------------------------------===//
// PTX and beyond
//===----------------------------------------------------------------------===//

/// Finds CUDA's libdevice: `hint`, then KLINEAGE_LIBDEVICE, CUDA_HOME,
/// CUDA_PATH, /usr/local/cuda. Empty if there is none.
std::string findLibdevice(llvm::StringRef hint = "");

/// PTX of all kernels, after LLVM's O3 pipeline, by the NVPTX target in this
/// process. Fails if a libdevice function stays unresolved (names it).
llvm::Expected<std::string> emitPTX(const llvm::Module &device,
                                    const TargetInfo &target);

/// Optimized LLVM IR of the device module, as text.
llvm::Expected<std::string> emitDeviceIR(const llvm::Module &device,
                                         const TargetInfo &target);

/// Path of ptxas (KLINEAGE_PTXAS, PATH, CUDA_HOME, /usr/local/cuda), or empty.
std::string findPtxas();

struct PtxasResult {
  std::map<std::string, KernelResources> kernels;
  std::string cubin; ///< bytes of the object file
};
/// The assembler itself is at fault: it is missing, does not start, crashes, or
/// is too old for the PTX version or the chip. Any other error is a refusal of
/// the PTX.
class AssemblerError : public llvm::ErrorInfo<AssemblerError> {
public:
  static char ID;
  explicit AssemblerError(std::string text, bool noMemory = false)
      : text(std::move(text)), noMemory(noMemory) {}
  /// It did not start because this process may have no more memory.
  bool lacksMemory() const { return noMemory; }
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string text;
  bool noMemory;
};

/// Assembles PTX. Errors carry the assembler's own text; a missing ptxas is the
/// error text "ptxas not found: ...".
llvm::Expected<PtxasResult> runPtxas(llvm::StringRef ptx,
                                     const TargetInfo &target);

/// Counts of instructions a kernel has in its PTX: "ld.global", "ld.global.v4",
/// "ld.shared.v4", "st.global.v2", "bar", "shfl", "fma", "cp.async",
/// "ldmatrix", "mma", "ex2.approx", "local", "vector_access", ...
using PtxFacts = std::map<std::string, int64_t>;
std::map<std::string, PtxFacts> parsePtx(llvm::StringRef ptx);

/// Launch facts of all kernels as a JSON document.
std::string launchMetadata(const CompiledState &compiled,
                           const TargetInfo &target);

} // namespace klineage

#endif // KLINEAGE_CODEGEN_CODEGEN_H
