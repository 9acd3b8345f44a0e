//===- OutputFile.cpp - Files that are whole or not there
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Support/OutputFile.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static Error failure(StringRef path, std::error_code code) {
  return createStringError("cannot write '" + path + "': " + code.message());
}

/// The error of a stream, taken from it: an error left there ends the process.
static std::error_code finish(raw_fd_ostream &os) {
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  return code;
}

static Error writeDirectly(StringRef path, StringRef text) {
  std::error_code code;
  raw_fd_ostream os(path, code);
  if (code)
    return failure(path, code);
  os << text;
  if ((code = finish(os)))
    return failure(path, code);
  return Error::success();
}

Error klineage::writeOutputFile(StringRef path, StringRef text) {
  sys::fs::file_status status;
  bool exists = !sys::fs::status(path, status);
  if (path == "-" || (exists && !sys::fs::is_regular_file(status)))
    return writeDirectly(path, text);
  // Through links to the file itself, which a rename would replace.
  SmallString<128> target(path);
  if (exists)
    sys::fs::real_path(path, target);
  auto temporary = sys::fs::TempFile::create(
      target + ".%%%%%%.tmp", sys::fs::all_read | sys::fs::owner_write);
  if (!temporary)
    return failure(path, errorToErrorCode(temporary.takeError()));
  std::error_code code;
  {
    raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
    os << text;
    code = finish(os);
  }
  if (code) {
    consumeError(temporary->discard());
    return failure(path, code);
  }
  if (Error error = temporary->keep(target))
    return failure(path, errorToErrorCode(std::move(error)));
  return Error::success();
}
