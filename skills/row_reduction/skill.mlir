klineage.skill @row_reduction attributes {
  transform.with_named_sequence,
  summary = "Compute each row by one block, in registers where it fits",
  provides = ["row_in_registers"], needs = [], conflicts = [],
  numerics = #klineage.numerics<reassociating>,
  effect = "each element of a row is read once, temporaries stay in registers",
  risk = "with a wrong neutral element the tail of a row changes the result",
  scope = "softmax, norms, sums and maxima of rows; in registers up to 64 elements a thread"
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
