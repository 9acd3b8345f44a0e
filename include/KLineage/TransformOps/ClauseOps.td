//===- ClauseOps.td - Legality conditions as transform operations
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_TRANSFORMOPS_CLAUSEOPS_TD
#define KLINEAGE_TRANSFORMOPS_CLAUSEOPS_TD

include "KLineage/TransformOps/ClauseInterface.td"
include "KLineage/TransformOps/StepOps.td"

/// A clause. All share one `apply`: silenceable failure unless proved, or
/// unknown with `or_unknown`.
class KLineage_ClauseOp<string mnemonic, dag parameters = (ins)>
    : KLineage_TransformOp<"require_" # mnemonic,
        [DeclareOpInterfaceMethods<KLineage_ClauseOpInterface>]> {
  let arguments = !con((ins TransformHandleTypeInterface:$target), parameters,
                       (ins UnitAttr:$or_unknown));
  let assemblyFormat = "$target attr-dict `:` type($target)";
}

def RequireAlignedOp : KLineage_ClauseOp<"aligned", (ins
    I64Attr:$operand, KLineage_IntOrKnob:$bytes)> {
  let summary = "Require that an operand's base address is aligned";
  let description = [{
    Storage clause: the buffer of `operand` starts at a multiple of `bytes`.
  }];
}

def RequireBankConflictDegreeOp : KLineage_ClauseOp<"bank_conflict_degree", (ins KLineage_IntOrKnob:$at_most)> {
  let summary = "Require that accesses to shared memory spread over the banks";
  let description = [{
    Hardware clause: in the kernel of the target, or in all kernels of its state,
    no access to shared memory needs more than `at_most` passes over the 32 banks
    of 4 bytes for one group of lanes: a warp, half of one for accesses of 8
    bytes, a quarter for 16. Decided on the kernels that the state has now.
  }];
}

def RequireChipFeatureOp : KLineage_ClauseOp<"chip_feature", (ins StrAttr:$feature)> {
  let summary = "Require a feature of the target chip";
  let description = [{
    Hardware clause: the chip has `feature` (`cp_async`, `ldmatrix`, ...).
  }];
}

def RequireDisjointWritesOp : KLineage_ClauseOp<"disjoint_writes", (ins I64Attr:$dim)> {
  let summary = "Require that iterations write different elements";
  let description = [{
    Storage clause: no two iterations of loop `dim` write one element.
  }];
}

def RequireDivisibleOp : KLineage_ClauseOp<"divisible", (ins
    I64Attr:$dim, KLineage_IntOrKnob:$factor)> {
  let summary = "Require that a loop extent is a multiple of a factor";
  let description = [{
    Layout clause: the extent of loop `dim` is divisible by `factor`. A negative
    `dim` counts from the innermost loop.
  }];
}

def RequireDominatingFillOp : KLineage_ClauseOp<"dominating_fill"> {
  let summary = "Require an output that starts as the neutral element";
  let description = [{
    Storage clause: right before the operation, a fill with the neutral element of
    its combiner writes its output.
  }];
}

def RequireGridLimitsOp : KLineage_ClauseOp<"grid_limits", (ins KLineage_IntOrKnobArray:$grid)> {
  let summary = "Require a grid within the limits of the chip";
  let description = [{
    Hardware clause: `grid` blocks along x, y and z can be launched.
  }];
}

def RequireLoopParallelOp : KLineage_ClauseOp<"loop_parallel", (ins I64Attr:$dim)> {
  let summary = "Require that a loop has independent iterations";
  let description = [{
    Types clause: loop `dim` of the operation is parallel.
  }];
}

def RequireNeutralElementOp : KLineage_ClauseOp<"neutral_element"> {
  let summary = "Require a reduction whose neutral element is known";
  let description = [{
    Types clause: the combiner has a neutral element for its type.
  }];
}

def RequireNoAliasOp : KLineage_ClauseOp<"no_alias", (ins I64Attr:$operand, I64Attr:$other)> {
  let summary = "Require two operands without common bytes";
  let description = [{
    Storage clause: the buffers of `operand` and `other` share no byte.
  }];
}

def RequireNotWrittenOp : KLineage_ClauseOp<"not_written", (ins I64Attr:$operand)> {
  let summary = "Require an operand that nothing around writes";
  let description = [{
    Storage clause: nothing in the region around the operation writes the buffer
    of `operand`.
  }];
}

def RequireRegisterEstimateOp : KLineage_ClauseOp<"register_estimate", (ins KLineage_IntOrKnob:$registers)> {
  let summary = "Require that registers suffice";
  let description = [{
    Hardware clause: `registers` a thread are within the limit of the chip.
  }];
}

def RequireReorderableOp : KLineage_ClauseOp<"reorderable"> {
  let summary = "Require a reduction whose order may change";
  let description = [{
    Types clause: the combiner is associative and commutative.
  }];
}

def RequireSharedCapacityOp : KLineage_ClauseOp<"shared_capacity", (ins KLineage_IntOrKnob:$bytes)> {
  let summary = "Require that shared memory suffices";
  let description = [{
    Hardware clause: a block can have `bytes` of shared memory.
  }];
}

def RequireStaticExtentOp : KLineage_ClauseOp<"static_extent", (ins I64Attr:$dim)> {
  let summary = "Require that a loop extent is known at compile time";
  let description = [{
    Layout clause: the extent of loop `dim` is a constant.
  }];
}

def RequireThreadLimitOp : KLineage_ClauseOp<"thread_limit", (ins KLineage_IntOrKnobArray:$threads)> {
  let summary = "Require a block within the limits of the chip";
  let description = [{
    Hardware clause: a block can have `threads` threads along x, y and z.
  }];
}

def RequireUnitStrideOp : KLineage_ClauseOp<"unit_stride", (ins I64Attr:$operand)> {
  let summary = "Require contiguous innermost elements";
  let description = [{
    Layout clause: the innermost dimension of `operand` has stride 1.
  }];
}

def RequireWholeBytesOp : KLineage_ClauseOp<"whole_bytes", (ins I64Attr:$operand)> {
  let summary = "Require elements of whole bytes";
  let description = [{
    Types clause: the elements of `operand` are integers or floats of a multiple
    of 8 bits.
  }];
}

#endif // KLINEAGE_TRANSFORMOPS_CLAUSEOPS_TD
