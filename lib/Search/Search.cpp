//===- Search.cpp - From a kernel and skills to a lineage
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Search/Search.h"
#include "KLineage/Analysis/Traffic.h"
#include "KLineage/Search/KernelProofs.h"
#include "KLineage/State/State.h"
#include "KLineage/Support/Interrupt.h"
#include "llvm/Support/FormatVariadic.h"
#include <tuple>

using namespace mlir;
using namespace klineage;

Search::Search(LineageOp lineage, std::vector<Skill> &skills,
               const StepContext &context, SearchOptions options,
               const DialectRegistry &registry)
    : lineage(lineage), skills(skills), context(context),
      options(std::move(options)), registry(registry),
      begin(std::chrono::steady_clock::now()) {
  for (StateOp state : pathTo(lineage, lineage.getCurrent()))
    if (TransitionOp transition = lineage.getTransitionTo(state))
      for (auto step : transition.getSteps().getOps<StepOp>())
        path.push_back(fromOp(step));
}

llvm::Expected<std::string> Search::run() {
  while (options.budget > 0) {
    llvm::Expected<bool> advanced = advance();
    if (!advanced)
      return advanced.takeError();
    if (interrupted())
      return "interrupted";
    if (!*advanced && options.budget > 0)
      return "no further skill applies";
  }
  return "the budget is spent";
}

/// One accepted transition; false if there is none.
llvm::Expected<bool> Search::advance() {
  StateOp current = lineage.getCurrent();
  std::vector<Place> places = findPlaces(current);
  for (Place &place : places)
    estimate(current, place);
  llvm::sort(places, [](const Place &a, const Place &b) {
    return std::tie(a.cost, a.order) < std::tie(b.cost, b.order);
  });
  for (Place &place : places) {
    llvm::Expected<bool> accepted = tryPlace(current, place);
    if (!accepted || *accepted || options.budget <= 0 || interrupted())
      return accepted;
  }
  return false;
}

/// Where skills can be tried; refusals that need no rewrite are recorded.
std::vector<Search::Place> Search::findPlaces(StateOp current) {
  std::vector<Place> places;
  DictionaryAttr none = DictionaryAttr::get(lineage.getContext());
  ModuleOp state = current.getModule();
  for (Skill &skill : skills) {
    std::string missing = missingFeature(current, skill), why;
    SmallVector<int64_t> anchors = findAnchors(state, skill.op, context, &why);
    if (anchors.empty())
      unanchored.try_emplace(skill.name, why);
    else
      unanchored.erase(skill.name);
    for (int64_t anchor : anchors) {
      if (!missing.empty()) {
        refuse(current, skill, anchor, none, missing, {});
        continue;
      }
      SettingList list =
          enumerateSettings(state, skill.op, anchor, context.target);
      if (list.legal.empty())
        refuse(current, skill, anchor, none,
               "no legal knob setting: " + list.explanation, {});
      llvm::erase_if(list.legal, [&](DictionaryAttr knobs) {
        return wasTried(current, skill, anchor, knobs);
      });
      if (!list.legal.empty())
        places.push_back(
            {&skill, anchor, std::move(list.legal), 0, places.size()});
    }
  }
  return places;
}

/// Settings that clauses refuse are recorded on the way to the first that fits.
void Search::estimate(StateOp current, Place &place) {
  while (!place.settings.empty()) {
    OwningOpRef<ModuleOp> copy = current.getModule().clone();
    SkillOutcome outcome = runSkill(*copy, place.skill->op, place.anchor,
                                    place.settings.front(), context);
    if (!outcome.refusal) {
      place.cost = estimateTraffic(*lookupEntry(*copy)).cost();
      return;
    }
    refuse(current, *place.skill, place.anchor, place.settings.front(),
           outcome.refusal->message, outcome.refusal->clauses);
    place.settings.erase(place.settings.begin());
  }
}

static bool has(std::optional<ArrayAttr> list, StringRef name) {
  return list && llvm::any_of(list->getAsRange<StringAttr>(),
                              [&](StringAttr s) { return s == name; });
}

/// Why the features of a state rule a skill out; empty if they do not.
std::string Search::missingFeature(StateOp current, Skill &skill) {
  std::optional<ArrayAttr> features = current.getFeatures();
  for (auto name : skill.op.getNeeds().getAsRange<StringAttr>())
    if (!has(features, name))
      return llvm::formatv(
          "needs the feature '{0}', which no transition to @{1} "
          "provides",
          name.getValue(), current.getSymName());
  for (auto name : skill.op.getConflicts().getAsRange<StringAttr>())
    if (has(features, name))
      return llvm::formatv("conflicts with the feature '{0}' of @{1}",
                           name.getValue(), current.getSymName());
  return "";
}

/// Judges settings until one is accepted; on a GPU some more, for the fastest.
llvm::Expected<bool> Search::tryPlace(StateOp current, Place &place) {
  std::optional<Candidate> best;
  int64_t measured = 0;
  for (DictionaryAttr knobs : place.settings) {
    if (options.budget <= 0 || interrupted())
      break;
    auto candidate = attempt(current, place, knobs);
    if (!candidate)
      return candidate.takeError();
    if (!*candidate)
      continue;
    Candidate &now = **candidate;
    if (!best) {
      best = std::move(now);
    } else if (now.verdict.profile->candidateUs <
               best->verdict.profile->candidateUs) {
      setAside(current, *best, now);
      best = std::move(now);
    } else {
      setAside(current, now, *best);
    }
    if (!best->verdict.profile || ++measured >= options.settings)
      break;
  }
  if (!best)
    return false;
  accept(current, *best);
  if (options.checkpoint)
    if (llvm::Error error = options.checkpoint())
      return std::move(error);
  return true;
}

llvm::Expected<std::optional<Search::Candidate>>
Search::attempt(StateOp current, Place &place, DictionaryAttr knobs) {
  Candidate candidate{&place, knobs, current.getModule().clone(), {}, {}, {}};
  SkillOutcome outcome =
      runSkill(*candidate.state, place.skill->op, place.anchor, knobs, context);
  if (outcome.refusal) {
    refuse(current, *place.skill, place.anchor, knobs, outcome.refusal->message,
           outcome.refusal->clauses);
    return std::nullopt;
  }
  candidate.steps = std::move(outcome.steps);
  ModuleOp reference = lineage.getReference().getModule();
  candidate.kernels =
      flatten(proveKernels(*candidate.state, reference, context.target));
  if (std::string why = refutation(candidate.kernels); !why.empty()) {
    refuse(current, *place.skill, place.anchor, knobs, why, candidate.kernels);
    return std::nullopt;
  }
  std::vector<AppliedStep> all = path;
  all.insert(all.end(), candidate.steps.begin(), candidate.steps.end());
  candidate.verdict =
      judge(makeRequest(reference, current.getModule(), *candidate.state, all,
                        context, options.gate),
            registry);
  if (interrupted())
    return std::nullopt; // Its verdict says nothing about the candidate.
  --options.budget;
  report(*place.skill, knobs, candidate.verdict);
  if (candidate.verdict.kind == VerdictKind::accepted)
    return candidate;
  appendTrial(lineage, current, place.skill->name, place.anchor, knobs,
              toAttr(lineage.getContext(), candidate.verdict), {});
  if (options.checkpoint)
    if (llvm::Error error = options.checkpoint())
      return std::move(error);
  return std::nullopt;
}

void Search::accept(StateOp current, Candidate &candidate) {
  MLIRContext *ctx = lineage.getContext();
  std::vector<std::string> features;
  for (std::optional<ArrayAttr> list :
       {current.getFeatures(),
        std::optional<ArrayAttr>(candidate.place->skill->op.getProvides())})
    if (list)
      for (auto name : list->getAsRange<StringAttr>())
        if (!llvm::is_contained(features, name.getValue()))
          features.push_back(name.str());
  TransitionRecord record;
  record.before = current;
  record.after = appendState(lineage, *candidate.state, features);
  record.skill = candidate.place->skill->name;
  record.anchor = candidate.place->anchor;
  record.knobs = candidate.knobs;
  record.verdict = toAttr(ctx, candidate.verdict);
  record.certificate =
      certify(ctx, candidate.steps, candidate.kernels, candidate.verdict);
  record.evidence =
      evidenceOf(lineage, record.certificate.getLevel(), candidate.verdict);
  record.reversible = isReversible(*candidate.state, candidate.steps, context);
  candidate.steps.back().clauses.append(candidate.kernels);
  appendTransition(lineage, record, candidate.steps);
  path.insert(path.end(), candidate.steps.begin(), candidate.steps.end());
}

void Search::setAside(StateOp current, const Candidate &slower,
                      const Candidate &faster) {
  Verdict verdict = slower.verdict;
  verdict.kind = VerdictKind::slower;
  std::string knobs;
  llvm::raw_string_ostream(knobs) << faster.knobs;
  verdict.message = llvm::formatv("correct; {0:f2} us, {1:f2} us with {2}",
                                  verdict.profile->candidateUs,
                                  faster.verdict.profile->candidateUs, knobs);
  appendTrial(lineage, current, slower.place->skill->name, slower.place->anchor,
              slower.knobs, toAttr(lineage.getContext(), verdict), {});
}

bool Search::wasTried(StateOp state, const Skill &skill, int64_t anchor,
                      DictionaryAttr knobs) {
  return llvm::any_of(lineage.getBody().getOps<TrialOp>(), [&](TrialOp trial) {
    return trial.getBefore() == state.getSymName() &&
           trial.getSkill() == skill.name &&
           int64_t(trial.getAnchor()) == anchor && trial.getKnobs() == knobs;
  });
}

void Search::refuse(StateOp state, const Skill &skill, int64_t anchor,
                    DictionaryAttr knobs, std::string why,
                    ArrayRef<ClauseResult> clauses) {
  if (wasTried(state, skill, anchor, knobs))
    return;
  Verdict verdict;
  verdict.kind = VerdictKind::illegal;
  verdict.stage = "clauses";
  verdict.message = std::move(why);
  report(skill, knobs, verdict);
  SmallVector<ClauseResult> failing;
  for (const ClauseResult &clause : clauses)
    if (clause.truth != Truth::proved)
      failing.push_back(clause);
  appendTrial(lineage, state, skill.name, anchor, knobs,
              toAttr(lineage.getContext(), verdict), failing);
}

void Search::report(const Skill &skill, DictionaryAttr knobs,
                    const Verdict &verdict) {
  if (!options.progress)
    return;
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - begin;
  std::string line;
  llvm::raw_string_ostream(line)
      << llvm::formatv("[{0:f1} s] ", elapsed.count()) << skill.name << " "
      << knobs << ": " << stringifyVerdictKind(verdict.kind) << ": "
      << verdict.message << "; budget " << options.budget;
  options.progress(line);
}
