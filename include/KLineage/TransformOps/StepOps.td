//===- StepOps.td - Step kinds as transform operations
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_TRANSFORMOPS_STEPOPS_TD
#define KLINEAGE_TRANSFORMOPS_STEPOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

/// An integer, or a reference to a knob of the enclosing skill.
def KLineage_IntOrKnob
    : AnyAttrOf<[I64Attr, FlatSymbolRefAttr], "integer or knob">;

/// An array of integers and knobs: `[@bm, @bn, 0]`.
def KLineage_IntOrKnobArray
    : TypedArrayAttrBase<KLineage_IntOrKnob, "array of integers and knobs">;

class KLineage_TransformOp<string mnemonic, list<Trait> traits = []>
    : Op<Transform_Dialect, "klineage." # mnemonic, traits # [
        DeclareOpInterfaceMethods<TransformOpInterface>,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]>;

/// A step kind. All of them share one `apply`: it resolves knobs, evaluates the
/// clauses of the kind, rewrites, normalizes, and tells the skill's run.
class KLineage_StepOp<string kind, dag parameters = (ins)>
    : KLineage_TransformOp<kind> {
  let arguments = !con((ins Variadic<TransformHandleTypeInterface>:$targets), parameters);
  let results = (outs Variadic<TransformHandleTypeInterface>:$handles);
  let assemblyFormat = "$targets attr-dict `:` functional-type($targets, $handles)";
  code returnModes = [{

    Requires: the clauses of the step kind. Consumes: nothing; handles follow
    the rewrite. Produces: the handles in the documented order. Fails with: a
    silenceable failure that names the clause, the payload unchanged.
  }];
}

def AsyncCopyStep : KLineage_StepOp<"async_copy", (ins
    KLineage_IntOrKnob:$bytes)> {
  let summary = "Copy to shared memory without passing registers";
  let description = [{
    A linalg.copy from global to shared memory becomes cp.async of `bytes` (4, 8
    or 16), waited for before the next barrier. Handles: `copy`. See
    docs/steps/async_copy.md.
  }] # returnModes;
}

def BlockRowReductionStep : KLineage_StepOp<"block_row_reduction", (ins
    KLineage_IntOrKnob:$threads, KLineage_IntOrKnob:$vector,
    OptionalAttr<KLineage_IntOrKnob>:$rows_in_registers,
    OptionalAttr<KLineage_IntOrKnob>:$min_blocks_per_sm)> {
  let summary = "Compute one row a block, in registers where it fits";
  let description = [{
    Takes the group of row-wise operations around the target and gives each row
    to one block of `threads` threads with accesses of `vector` elements. The
    row is kept in registers where it fits, or as `rows_in_registers` says.
    Handles: `loop`. See docs/steps/block_row_reduction.md.
  }] # returnModes;
}

def DistributeToThreadsStep : KLineage_StepOp<"distribute_to_threads", (ins
    KLineage_IntOrKnobArray:$threads,
    OptionalAttr<KLineage_IntOrKnob>:$vector,
    OptionalAttr<KLineage_IntOrKnobArray>:$chunk,
    OptionalAttr<KLineage_IntOrKnobArray>:$warps)> {
  let summary = "Distribute a block program over the threads of a block";
  let description = [{
    The body of a block loop becomes one SIMT body with barriers where data
    cross threads. Handles: `loop`. See docs/steps/distribute_to_threads.md.
  }] # returnModes;
}

def FastMathStep : KLineage_StepOp<"fast_math", (ins
    StrAttr:$flags)> {
  let summary = "Allow approximate floating-point functions";
  let description = [{
    Sets fast-math flags on the arithmetic under the target; numerics become
    `approximate`. See docs/steps/fast_math.md.
  }] # returnModes;
}

def FuseProducerStep : KLineage_StepOp<"fuse_producer"> {
  let summary = "Fuse a producer into its consumer or its consumer's loop";
  let description = [{
    Targets: the producer and the consumer operation or loop. Handles:
    `fused`. See docs/steps/fuse_producer.md.
  }] # returnModes;
}

def PadSharedStep : KLineage_StepOp<"pad_shared", (ins
    KLineage_IntOrKnob:$pad)> {
  let summary = "Pad the rows of a shared buffer";
  let description = [{
    Adds `pad` elements to each row, so that a column spreads over the banks.
    Handles: `alloc`. See docs/steps/pad_shared.md.
  }] # returnModes;
}

def PromoteSharedStep : KLineage_StepOp<"promote_shared", (ins
    KLineage_IntOrKnob:$operand)> {
  let summary = "Stage an operand's tile in shared memory";
  let description = [{
    Handles: `target`, `copy`, `alloc`. See docs/steps/promote_shared.md.
  }] # returnModes;
}

def RegisterTileStep : KLineage_StepOp<"register_tile"> {
  let summary = "Keep an output tile in registers across its reduction";
  let description = [{
    Handles: `target`. See docs/steps/register_tile.md.
  }] # returnModes;
}

def RemoveBarrierStep : KLineage_StepOp<"remove_barrier"> {
  let summary = "Remove a barrier that orders no conflicting accesses";
  let description = [{
    See docs/steps/remove_barrier.md.
  }] # returnModes;
}

def SplitReductionStep : KLineage_StepOp<"split_reduction", (ins
    KLineage_IntOrKnob:$rows, KLineage_IntOrKnob:$columns)> {
  let summary = "Split the rows of a column reduction over blocks";
  let description = [{
    Each block reduces `rows` x `columns` elements into a row of a temporary; a
    second reduction joins the rows. Handles: `tiled`, `fill`, `loop`, `join`.
    See docs/steps/split_reduction.md.
  }] # returnModes;
}

def StripMineReductionStep : KLineage_StepOp<"strip_mine_reduction", (ins
    KLineage_IntOrKnob:$dim, KLineage_IntOrKnob:$size)> {
  let summary = "Split a reduction loop into strips";
  let description = [{
    A negative `dim` counts from the last loop: -1 is the last.
    Handles: `tiled`, `loop`. See docs/steps/strip_mine_reduction.md.
  }] # returnModes;
}

def SwizzleSharedStep : KLineage_StepOp<"swizzle_shared", (ins
    KLineage_IntOrKnob:$vector, OptionalAttr<KLineage_IntOrKnob>:$period)> {
  let summary = "Permute the columns of a shared buffer by row";
  let description = [{
    Handles: `alloc`. See docs/steps/swizzle_shared.md.
  }] # returnModes;
}

def TileToBlocksStep : KLineage_StepOp<"tile_to_blocks", (ins
    KLineage_IntOrKnobArray:$tile_sizes, UnitAttr:$innermost,
    OptionalAttr<KLineage_IntOrKnob>:$min_blocks_per_sm,
    OptionalAttr<KLineage_IntOrKnob>:$max_registers)> {
  let summary = "Tile parallel loops over the blocks of a grid";
  let description = [{
    One tile size a loop, 0 leaves it whole. With `innermost` the sizes are
    those of the last loops, and loops further out get tiles of 1. Handles:
    `tiled`, `loop`. See docs/steps/tile_to_blocks.md.
  }] # returnModes;
}

def UnrollStep : KLineage_StepOp<"unroll", (ins
    KLineage_IntOrKnob:$factor)> {
  let summary = "Unroll a loop";
  let description = [{
    Factor 0 unrolls completely. See docs/steps/unroll.md.
  }] # returnModes;
}

def VectorizeAccessStep : KLineage_StepOp<"vectorize_access", (ins
    KLineage_IntOrKnob:$vector)> {
  let summary = "Access memory by vectors through a register buffer";
  let description = [{
    Handles: `target`. See docs/steps/vectorize_access.md.
  }] # returnModes;
}

#endif // KLINEAGE_TRANSFORMOPS_STEPOPS_TD
