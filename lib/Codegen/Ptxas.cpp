//===- Ptxas.cpp - The external assembler, where there is one
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Codegen/Codegen.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstring>

using namespace llvm;

std::string klineage::findPtxas() {
  if (const char *file = std::getenv("KLINEAGE_PTXAS"))
    return sys::fs::can_execute(file) ? file
                                      : ""; // An explicit choice is final.
  if (auto found = sys::findProgramByName("ptxas"))
    return *found;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *root = std::getenv(variable)) {
      std::string candidate = std::string(root) + "/bin/ptxas";
      if (sys::fs::can_execute(candidate))
        return candidate;
    }
  std::string usual = "/usr/local/cuda/bin/ptxas";
  return sys::fs::can_execute(usual) ? usual : "";
}

namespace {
struct TemporaryFile {
  SmallString<128> path;
  ~TemporaryFile() {
    if (!path.empty())
      (void)sys::fs::remove(path);
  }
  Error create(StringRef suffix, StringRef text) {
    int descriptor;
    if (std::error_code error =
            sys::fs::createTemporaryFile("klineage", suffix, descriptor, path))
      return createStringError(error, "cannot create a temporary file");
    raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << text;
    os.close();
    if (os.has_error()) {
      std::error_code error = os.error();
      os.clear_error();
      return createStringError(error, "cannot write '" + path + "'");
    }
    return Error::success();
  }
};
} // namespace

static int64_t numberBefore(StringRef line, StringRef unit) {
  SmallVector<StringRef> match;
  if (!Regex("([0-9]+) " + unit.str()).match(line, &match))
    return 0;
  int64_t value = 0;
  (void)match[1].getAsInteger(10, value);
  return value;
}

/// Reads the report of `ptxas -v`: one block of lines a function.
static void parseReport(StringRef report, klineage::PtxasResult &result) {
  SmallVector<StringRef> lines;
  report.split(lines, '\n');
  klineage::KernelResources *current = nullptr;
  for (StringRef line : lines) {
    SmallVector<StringRef> match;
    if (Regex("Function properties for ([^ ]+)").match(line, &match) ||
        Regex("Compiling entry function '([^']+)'").match(line, &match)) {
      current = &result.kernels[match[1].str()];
      current->known = true;
    } else if (current && line.contains("bytes stack frame")) {
      current->stackBytes = numberBefore(line, "bytes stack frame");
      current->spillStores = numberBefore(line, "bytes spill stores");
      current->spillLoads = numberBefore(line, "bytes spill loads");
    } else if (current && line.contains("Used ")) {
      current->registers = numberBefore(line, "registers");
      current->sharedBytes = numberBefore(line, "bytes smem");
    }
  }
}

char klineage::AssemblerError::ID;

/// Whether the report is about the PTX: "ptxas x.ptx, line 7; error : ..." or
/// "ptxas fatal : ...", but not about a version or chip that is too new.
static bool isRefusal(StringRef report) {
  if (report.contains("Unsupported .version") ||
      report.contains("is not defined for option 'gpu-name'"))
    return false;
  return report.contains("ptxas") &&
         (report.contains("error") || report.contains("fatal"));
}

Expected<klineage::PtxasResult> klineage::runPtxas(StringRef ptx,
                                                   const TargetInfo &target) {
  std::string program = findPtxas();
  if (program.empty())
    return make_error<AssemblerError>(
        "ptxas not found: install the CUDA toolkit or set KLINEAGE_PTXAS");
  TemporaryFile input, output, log;
  for (auto [file, suffix, text] : {std::tuple{&input, "ptx", ptx},
                                    {&output, "cubin", StringRef()},
                                    {&log, "log", StringRef()}})
    if (Error error = file->create(suffix, text))
      return error;
  std::string arch = ("-arch=" + target.chip).str();
  SmallVector<StringRef> arguments{program, "-v",        arch,
                                   "-o",    output.path, input.path};
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log.path),
                                          StringRef(log.path)};
  std::string message;
  int code =
      sys::ExecuteAndWait(program, arguments, std::nullopt, redirects,
                          /*SecondsToWait=*/120, /*MemoryLimit=*/0, &message);
  auto report = MemoryBuffer::getFile(log.path);
  StringRef text = report ? (*report)->getBuffer() : StringRef();
  if (code != 0) {
    std::string why =
        "ptxas failed: " + (message.empty() ? text.str() : message);
    if (code < 0 || !isRefusal(text))
      return make_error<AssemblerError>(
          why, StringRef(message).contains(std::strerror(ENOMEM)));
    return createStringError(why);
  }
  PtxasResult result;
  parseReport(text, result);
  auto cubin = MemoryBuffer::getFile(output.path, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  if (!cubin)
    return createStringError(cubin.getError(), "cannot read the cubin");
  result.cubin = (*cubin)->getBuffer().str();
  return result;
}
