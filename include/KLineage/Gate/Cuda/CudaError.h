//===- CudaError.h - Errors of the CUDA driver, one line each
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_GATE_CUDA_CUDAERROR_H
#define KLINEAGE_GATE_CUDA_CUDAERROR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace klineage::cuda {

/// What an error says about the thing under test. The gate's verdict for it is
/// in brackets.
enum class ErrorKind {
  unavailable,      ///< no driver, no device, too old [unsupported]
  out_of_memory,    ///< [unsupported]
  compile,          ///< the driver refused the PTX or object [compile_error]
  resource_limit,   ///< a launch needs more than the device has [illegal]
  device_fault,     ///< a kernel faulted; the context is dead [unsafe]
  timeout,          ///< the driver ended a kernel that ran too long [timeout]
  implausible_time, ///< a time that cannot be true [harness_error]
  usage,  ///< a call that breaks the runtime's contract [harness_error]
  driver, ///< anything else [harness_error]
};

/// An error of this library: a kind and one line of text. `result` is the
/// driver's CUresult, 0 when the error was found before any call.
class CudaError : public llvm::ErrorInfo<CudaError> {
public:
  static char ID;
  CudaError(ErrorKind kind, std::string message, int result = 0)
      : kind(kind), result(result), message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  ErrorKind getKind() const { return kind; }
  int getResult() const { return result; }
  llvm::StringRef getMessage() const { return message; }

private:
  ErrorKind kind;
  int result;
  std::string message;
};

llvm::Error makeError(ErrorKind kind, const llvm::Twine &message,
                      int result = 0);

/// "CUDA_ERROR_OUT_OF_MEMORY (2): the device has too little free memory; ...".
/// Every value has an answer; one that is not in the table is named as such.
std::string describeResult(int result);

/// The kind that a failed call with `result` has by itself.
ErrorKind kindOfResult(int result);

/// After such a result the context of the process is dead: every later call
/// fails too.
bool isSticky(int result);

} // namespace klineage::cuda

#endif // KLINEAGE_GATE_CUDA_CUDAERROR_H
