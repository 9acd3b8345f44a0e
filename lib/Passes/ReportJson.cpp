//===- ReportJson.cpp - A lineage as JSON
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportJson.h"
#include "KLineage/Analysis/Traffic.h"
#include "KLineage/State/State.h"
#include <nlohmann/json.hpp>

using namespace mlir;
using namespace klineage;
using Json = nlohmann::ordered_json;

/// Attributes that have a JSON form keep it; all others are their MLIR text.
static Json toJson(Attribute attr) {
  if (auto text = dyn_cast<StringAttr>(attr))
    return text.str();
  if (auto flag = dyn_cast<BoolAttr>(attr))
    return flag.getValue();
  if (auto number = dyn_cast<IntegerAttr>(attr);
      number && number.getValue().isSignedIntN(64))
    return number.getValue().getSExtValue();
  if (auto number = dyn_cast<FloatAttr>(attr);
      number && number.getValue().isFinite())
    return number.getValueAsDouble();
  Json list = Json::array();
  if (auto array = dyn_cast<ArrayAttr>(attr)) {
    for (Attribute element : array)
      list.push_back(toJson(element));
    return list;
  }
  if (auto dictionary = dyn_cast<DictionaryAttr>(attr)) {
    Json object = Json::object();
    for (NamedAttribute entry : dictionary)
      object[entry.getName().str()] = toJson(entry.getValue());
    return object;
  }
  std::string text;
  llvm::raw_string_ostream(text) << attr;
  return text;
}

static Json clausesToJson(ArrayAttr clauses) {
  Json list = Json::array();
  for (auto clause : clauses.getAsRange<ClauseAttr>())
    list.push_back({{"name", clause.getName()},
                    {"class", stringifyClauseClass(clause.getClauseClass())},
                    {"truth", stringifyTruth(clause.getTruth())},
                    {"expected", clause.getExpected()},
                    {"found", clause.getFound()},
                    {"nearest_legal", clause.getNearest()},
                    {"engine", clause.getEngine()},
                    {"assuming", toJson(clause.getAssumptions())}});
  return list;
}

static Json verdictToJson(VerdictAttr verdict) {
  return {{"kind", stringifyVerdictKind(verdict.getKind())},
          {"stage", verdict.getStage()},
          {"message", verdict.getMessage()},
          {"details", toJson(verdict.getDetails())}};
}

static Json stateToJson(StateOp state) {
  Json json = {{"name", state.getSymName()},
               {"sha256", state.getSha256()},
               {"features", Json::array()}};
  if (std::optional<ArrayAttr> features = state.getFeatures())
    json["features"] = toJson(*features);
  FailureOr<func::FuncOp> entry = lookupEntry(state.getModule());
  if (succeeded(entry)) {
    Traffic traffic = estimateTraffic(*entry);
    json["estimate"] = {{"launches", traffic.launches},
                        {"bytes", traffic.bytes}};
  }
  return json;
}

static Json stepToJson(StepOp step) {
  return {{"kind", step.getKind()},
          {"params", toJson(step.getParams())},
          {"numerics", stringifyNumerics(step.getNumerics())},
          {"guarded", step.getGuarded()},
          {"before", step.getBefore()},
          {"after", step.getAfter()},
          {"clauses", clausesToJson(step.getClauses())}};
}

static Json transitionToJson(TransitionOp transition) {
  CertificateAttr certificate = transition.getCertificate();
  Json json = {{"name", transition.getSymName()},
               {"before", transition.getBefore()},
               {"after", transition.getAfter()},
               {"skill", transition.getSkill()},
               {"knobs", toJson(transition.getKnobs())},
               {"numerics", stringifyNumerics(transition.getNumerics())},
               {"certificate",
                {{"level", stringifyCertificateLevel(certificate.getLevel())},
                 {"domain", toJson(certificate.getDomain())}}},
               {"reversible", transition.getReversible()},
               {"verdict", verdictToJson(transition.getVerdict())},
               {"steps", Json::array()}};
  if (std::optional<EvidenceAttr> evidence = transition.getEvidence())
    json["evidence"] = {{"chip", evidence->getChip()},
                        {"subject", evidence->getSubject()},
                        {"before_us", evidence->getBefore().getValueAsDouble()},
                        {"after_us", evidence->getAfter().getValueAsDouble()},
                        {"toolchain", evidence->getToolchain()}};
  for (auto step : transition.getSteps().getOps<StepOp>())
    json["steps"].push_back(stepToJson(step));
  return json;
}

std::string klineage::lineageToJson(LineageOp lineage) {
  Json json = {{"lineage", lineage.getSymName()},
               {"chip", lineage.getTarget().getChip()},
               {"ended", nullptr},
               {"states", Json::array()},
               {"transitions", Json::array()},
               {"trials", Json::array()}};
  if (auto ended = lineage->getAttrOfType<StringAttr>("klineage.ended"))
    json["ended"] = ended.getValue();
  for (Operation &op : lineage.getBody().front()) {
    if (auto state = dyn_cast<StateOp>(op))
      json["states"].push_back(stateToJson(state));
    else if (auto transition = dyn_cast<TransitionOp>(op))
      json["transitions"].push_back(transitionToJson(transition));
    else if (auto trial = dyn_cast<TrialOp>(op))
      json["trials"].push_back(
          {{"before", trial.getBefore()},
           {"skill", trial.getSkill()},
           {"knobs", toJson(trial.getKnobs())},
           {"verdict", verdictToJson(trial.getVerdict())},
           {"clauses", clausesToJson(trial.getClauses())}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}
