klineage.skill @elementwise_vector attributes {
  transform.with_named_sequence,
  summary = "Fuse an elementwise chain and access memory by vectors",
  provides = ["vectorized"], needs = [], conflicts = [],
  numerics = #klineage.numerics<bit_exact>,
  effect = "temporaries of the chain disappear, each access moves 16 bytes",
  risk = "an access wider than its address is aligned faults",
  scope = "elementwise operations whose innermost extent the vector divides",
  // Measured; by scripts/skill-evidence.
  evidence = [
    #klineage.evidence<"sm_90a", "gelu 8192x8192xf32", before 1697.3, after 129.7, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>,
    #klineage.evidence<"sm_90a", "gelu 8192x8192xbf16", before 1640.1, after 78.8, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>
  ]
} {
  klineage.knob @vector in [8, 4, 2, 1]
  klineage.knob @threads in [256, 128]
  klineage.knob @columns in [1024, 512, 256, 128]
  klineage.constraint "columns == vector * threads"
  // The narrowest element decides; wider ones take several accesses.
  klineage.constraint "vector * io_bytes <= 16"

  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) {
    transform.klineage.match_kind %op "elementwise" last : !transform.any_op
    transform.yield
  }

  transform.named_sequence @steps(%state: !transform.any_op, %op: !transform.any_op) {
    %fused = transform.klineage.fuse_producers %op : (!transform.any_op) -> !transform.any_op
    %t, %loop = transform.klineage.tile_to_blocks %fused {tile_sizes = [1, @columns], innermost}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %d = transform.klineage.distribute_to_threads %loop {threads = [@threads], vector = @vector}
      : (!transform.any_op) -> !transform.any_op
    %m = transform.klineage.get_structured %d : (!transform.any_op) -> !transform.any_op
    %v = transform.klineage.vectorize_access %m {vector = @vector} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
