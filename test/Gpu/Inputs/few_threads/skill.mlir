klineage.skill @few_threads attributes {
  transform.with_named_sequence,
  summary = "Leave an elementwise operation to few threads: for tests of the verdict slower",
  provides = [], needs = [], conflicts = [],
  numerics = #klineage.numerics<bit_exact>,
  effect = "most of the GPU has nothing to do",
  risk = "none for values",
  scope = "elementwise operations"
} {
  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) {
    transform.klineage.match_kind %op "elementwise" : !transform.any_op
    transform.yield
  }

  transform.named_sequence @steps(%state: !transform.any_op, %op: !transform.any_op) {
    %t, %loop = transform.klineage.tile_to_blocks %op {tile_sizes = [0, 32]}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %d = transform.klineage.distribute_to_threads %loop {threads = [32], vector = 1 : i64}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
