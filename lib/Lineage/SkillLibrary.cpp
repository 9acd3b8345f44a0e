//===- SkillLibrary.cpp - Skills as files
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Lineage/SkillLibrary.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace klineage;

static std::string join(StringRef directory, StringRef name) {
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, name);
  return std::string(path);
}

static llvm::Expected<Skill> loadSkill(StringRef directory,
                                       MLIRContext *context) {
  for (StringRef part :
       {"skill.mlir", "accept.mlir", "refuse.mlir", "README.md"})
    if (!llvm::sys::fs::exists(join(directory, part)))
      return llvm::createStringError("skill folder '" + directory +
                                     "' has no " + part);
  std::string file = join(directory, "skill.mlir");
  Skill skill;
  skill.directory = directory.str();
  skill.module = parseSourceFile<ModuleOp>(file, context);
  if (!skill.module)
    return llvm::createStringError("cannot read the skill in '" + file + "'");
  auto skills = skill.module->getOps<SkillOp>();
  if (!llvm::hasSingleElement(skills))
    return llvm::createStringError(
        "'" + file + "' does not hold exactly one klineage.skill");
  skill.op = *skills.begin();
  skill.name = skill.op.getSymName().str();
  if (skill.name != llvm::sys::path::filename(directory))
    return llvm::createStringError("skill @" + skill.name + " is in folder '" +
                                   directory + "'; both names must agree");
  return skill;
}

llvm::Expected<std::vector<Skill>> klineage::loadSkills(StringRef directory,
                                                        MLIRContext *context) {
  if (!llvm::sys::fs::is_directory(directory))
    return llvm::createStringError("no skill folder '" + directory + "'");
  std::vector<std::string> folders;
  if (llvm::sys::fs::exists(join(directory, "skill.mlir"))) {
    folders.push_back(directory.str());
  } else {
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(directory, error), end;
         it != end && !error; it.increment(error))
      if (llvm::sys::fs::is_directory(it->path()))
        folders.push_back(it->path());
    if (error)
      return llvm::createStringError("cannot list '" + directory +
                                     "': " + error.message());
  }
  llvm::sort(folders);
  std::vector<Skill> skills;
  for (StringRef folder : folders) {
    llvm::Expected<Skill> skill =
        loadSkill(StringRef(folder).rtrim('/'), context);
    if (!skill)
      return skill.takeError();
    skills.push_back(std::move(*skill));
  }
  if (skills.empty())
    return llvm::createStringError("no skill in '" + directory + "'");
  return skills;
}
