klineage.skill @row_reduction attributes {
  transform.with_named_sequence,
  summary = "Compute each row by one block, in registers where it fits",
  provides = ["row_in_registers"], needs = [], conflicts = [],
  numerics = #klineage.numerics<reassociating>,
  effect = "each element of a row is read once, temporaries stay in registers",
  risk = "with a wrong neutral element the tail of a row changes the result",
  scope = "softmax, norms, sums and maxima of rows; in registers up to 64 elements a thread",
  // Measured; by scripts/skill-evidence.
  evidence = [
    #klineage.evidence<"sm_90a", "softmax 16384x4096xbf16", before 914.0, after 74.2, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>,
    #klineage.evidence<"sm_90a", "softmax 8192x8192xbf16", before 1143.4, after 79.8, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>,
    #klineage.evidence<"sm_90a", "layer_norm 16384x4096xbf16", before 1108.0, after 74.1, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>,
    #klineage.evidence<"sm_90a", "layer_norm 8192x8192xbf16", before 1338.7, after 92.4, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>,
    #klineage.evidence<"sm_90a", "rms_norm 16384x4096xbf16", before 505.2, after 70.8, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>,
    #klineage.evidence<"sm_90a", "rms_norm 8192x7168xbf16", before 518.4, after 61.5, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>,
    #klineage.evidence<"sm_90a", "add_rms_norm 16384x4096xbf16", before 805.5, after 98.5, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>,
    #klineage.evidence<"sm_90a", "softmax 131072x1024xbf16", before 1567.6, after 136.0, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>,
    #klineage.evidence<"sm_90a", "softmax 8192x4096xf32", before 663.7, after 70.1, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>,
    #klineage.evidence<"sm_90a", "layer_norm 8192x4096xf32", before 767.8, after 70.2, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>
  ]
} {
  klineage.knob @vector in [8, 4, 2, 1]
  klineage.knob @threads in [256, 128, 512, 1024, 64, 32]
  // The narrowest element decides; wider ones take several accesses.
  klineage.constraint "vector * io_bytes <= 16"
  klineage.constraint "max(extent1, 0) % vector == 0"
  klineage.constraint "extent1 <= threads * 64"
  // Most threads have two vectors in flight; a dynamic extent is -1.
  klineage.constraint "threads * vector < max(max(extent1, 33 * vector), 0 - extent1 * 16384)"

  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) {
    transform.klineage.match_kind %op "row_reduction" : !transform.any_op
    transform.yield
  }

  transform.named_sequence @steps(%state: !transform.any_op, %op: !transform.any_op) {
    %loop = transform.klineage.block_row_reduction %op {threads = @threads, vector = @vector}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
