//===- Ops.h - Operations that compiled code asks the runtime for
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_LIB_GATE_SIMT_OPS_H
#define KLINEAGE_LIB_GATE_SIMT_OPS_H

#include "Abi.h"
#include "llvm/IR/Intrinsics.h"
#include <optional>

namespace klineage::simt {

/// Operation codes of klineage_simt_warp_op and klineage_simt_lane_op. The high
/// bits (from 8 on) carry a variant: a bit width, a count, a mma shape.
enum Opcode : uint32_t {
  // Warp operations.
  opShflIdx,
  opShflUp,
  opShflDown,
  opShflBfly,
  opVoteAll,
  opVoteAny,
  opVoteUni,
  opVoteBallot,
  opMatchAny,
  opMatchAll,
  opReduxAdd,
  opReduxMin,
  opReduxMax,
  opReduxUMin,
  opReduxUMax,
  opReduxAnd,
  opReduxOr,
  opReduxXor,
  opElect,
  opBarWarp,
  opLdMatrix,
  opStMatrix,
  opMma,
  // Operations of one lane.
  opCpAsync,
  opCpAsyncCommit,
  opCpAsyncWaitGroup,
  opCpAsyncWaitAll,
  opActiveMask,
  opIsShared
};

/// Element types of mma.sync. Together with K they fix the fragment layout.
enum class MmaType : uint32_t { f16, bf16, tf32, s8, u8 };

/// Variant of opMma: m16n8k(kSteps).
struct MmaShape {
  MmaType a, b;
  unsigned k;           ///< 4, 8, 16, 32
  bool halfAccumulator; ///< C and D are f16
  bool saturate;        ///< integers only
  uint32_t encode() const {
    return uint32_t(a) | uint32_t(b) << 3 | k << 6 |
           uint32_t(halfAccumulator) << 12 | uint32_t(saturate) << 13;
  }
  static MmaShape decode(uint32_t v) {
    return {MmaType(v & 7), MmaType(v >> 3 & 7), v >> 6 & 63, bool(v >> 12 & 1),
            bool(v >> 13 & 1)};
  }
};

/// ldmatrix and stmatrix: number of 8x8 matrices, transposed or not.
inline uint32_t encodeMatrix(unsigned count, bool trans) {
  return count | unsigned(trans) << 4;
}

enum class Treatment : uint8_t {
  specialRegister, ///< a field of ThreadCtx
  constant,        ///< always the same value
  nothing,         ///< no effect on values: fences, prefetch, hints
  barrier,         ///< klineage_simt_barrier
  barrierArrive,
  laneOp,
  warpOp,
  pure ///< replaced by generic LLVM IR
};

/// How one NVVM intrinsic is executed.
struct IntrinsicInfo {
  Treatment treatment;
  uint32_t code = 0;       ///< field offset, constant, or opcode | variant << 8
  int8_t maskOperand = -1; ///< of warp operations; -1: all 32 lanes
  // Barriers.
  bool aligned = false, counted = false;
  uint8_t reduce = 0;
};

/// Empty for an intrinsic that the executor does not know.
std::optional<IntrinsicInfo> lookupIntrinsic(llvm::Intrinsic::ID id);

/// True for generic (target independent) intrinsics that need no treatment.
bool isHarmlessGenericIntrinsic(llvm::Intrinsic::ID id);

} // namespace klineage::simt

#endif // KLINEAGE_LIB_GATE_SIMT_OPS_H
