//===- Judgement.h - One judgement: what its stages share
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_JUDGEMENT_H
#define KLINEAGE_LIB_GATE_JUDGEMENT_H

#include "KLineage/Gate/Gate.h"
#include "KLineage/Support/ChildProcess.h"
#include "StateRun.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"

namespace klineage {

/// A request on its way to a verdict. Each stage is a function that returns
/// false after `stop`.
class Judgement {
public:
  Judgement(const GateRequest &request, const mlir::DialectRegistry &registry);

  /// Sets the verdict; false, so that a stage can return it.
  bool stop(VerdictKind kind, llvm::StringRef stage, std::string message);
  /// Null on invalid text; `diagnostics` says why.
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text);
  /// Text of an error, with the diagnostics that led to it.
  std::string failureText(llvm::Error error) const;

  const GateRequest &request;
  mlir::MLIRContext context;
  std::string diagnostics; ///< errors since the last parse, joined
  Verdict verdict;

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// Bytes that a judgement may take, in a child or not.
int64_t memoryLimit(const GateRequest &request);

/// Runs `body` in a child; how the child ends becomes a verdict, too.
Verdict judgeInChild(const GateRequest &request,
                     llvm::function_ref<Verdict()> body);

/// compile: the candidate as it will be used (`subject`, or each case's) is
/// valid, becomes PTX with the mechanism asked for, and assembles.
bool compileStage(Judgement &judgement);

/// correctness: every case with every fill, on the executors asked for.
bool correctnessStage(Judgement &judgement);

/// correctness at real sizes and profile, on a GPU; nothing without one.
bool deviceStage(Judgement &judgement);

/// What a case expects: inputs, outputs in f64 where floats can be widened (at
/// their own precision otherwise), and which arguments are outputs.
struct Expectation {
  std::vector<HostBuffer> given, outputs;
  /// What state 0 gives in its own types; the same as `outputs` if these are
  /// not widened.
  std::vector<HostBuffer> native;
  /// Relative errors of `native`, by argument: those of the kernel itself.
  std::vector<double> ownErrors;
  std::vector<bool> isOutput;
  /// Outputs hold poison before a run. Not if the reference reads them, as in
  /// C += A * B.
  bool poisonOutputs = true;
};

/// Runs a reference on buffers; outputs hold `poison`, if it is given, or what
/// the buffers hold.
using ReferenceRun = llvm::function_ref<llvm::Expected<std::vector<HostBuffer>>(
    const std::vector<HostBuffer> &buffers, std::optional<uint8_t> poison)>;

/// Sets what `reference`, in f64 or not, makes of the inputs in `expected`. It
/// runs twice, over different poison: it must agree with itself and write all
/// of its outputs, whatever they held before.
llvm::Error expectOutputs(Expectation &expected, const RunnableState &reference,
                          llvm::ArrayRef<int64_t> sizes, ReferenceRun run);

/// How one output compares with what was expected.
struct Agreement {
  bool equal = true;
  double error = 0;   ///< relative; 0 where bits are compared
  double allowed = 0; ///< error that is accepted
  std::string text;   ///< where they differ most, and by how much
};
Agreement compareOutput(const GateRequest &request, const Expectation &expected,
                        size_t index, const HostBuffer &found);

/// Of state 0 in its own types, by argument.
std::vector<double> ownErrorsOf(const Expectation &expected);

/// Compares one run with what was expected: inputs unchanged, outputs within
/// the tolerance of the numerics, or of the same bits. `how` names the run.
bool agree(Judgement &judgement, const Expectation &expected,
           llvm::ArrayRef<HostBuffer> found, llvm::StringRef how);

} // namespace klineage

#endif // KLINEAGE_LIB_GATE_JUDGEMENT_H
