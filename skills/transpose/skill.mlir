klineage.skill @transpose attributes {
  transform.with_named_sequence,
  summary = "Transpose through a padded tile of shared memory",
  provides = ["shared_tiled", "vectorized"], needs = [], conflicts = [],
  numerics = #klineage.numerics<bit_exact>,
  effect = "reads and writes are both coalesced",
  risk = "without the barrier threads read elements that are not there yet",
  scope = "the last two loops swapped, any extents; 16 bytes an access where rows are aligned",
  // Measured; by scripts/skill-evidence.
  evidence = [
    #klineage.evidence<"sm_90a", "transpose 8192x8192xf32", before 460.0, after 133.5, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>,
    #klineage.evidence<"sm_90a", "transpose 8192x8192xbf16", before 416.8, after 71.5, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>
  ]
} {
  klineage.knob @vector in [8, 4, 2, 1]
  klineage.knob @tile in [64, 32]
  klineage.knob @threads in [256, 128]
  klineage.constraint "vector * bytes <= 16"
  // Aligned rows on both sides; a dynamic extent, -1, has none.
  klineage.constraint "inner0 % vector == 0"
  klineage.constraint "inner1 % vector == 0"

  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) {
    transform.klineage.match_kind %op "transpose" : !transform.any_op
    transform.yield
  }

  transform.named_sequence @steps(%state: !transform.any_op, %op: !transform.any_op) {
    %t, %loop = transform.klineage.tile_to_blocks %op {tile_sizes = [@tile, @tile], innermost}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %p, %copy, %shared = transform.klineage.promote_shared %t {operand = 0 : i64}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %d = transform.klineage.distribute_to_threads %loop {threads = [@threads], vector = @vector}
      : (!transform.any_op) -> !transform.any_op
    // Column accesses of the tile meet different banks.
    %a = transform.klineage.pad_shared %shared {pad = 1 : i64} : (!transform.any_op) -> !transform.any_op
    %in = transform.klineage.get_structured %d kind "elementwise" : (!transform.any_op) -> !transform.any_op
    %vin = transform.klineage.vectorize_access %in {vector = @vector} : (!transform.any_op) -> !transform.any_op
    %out = transform.klineage.get_structured %d kind "transpose" : (!transform.any_op) -> !transform.any_op
    %vout = transform.klineage.vectorize_access %out {vector = @vector} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
