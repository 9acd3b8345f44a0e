klineage.skill @redundant_barrier attributes {
  transform.with_named_sequence,
  summary = "Remove a barrier that orders nothing",
  provides = ["fewer_barriers"], needs = [], conflicts = [],
  numerics = #klineage.numerics<bit_exact>,
  effect = "one wait of all threads of a block less",
  risk = "a barrier that orders two conflicting accesses must stay",
  scope = "barriers of kernels, hand-written ones too"
} {
  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) {
    transform.klineage.match_kind %op "barrier" : !transform.any_op
    transform.yield
  }

  transform.named_sequence @steps(%state: !transform.any_op, %op: !transform.any_op) {
    transform.klineage.remove_barrier %op : (!transform.any_op) -> ()
    transform.yield
  }
}
