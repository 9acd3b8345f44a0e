//===- SkillLibrary.h - Skills as files
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LINEAGE_SKILLLIBRARY_H
#define KLINEAGE_LINEAGE_SKILLLIBRARY_H

#include "KLineage/Dialect/KLineage/KLineage.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace klineage {

/// One skill with the module that owns it.
struct Skill {
  std::string name;
  std::string directory;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  SkillOp op;
};

/// Loads every skill of `directory`: each sub-folder holds `skill.mlir`,
/// `accept.mlir`, `refuse.mlir` and `README.md`. `directory` may also be the
/// folder of one skill. Skills are sorted by name. Errors name the file or the
/// missing part; diagnostics of the parser go to the context as usual.
llvm::Expected<std::vector<Skill>> loadSkills(llvm::StringRef directory,
                                              mlir::MLIRContext *context);

} // namespace klineage

#endif // KLINEAGE_LINEAGE_SKILLLIBRARY_H
