//===- Lowering.h - From text to a device module, for tests
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_UNITTESTS_SIMT_LOWERING_H
#define KLINEAGE_UNITTESTS_SIMT_LOWERING_H

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace klineage::simt::test {

/// A gpu.module in MLIR text, lowered as for a GPU.
llvm::Expected<std::unique_ptr<llvm::Module>>
lowerMlir(llvm::StringRef text, llvm::LLVMContext &context);

/// A device module in LLVM IR text.
llvm::Expected<std::unique_ptr<llvm::Module>>
parseIr(llvm::StringRef text, llvm::LLVMContext &context);

/// The PTX that the NVPTX backend makes of `module`, for sm_80.
llvm::Expected<std::string> emitPtx(const llvm::Module &module);

} // namespace klineage::simt::test

#endif // KLINEAGE_UNITTESTS_SIMT_LOWERING_H
