//===- VerdictJson.cpp - Verdicts on their way out of the child
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/Gate.h"
#include <nlohmann/json.hpp>

using namespace klineage;

static nlohmann::json profileToJson(const Profile &profile) {
  nlohmann::json document;
  forEachField(profile,
               [&](const char *name, auto &value) { document[name] = value; });
  return document;
}

/// Throws on values of another type; the caller catches.
static Profile profileFromJson(const nlohmann::json &document) {
  Profile profile;
  forEachField(profile, [&](const char *name, auto &value) {
    document.at(name).get_to(value);
  });
  return profile;
}

std::string klineage::toJson(const Verdict &verdict) {
  nlohmann::json document;
  document["kind"] = stringifyVerdictKind(verdict.kind).str();
  document["stage"] = verdict.stage;
  document["message"] = verdict.message;
  document["details"] = verdict.details;
  document["max_error"] = verdict.maxError;
  document["tolerance"] = verdict.tolerance;
  document["runs"] = verdict.runs;
  document["self_checks"] = verdict.selfChecks;
  document["domain"] = verdict.domain;
  document["resources"] = verdict.resources;
  document["counts"] = verdict.counts;
  if (verdict.profile)
    document["profile"] = profileToJson(*verdict.profile);
  // Text of a broken kernel may hold anything.
  return document.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

llvm::Expected<Verdict> klineage::verdictFromJson(llvm::StringRef text) {
  auto document = nlohmann::json::parse(text.begin(), text.end(), nullptr,
                                        /*allow_exceptions=*/false);
  if (!document.is_object())
    return llvm::createStringError("the verdict is no JSON object");
  Verdict verdict;
  auto string = [&](const char *key) {
    auto it = document.find(key);
    return it != document.end() && it->is_string() ? it->get<std::string>()
                                                   : "";
  };
  auto kind = symbolizeVerdictKind(string("kind"));
  if (!kind)
    return llvm::createStringError("the verdict has no known kind");
  verdict.kind = *kind;
  verdict.stage = string("stage");
  verdict.message = string("message");
  try {
    verdict.details = document.value("details", verdict.details);
    verdict.maxError = document.value("max_error", 0.0);
    verdict.tolerance = document.value("tolerance", 0.0);
    verdict.runs = document.value("runs", int64_t(0));
    verdict.selfChecks = document.value("self_checks", int64_t(0));
    verdict.domain = document.value("domain", verdict.domain);
    verdict.resources = document.value("resources", verdict.resources);
    verdict.counts = document.value("counts", verdict.counts);
    if (document.contains("profile"))
      verdict.profile = profileFromJson(document["profile"]);
  } catch (const nlohmann::json::exception &error) {
    return llvm::createStringError(error.what());
  }
  return verdict;
}
