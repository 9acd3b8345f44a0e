//===- Subject.cpp - The state that a pass is about
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Subject.h"
#include "KLineage/Lineage/LineageEditor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace klineage;

FailureOr<Subject> klineage::selectSubject(ModuleOp module, StringRef state,
                                           StringRef chip) {
  Subject subject{module, module, nullptr};
  std::string chipName = chip.empty() ? "sm_90a" : chip.str();
  if (!module.getOps<LineageOp>().empty()) {
    FailureOr<LineageOp> lineage = lookupLineage(module);
    if (failed(lineage) || failed(checkHashes(*lineage)))
      return failure();
    FailureOr<StateOp> selected = selectState(*lineage, state);
    if (failed(selected))
      return failure();
    subject.state = selected->getModule();
    subject.reference = lineage->getReference().getModule();
    if (chip.empty())
      chipName = lineage->getTarget().getChip().str();
  }
  subject.target = lookupTarget(chipName);
  if (!subject.target)
    return module.emitError("unknown chip '")
           << chipName << "'; known are " << llvm::join(knownTargets(), ", ");
  return subject;
}

OwningOpRef<ModuleOp> klineage::readModule(Operation *op, StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    op->emitError("cannot read '")
        << path << "': " << buffer.getError().message();
    return {};
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, op->getContext());
}
