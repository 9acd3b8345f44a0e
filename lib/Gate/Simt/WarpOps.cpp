//===- WarpOps.cpp - Shuffles, votes, matches, reductions of a warp
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"
#include "llvm/ADT/bit.h"

using namespace klineage;
using namespace klineage::simt;

/// The value of a lane that is not there.
static constexpr uint32_t absentValue = 0xCBCBCBCBu;

/// Operands: mask, value, lane operand, clamp and segment mask.
void klineage::simt::runShuffle(WarpCall &call) {
  uint32_t code = call.op & 0xff;
  bool hasPredicate = call.variant() & 1;
  call.forEach([&](unsigned lane, Thread &thread) {
    int operand = thread.in[2] & 31, control = int(uint32_t(thread.in[3]));
    int clamp = control & 31, segment = control >> 8 & 31;
    int lowest = int(lane) & segment;
    int bound = lowest | (clamp & ~segment);
    int source = 0;
    bool inRange = false;
    switch (code) {
    case opShflUp:
      source = int(lane) - operand;
      inRange = source >= bound;
      break;
    case opShflDown:
      source = int(lane) + operand;
      inRange = source <= bound;
      break;
    case opShflBfly:
      source = int(lane) ^ operand;
      inRange = source <= bound;
      break;
    default:
      source = lowest | (operand & ~segment);
      inRange = source <= bound;
      break;
    }
    if (!inRange)
      source = lane;
    if (call.mask >> source & 1) {
      thread.out[0] = uint32_t(call.lanes[source]->in[1]);
    } else {
      thread.out[0] = absentValue;
      if (Finding *finding = call.runner.checker
                                 ? call.runner.report(FindingKind::bad_mask,
                                                      thread, thread.site, 1)
                                 : nullptr)
        finding->detail = "reads from a lane that does not take part";
    }
    if (hasPredicate)
      thread.out[1] = inRange;
  });
}

static uint32_t reduce(uint32_t code, uint32_t a, uint32_t b) {
  switch (code) {
  case opReduxAdd:
    return a + b;
  case opReduxMin:
    return std::min(int32_t(a), int32_t(b));
  case opReduxMax:
    return std::max(int32_t(a), int32_t(b));
  case opReduxUMin:
    return std::min(a, b);
  case opReduxUMax:
    return std::max(a, b);
  case opReduxAnd:
    return a & b;
  case opReduxOr:
    return a | b;
  default:
    return a ^ b;
  }
}

/// Operands: mask, predicate (votes) or value (match); value, mask (redux).
void klineage::simt::runVote(WarpCall &call) {
  uint32_t code = call.op & 0xff, set = 0, value = 0;
  bool first = true, allEqual = true;
  uint64_t common = 0;
  uint64_t bits = call.variant() == 32 ? 0xffffffffu : ~uint64_t(0);
  call.forEach([&](unsigned lane, Thread &thread) {
    if (thread.in[1] & 1)
      set |= 1u << lane;
    value = first ? uint32_t(thread.in[0])
                  : reduce(code, value, uint32_t(thread.in[0]));
    allEqual &= first || (thread.in[1] & bits) == common;
    common = thread.in[1] & bits;
    first = false;
  });
  call.forEach([&](unsigned lane, Thread &thread) {
    switch (code) {
    case opVoteAll:
      thread.out[0] = set == call.mask;
      break;
    case opVoteAny:
      thread.out[0] = set != 0;
      break;
    case opVoteUni:
      thread.out[0] = set == 0 || set == call.mask;
      break;
    case opVoteBallot:
      thread.out[0] = set;
      break;
    case opMatchAny: {
      uint32_t same = 0;
      call.forEach([&](unsigned other, Thread &peer) {
        if ((peer.in[1] & bits) == (thread.in[1] & bits))
          same |= 1u << other;
      });
      thread.out[0] = same;
      break;
    }
    case opMatchAll:
      thread.out[0] = allEqual ? call.mask : 0;
      thread.out[1] = allEqual;
      break;
    case opElect:
      thread.out[0] = llvm::countr_zero(call.mask);
      thread.out[1] = lane == unsigned(llvm::countr_zero(call.mask));
      break;
    default:
      thread.out[0] = value;
      break;
    }
  });
}

void klineage::simt::runWarpOp(WarpCall &call) {
  switch (call.op & 0xff) {
  case opShflIdx:
  case opShflUp:
  case opShflDown:
  case opShflBfly:
    return runShuffle(call);
  case opBarWarp:
    return;
  case opLdMatrix:
    return runLdMatrix(call);
  case opStMatrix:
    return runStMatrix(call);
  case opMma:
    return runMma(call);
  default:
    return runVote(call);
  }
}
