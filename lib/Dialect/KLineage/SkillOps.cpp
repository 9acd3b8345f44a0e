//===- SkillOps.cpp - Verifiers of skills
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Dialect/KLineage/Constraint.h"
#include "KLineage/Dialect/KLineage/KLineage.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace klineage;

static Operation *lookup(SkillOp skill, StringRef name) {
  return mlir::SymbolTable::lookupSymbolIn(
      skill.getOperation(), StringAttr::get(skill.getContext(), name));
}

/// (K1) the named sequences that every skill has. Looked up by name and by the
/// function interface, so that this dialect does not depend on transform.
static LogicalResult verifySequence(SkillOp skill, StringRef name,
                                    unsigned arguments, bool required) {
  Operation *op = lookup(skill, name);
  if (!op)
    return required ? skill.emitOpError("(K1) has no named sequence @") << name
                    : success();
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || function.getNumArguments() != arguments ||
      function.isExternal())
    return op->emitOpError("(K1) of a skill takes ")
           << arguments << (arguments == 1 ? " handle" : " handles")
           << " and has a body";
  return success();
}

/// (K2) symbol references inside an attribute.
static LogicalResult verifyKnobUses(SkillOp skill) {
  WalkResult result = skill.walk([&](Operation *op) {
    if (!op->getName().getStringRef().starts_with("transform.klineage."))
      return WalkResult::advance();
    for (NamedAttribute attr : op->getAttrs()) {
      WalkResult inner = attr.getValue().walk([&](FlatSymbolRefAttr ref) {
        if (isa_and_nonnull<KnobOp>(lookup(skill, ref.getValue())))
          return WalkResult::advance();
        op->emitOpError("(K2) refers to @")
            << ref.getValue() << ", which is no knob of skill @"
            << skill.getSymName();
        return WalkResult::interrupt();
      });
      if (inner.wasInterrupted())
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult SkillOp::verify() {
  if (failed(verifySequence(*this, "anchor", 1, /*required=*/true)) ||
      failed(verifySequence(*this, "requires", 1, /*required=*/false)) ||
      failed(verifySequence(*this, "steps", 2, /*required=*/true)) ||
      failed(verifyKnobUses(*this)))
    return failure();
  for (auto constraint : getBody().getOps<ConstraintOp>()) {
    auto names = constraintNames(constraint.getCondition());
    if (!names)
      return constraint.emitOpError("(K3) ")
             << llvm::toString(names.takeError());
    for (StringRef name : *names)
      if (!isConstraintFact(name) &&
          !isa_and_nonnull<KnobOp>(lookup(*this, name)))
        return constraint.emitOpError("(K3) mentions '")
               << name << "', which is neither a knob nor a fact";
  }
  return success();
}

LogicalResult KnobOp::verify() {
  if (getDomain().empty())
    return emitOpError("(K4) has an empty domain");
  llvm::SmallSet<int64_t, 8> seen;
  for (int64_t value : getDomain())
    if (!seen.insert(value).second)
      return emitOpError("(K4) lists ") << value << " twice";
  return success();
}

LogicalResult ConstraintOp::verify() {
  auto names = constraintNames(getCondition());
  if (!names)
    return emitOpError("(K3) ") << llvm::toString(names.takeError());
  return success();
}
