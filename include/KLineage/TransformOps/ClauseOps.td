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

def RequireChipFeatureOp : KLineage_ClauseOp<"chip_feature", (ins StrAttr:$feature)> {
  let summary = "Require a feature of the target chip";
  let description = [{
    Hardware clause: the chip has `feature` (`cp_async`, `ldmatrix`, ...).
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

def RequireLoopParallelOp : KLineage_ClauseOp<"loop_parallel", (ins I64Attr:$dim)> {
  let summary = "Require that a loop has independent iterations";
  let description = [{
    Types clause: loop `dim` of the operation is parallel.
  }];
}

def RequireReorderableOp : KLineage_ClauseOp<"reorderable"> {
  let summary = "Require a reduction whose order may change";
  let description = [{
    Types clause: the combiner is associative and commutative.
  }];
}

def RequireStaticExtentOp : KLineage_ClauseOp<"static_extent", (ins I64Attr:$dim)> {
  let summary = "Require that a loop extent is known at compile time";
  let description = [{
    Layout clause: the extent of loop `dim` is a constant.
  }];
}

def RequireUnitStrideOp : KLineage_ClauseOp<"unit_stride", (ins I64Attr:$operand)> {
  let summary = "Require contiguous innermost elements";
  let description = [{
    Layout clause: the innermost dimension of `operand` has stride 1.
  }];
}

#endif // KLINEAGE_TRANSFORMOPS_CLAUSEOPS_TD
