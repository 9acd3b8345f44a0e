//===- Search.h - From a kernel and skills to a lineage
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_SEARCH_SEARCH_H
#define KLINEAGE_SEARCH_SEARCH_H

#include "KLineage/Lineage/LineageEditor.h"
#include "KLineage/Lineage/SkillLibrary.h"
#include "KLineage/Lineage/SkillRunner.h"
#include "KLineage/Search/GateCases.h"
#include "llvm/ADT/MapVector.h"
#include <chrono>
#include <functional>

namespace klineage {

struct SearchOptions {
  int64_t budget = 10; ///< judgements at the most
  /// Knob settings of one skill and anchor that a GPU compares; without a GPU
  /// the first accepted one is taken.
  int64_t settings = 1;
  GateOptions gate;
  /// Gets a line, without its end, for each judgement and each refusal.
  std::function<void(llvm::StringRef)> progress;
  /// Called after each judgement, with all of it recorded. An error ends the
  /// search.
  std::function<llvm::Error()> checkpoint;
};

/// Extends a lineage from its current state. In each round the first legal
/// setting of each skill at each anchor is applied to a copy; estimated traffic
/// (Analysis/Traffic.h), then the order of the skills, say what the gate judges
/// first. One accepted candidate a round. Refusals and failures are recorded as
/// trials, and nothing that was recorded is tried again.
class Search {
public:
  Search(LineageOp lineage, std::vector<Skill> &skills,
         const StepContext &context, SearchOptions options,
         const mlir::DialectRegistry &registry);

  /// Why the search ended: one line.
  llvm::Expected<std::string> run();

  /// Skills that found no anchor in any state of this run, and why.
  const llvm::MapVector<llvm::StringRef, std::string> &getUnanchored() const {
    return unanchored;
  }

private:
  /// One skill at one anchor.
  struct Place {
    Skill *skill;
    int64_t anchor;
    llvm::SmallVector<mlir::DictionaryAttr> settings; ///< untried, in order
    double cost;  ///< of the state that the first setting makes
    size_t order; ///< as the skills and anchors come
  };
  /// A judged state that may become the next one.
  struct Candidate {
    Place *place;
    mlir::DictionaryAttr knobs;
    mlir::OwningOpRef<mlir::ModuleOp> state;
    std::vector<AppliedStep> steps;
    llvm::SmallVector<ClauseResult> kernels; ///< clauses of its kernels
    Verdict verdict;
  };

  llvm::Expected<bool> advance();
  std::vector<Place> findPlaces(StateOp current);
  void estimate(StateOp current, Place &place);
  std::string missingFeature(StateOp current, Skill &skill);
  llvm::Expected<bool> tryPlace(StateOp current, Place &place);
  llvm::Expected<std::optional<Candidate>>
  attempt(StateOp current, Place &place, mlir::DictionaryAttr knobs);
  void accept(StateOp current, Candidate &candidate);
  void setAside(StateOp current, const Candidate &slower,
                const Candidate &faster);
  bool wasTried(StateOp state, const Skill &skill, int64_t anchor,
                mlir::DictionaryAttr knobs);
  void refuse(StateOp state, const Skill &skill, int64_t anchor,
              mlir::DictionaryAttr knobs, std::string why,
              llvm::ArrayRef<ClauseResult> clauses);
  void report(const Skill &skill, mlir::DictionaryAttr knobs,
              const Verdict &verdict);

  LineageOp lineage;
  std::vector<Skill> &skills;
  const StepContext &context;
  SearchOptions options;
  const mlir::DialectRegistry &registry;
  std::vector<AppliedStep> path;
  llvm::MapVector<llvm::StringRef, std::string> unanchored;
  std::chrono::steady_clock::time_point begin;
};

} // namespace klineage

#endif // KLINEAGE_SEARCH_SEARCH_H
