klineage.skill @fast_math attributes {
  transform.with_named_sequence,
  summary = "Approximate functions and quotients in a kernel",
  provides = ["fast_math"], needs = [], conflicts = ["fast_math"],
  numerics = #klineage.numerics<approximate>,
  effect = "fewer instructions an element where arithmetic, not memory, is the limit",
  risk = "results differ in the last bits; the gate compares with 16 times the tolerance",
  scope = "kernels that an earlier skill has made",
  // Measured; by scripts/skill-evidence.
  evidence = [
    #klineage.evidence<"sm_90a", "softmax 16384x4096xbf16", before 73.9, after 69.5, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>,
    #klineage.evidence<"sm_90a", "softmax 8192x8192xbf16", before 79.6, after 69.8, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>,
    #klineage.evidence<"sm_90a", "softmax 131072x1024xbf16", before 135.5, after 130.4, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>
  ]
} {
  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) {
    transform.klineage.match_kind %op "block_loop" : !transform.any_op
    transform.yield
  }

  transform.named_sequence @steps(%state: !transform.any_op, %op: !transform.any_op) {
    %f = transform.klineage.fast_math %op {flags = "afn,arcp,contract"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
