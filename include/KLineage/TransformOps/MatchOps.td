//===- MatchOps.td - Finding operations of a state
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_TRANSFORMOPS_MATCHOPS_TD
#define KLINEAGE_TRANSFORMOPS_MATCHOPS_TD

include "KLineage/TransformOps/StepOps.td"
include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.td"

def MatchKindOp : KLineage_TransformOp<"match_kind", [MatchOpInterface]> {
  let summary = "Succeed if the operation is of the kind";
  let description = [{
    Kinds of linalg operations with buffer semantics in host form:

    * `contraction`: a sum of products with m, n and k loops;
    * `elementwise`: all loops parallel, identity or broadcast operand maps;
    * `transpose`: all loops parallel, one input whose map permutes loops;
    * `row_reduction`: reduces the innermost loop and no other;
    * `reduction`: has a reduction loop and is none of the above;
    * `fill`: writes one value;
    * `block_loop`: no linalg operation, but what an earlier step has made of
      some: a loop over blocks.

    With `last`, no later operation of the block reads what it writes.

    Fails with: a silenceable failure, the payload unchanged.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, StrAttr:$kind, UnitAttr:$last);
  let assemblyFormat = "$target $kind (`last` $last^)? attr-dict `:` type($target)";
}

def GetWritersOp : KLineage_TransformOp<"get_writers"> {
  let summary = "Get the operations that wrote an operand's buffer before";
  let description = [{
    Earlier operations in the target's block with `operand`'s buffer among their
    outputs, in program order. Produces: a possibly empty handle.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, I64Attr:$operand);
  let results = (outs TransformHandleTypeInterface:$writers);
  let assemblyFormat = "$target `operand` $operand attr-dict `:` functional-type($target, $writers)";
}

def GetStructuredOp : KLineage_TransformOp<"get_structured"> {
  let summary = "Get the linalg operations inside the payload";
  let description = [{
    All linalg operations nested in the target, in walk order; with `kind`, only
    those that `match_kind` accepts, whatever their form. Also `barrier` for
    gpu.barrier and `shared` for shared-memory allocations. Code that a guard
    keeps as its other branch is passed over. Produces: a possibly empty handle.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, OptionalAttr<StrAttr>:$kind);
  let results = (outs TransformHandleTypeInterface:$found);
  let assemblyFormat = "$target (`kind` $kind^)? attr-dict `:` functional-type($target, $found)";
}

def FuseProducersOp : KLineage_TransformOp<"fuse_producers"> {
  let summary = "Fuse producers as long as one fits";
  let description = [{
    Applies the step kind `fuse_producer` to the target and the writers of its
    inputs until no clause set holds any more. Records one step a fusion and
    succeeds with none. Produces: the final operation.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs TransformHandleTypeInterface:$fused);
  let assemblyFormat = "$target attr-dict `:` functional-type($target, $fused)";
}

#endif // KLINEAGE_TRANSFORMOPS_MATCHOPS_TD
