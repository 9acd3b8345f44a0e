//===- IntrinsicTable.cpp - How each NVVM intrinsic is executed
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ops.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace klineage::simt;
using namespace llvm;
using Table = DenseMap<unsigned, IntrinsicInfo>;

static void addSpecialRegisters(Table &table) {
  auto field = [&](Intrinsic::ID id, size_t offset) {
    table[id] = {Treatment::specialRegister, uint32_t(offset)};
  };
#define AXES(NAME, FIELD)                                                      \
  field(Intrinsic::nvvm_read_ptx_sreg_##NAME##_x, offsetof(ThreadCtx, FIELD)); \
  field(Intrinsic::nvvm_read_ptx_sreg_##NAME##_y,                              \
        offsetof(ThreadCtx, FIELD) + 4);                                       \
  field(Intrinsic::nvvm_read_ptx_sreg_##NAME##_z,                              \
        offsetof(ThreadCtx, FIELD) + 8)
  AXES(tid, tid);
  AXES(ctaid, ctaid);
  AXES(ntid, ntid);
  AXES(nctaid, nctaid);
#undef AXES
  field(Intrinsic::nvvm_read_ptx_sreg_laneid, offsetof(ThreadCtx, lane));
  field(Intrinsic::nvvm_read_ptx_sreg_warpid, offsetof(ThreadCtx, warp));
  field(Intrinsic::nvvm_read_ptx_sreg_nwarpid, offsetof(ThreadCtx, numWarps));
  field(Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size,
        offsetof(ThreadCtx, dynamicShared));
  field(Intrinsic::nvvm_read_ptx_sreg_total_smem_size,
        offsetof(ThreadCtx, totalShared));
  table[Intrinsic::nvvm_read_ptx_sreg_warpsize] = {Treatment::constant,
                                                   warpSize};
}

static void addNothing(Table &table) {
  for (Intrinsic::ID id :
       {Intrinsic::nvvm_membar_cta, Intrinsic::nvvm_membar_gl,
        Intrinsic::nvvm_membar_sys, Intrinsic::nvvm_fence_proxy_alias,
        Intrinsic::nvvm_fence_proxy_async,
        Intrinsic::nvvm_fence_proxy_async_global,
        Intrinsic::nvvm_fence_proxy_async_shared_cta,
        Intrinsic::nvvm_prefetch_global_L1, Intrinsic::nvvm_prefetch_global_L2,
        Intrinsic::nvvm_prefetch_global_L2_evict_last,
        Intrinsic::nvvm_prefetch_global_L2_evict_normal,
        Intrinsic::nvvm_prefetch_local_L1, Intrinsic::nvvm_prefetch_local_L2,
        Intrinsic::nvvm_prefetch_L1, Intrinsic::nvvm_prefetch_L2,
        Intrinsic::nvvm_prefetchu_L1, Intrinsic::nvvm_nanosleep,
        Intrinsic::nvvm_setmaxnreg_inc_sync_aligned_u32,
        Intrinsic::nvvm_setmaxnreg_dec_sync_aligned_u32})
    table[id] = {Treatment::nothing};
}

static void addBarriers(Table &table) {
  auto barrier = [&](Intrinsic::ID id, bool aligned, bool counted,
                     uint8_t reduce = 0) {
    table[id] = {Treatment::barrier, 0, -1, aligned, counted, reduce};
  };
#define FORMS(NAME, REDUCE)                                                    \
  barrier(Intrinsic::nvvm_barrier_cta_##NAME##_aligned_all, true, false,       \
          REDUCE);                                                             \
  barrier(Intrinsic::nvvm_barrier_cta_##NAME##_aligned_count, true, true,      \
          REDUCE);                                                             \
  barrier(Intrinsic::nvvm_barrier_cta_##NAME##_all, false, false, REDUCE);     \
  barrier(Intrinsic::nvvm_barrier_cta_##NAME##_count, false, true, REDUCE)
  FORMS(sync, 0);
  FORMS(red_popc, 1);
  FORMS(red_and, 2);
  FORMS(red_or, 3);
#undef FORMS
  table[Intrinsic::nvvm_barrier_cta_arrive_aligned_count] = {
      Treatment::barrierArrive, 0, -1, true, true};
  table[Intrinsic::nvvm_barrier_cta_arrive_count] = {Treatment::barrierArrive,
                                                     0, -1, false, true};
}

static void addWarpOps(Table &table) {
  auto warp = [&](Intrinsic::ID id, uint32_t op, int8_t mask = 0) {
    table[id] = {Treatment::warpOp, op, mask};
  };
#define SHUFFLE(NAME, OP)                                                      \
  warp(Intrinsic::nvvm_shfl_sync_##NAME##_i32, OP);                            \
  warp(Intrinsic::nvvm_shfl_sync_##NAME##_f32, OP);                            \
  warp(Intrinsic::nvvm_shfl_sync_##NAME##_i32p, OP);                           \
  warp(Intrinsic::nvvm_shfl_sync_##NAME##_f32p, OP)
  SHUFFLE(idx, opShflIdx);
  SHUFFLE(up, opShflUp);
  SHUFFLE(down, opShflDown);
  SHUFFLE(bfly, opShflBfly);
#undef SHUFFLE
  warp(Intrinsic::nvvm_vote_all_sync, opVoteAll);
  warp(Intrinsic::nvvm_vote_any_sync, opVoteAny);
  warp(Intrinsic::nvvm_vote_uni_sync, opVoteUni);
  warp(Intrinsic::nvvm_vote_ballot_sync, opVoteBallot);
  warp(Intrinsic::nvvm_match_any_sync_i32, opMatchAny);
  warp(Intrinsic::nvvm_match_any_sync_i64, opMatchAny);
  warp(Intrinsic::nvvm_match_all_sync_i32p, opMatchAll);
  warp(Intrinsic::nvvm_match_all_sync_i64p, opMatchAll);
  warp(Intrinsic::nvvm_redux_sync_add, opReduxAdd, 1);
  warp(Intrinsic::nvvm_redux_sync_min, opReduxMin, 1);
  warp(Intrinsic::nvvm_redux_sync_max, opReduxMax, 1);
  warp(Intrinsic::nvvm_redux_sync_umin, opReduxUMin, 1);
  warp(Intrinsic::nvvm_redux_sync_umax, opReduxUMax, 1);
  warp(Intrinsic::nvvm_redux_sync_and, opReduxAnd, 1);
  warp(Intrinsic::nvvm_redux_sync_or, opReduxOr, 1);
  warp(Intrinsic::nvvm_redux_sync_xor, opReduxXor, 1);
  warp(Intrinsic::nvvm_elect_sync, opElect);
  warp(Intrinsic::nvvm_bar_warp_sync, opBarWarp);
}

static void addMatrixOps(Table &table) {
  auto all = [&](Intrinsic::ID id, uint32_t op, uint32_t variant) {
    table[id] = {Treatment::warpOp, op | variant << 8, -1};
  };
#define MATRIX(NAME, OP)                                                       \
  all(Intrinsic::nvvm_##NAME##_sync_aligned_m8n8_x1_b16, OP,                   \
      encodeMatrix(1, false));                                                 \
  all(Intrinsic::nvvm_##NAME##_sync_aligned_m8n8_x2_b16, OP,                   \
      encodeMatrix(2, false));                                                 \
  all(Intrinsic::nvvm_##NAME##_sync_aligned_m8n8_x4_b16, OP,                   \
      encodeMatrix(4, false));                                                 \
  all(Intrinsic::nvvm_##NAME##_sync_aligned_m8n8_x1_trans_b16, OP,             \
      encodeMatrix(1, true));                                                  \
  all(Intrinsic::nvvm_##NAME##_sync_aligned_m8n8_x2_trans_b16, OP,             \
      encodeMatrix(2, true));                                                  \
  all(Intrinsic::nvvm_##NAME##_sync_aligned_m8n8_x4_trans_b16, OP,             \
      encodeMatrix(4, true))
  MATRIX(ldmatrix, opLdMatrix);
  MATRIX(stmatrix, opStMatrix);
#undef MATRIX
  auto mma = [&](Intrinsic::ID id, MmaType a, MmaType b, unsigned k,
                 bool halfAccumulator = false, bool saturate = false) {
    all(id, opMma, MmaShape{a, b, k, halfAccumulator, saturate}.encode());
  };
  using T = MmaType;
  mma(Intrinsic::nvvm_mma_m16n8k16_row_col_f32_f32, T::f16, T::f16, 16);
  mma(Intrinsic::nvvm_mma_m16n8k8_row_col_f32_f32, T::f16, T::f16, 8);
  mma(Intrinsic::nvvm_mma_m16n8k16_row_col_f16_f16, T::f16, T::f16, 16, true);
  mma(Intrinsic::nvvm_mma_m16n8k8_row_col_f16_f16, T::f16, T::f16, 8, true);
  mma(Intrinsic::nvvm_mma_m16n8k16_row_col_bf16, T::bf16, T::bf16, 16);
  mma(Intrinsic::nvvm_mma_m16n8k8_row_col_bf16, T::bf16, T::bf16, 8);
  mma(Intrinsic::nvvm_mma_m16n8k8_row_col_tf32, T::tf32, T::tf32, 8);
  mma(Intrinsic::nvvm_mma_m16n8k4_row_col_tf32, T::tf32, T::tf32, 4);
#define INTEGER(K)                                                             \
  mma(Intrinsic::nvvm_mma_m16n8k##K##_row_col_s8, T::s8, T::s8, K);            \
  mma(Intrinsic::nvvm_mma_m16n8k##K##_row_col_u8, T::u8, T::u8, K);            \
  mma(Intrinsic::nvvm_mma_m16n8k##K##_row_col_s8_u8, T::s8, T::u8, K);         \
  mma(Intrinsic::nvvm_mma_m16n8k##K##_row_col_u8_s8, T::u8, T::s8, K);         \
  mma(Intrinsic::nvvm_mma_m16n8k##K##_row_col_satfinite_s8, T::s8, T::s8, K,   \
      false, true);                                                            \
  mma(Intrinsic::nvvm_mma_m16n8k##K##_row_col_satfinite_u8, T::u8, T::u8, K,   \
      false, true);                                                            \
  mma(Intrinsic::nvvm_mma_m16n8k##K##_row_col_satfinite_s8_u8, T::s8, T::u8,   \
      K, false, true);                                                         \
  mma(Intrinsic::nvvm_mma_m16n8k##K##_row_col_satfinite_u8_s8, T::u8, T::s8,   \
      K, false, true)
  INTEGER(16);
  INTEGER(32);
#undef INTEGER
}

static void addLaneOps(Table &table) {
  auto lane = [&](Intrinsic::ID id, uint32_t op, uint32_t variant = 0) {
    table[id] = {Treatment::laneOp, op | variant << 8};
  };
#define COPY(NAME, BYTES)                                                      \
  lane(Intrinsic::nvvm_cp_async_##NAME##_shared_global_##BYTES, opCpAsync,     \
       BYTES);                                                                 \
  lane(Intrinsic::nvvm_cp_async_##NAME##_shared_global_##BYTES##_s, opCpAsync, \
       BYTES | 64)
  COPY(ca, 4);
  COPY(ca, 8);
  COPY(ca, 16);
  COPY(cg, 16);
#undef COPY
  lane(Intrinsic::nvvm_cp_async_commit_group, opCpAsyncCommit);
  lane(Intrinsic::nvvm_cp_async_wait_group, opCpAsyncWaitGroup);
  lane(Intrinsic::nvvm_cp_async_wait_all, opCpAsyncWaitAll);
  lane(Intrinsic::nvvm_activemask, opActiveMask);
  lane(Intrinsic::nvvm_isspacep_shared, opIsShared, 1);
  lane(Intrinsic::nvvm_isspacep_global, opIsShared, 0);
}

static void addDotProducts(Table &table) {
  for (Intrinsic::ID id :
       {Intrinsic::nvvm_idp4a_s_s, Intrinsic::nvvm_idp4a_s_u,
        Intrinsic::nvvm_idp4a_u_s, Intrinsic::nvvm_idp4a_u_u})
    table[id] = {Treatment::pure};
}

static void addPure(Table &table) {
#define WITH_FTZ(NAME)                                                         \
  Intrinsic::nvvm_##NAME##_f, Intrinsic::nvvm_##NAME##_ftz_f
  for (Intrinsic::ID id : {Intrinsic::nvvm_ex2_approx,
                           Intrinsic::nvvm_ex2_approx_ftz,
                           WITH_FTZ(lg2_approx),
                           Intrinsic::nvvm_rcp_approx_ftz_f,
                           Intrinsic::nvvm_rcp_approx_ftz_d,
                           WITH_FTZ(rcp_rn),
                           Intrinsic::nvvm_rcp_rn_d,
                           WITH_FTZ(rsqrt_approx),
                           Intrinsic::nvvm_rsqrt_approx_d,
                           WITH_FTZ(sqrt_approx),
                           WITH_FTZ(sqrt_rn),
                           Intrinsic::nvvm_sqrt_rn_d,
                           Intrinsic::nvvm_sqrt_f,
                           WITH_FTZ(sin_approx),
                           WITH_FTZ(cos_approx),
                           WITH_FTZ(div_approx),
                           WITH_FTZ(div_rn),
                           Intrinsic::nvvm_div_rn_d,
                           WITH_FTZ(fma_rn),
                           Intrinsic::nvvm_fma_rn_d,
                           WITH_FTZ(add_rn),
                           Intrinsic::nvvm_add_rn_d,
                           WITH_FTZ(mul_rn),
                           Intrinsic::nvvm_mul_rn_d,
                           WITH_FTZ(fmax),
                           Intrinsic::nvvm_fmax_d,
                           Intrinsic::nvvm_fmax_nan_f,
                           Intrinsic::nvvm_fmax_ftz_nan_f,
                           WITH_FTZ(fmin),
                           Intrinsic::nvvm_fmin_d,
                           Intrinsic::nvvm_fmin_nan_f,
                           Intrinsic::nvvm_fmin_ftz_nan_f,
                           Intrinsic::nvvm_fabs,
                           Intrinsic::nvvm_fabs_ftz,
                           WITH_FTZ(ceil),
                           WITH_FTZ(floor),
                           WITH_FTZ(trunc),
                           Intrinsic::nvvm_saturate_f,
                           Intrinsic::nvvm_ff2bf16x2_rn,
                           Intrinsic::nvvm_ff2f16x2_rn,
                           Intrinsic::nvvm_f2bf16_rn,
                           Intrinsic::nvvm_f2f16_rn,
                           Intrinsic::nvvm_f2tf32_rna,
                           Intrinsic::nvvm_f2tf32_rn,
                           Intrinsic::nvvm_f2tf32_rz,
                           Intrinsic::nvvm_mulhi_i,
                           Intrinsic::nvvm_mulhi_ui,
                           Intrinsic::nvvm_read_ptx_sreg_lanemask_eq,
                           Intrinsic::nvvm_read_ptx_sreg_lanemask_lt,
                           Intrinsic::nvvm_read_ptx_sreg_lanemask_le,
                           Intrinsic::nvvm_read_ptx_sreg_lanemask_gt,
                           Intrinsic::nvvm_read_ptx_sreg_lanemask_ge})
    table[id] = {Treatment::pure};
#undef WITH_FTZ
}

std::optional<IntrinsicInfo> klineage::simt::lookupIntrinsic(Intrinsic::ID id) {
  static const Table table = [] {
    Table t;
    addSpecialRegisters(t);
    addNothing(t);
    addBarriers(t);
    addWarpOps(t);
    addMatrixOps(t);
    addLaneOps(t);
    addPure(t);
    addDotProducts(t);
    return t;
  }();
  auto it = table.find(id);
  return it == table.end() ? std::nullopt
                           : std::optional<IntrinsicInfo>(it->second);
}

bool klineage::simt::isHarmlessGenericIntrinsic(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::assume:
  case Intrinsic::dbg_assign:
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_label:
  case Intrinsic::dbg_value:
  case Intrinsic::donothing:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::invariant_end:
  case Intrinsic::invariant_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::lifetime_start:
  case Intrinsic::prefetch:
  case Intrinsic::sideeffect:
  case Intrinsic::stackrestore:
  case Intrinsic::stacksave:
  case Intrinsic::trap:
    return true;
  default:
    return false;
  }
}
