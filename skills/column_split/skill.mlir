klineage.skill @column_split attributes {
  transform.with_named_sequence,
  summary = "Reduce parts of columns in many blocks, then join the parts",
  provides = ["register_tiled", "vectorized"], needs = [], conflicts = [],
  numerics = #klineage.numerics<reassociating>,
  effect = "a matrix of few columns keeps all of a GPU busy",
  risk = "a part that starts from another value than the neutral element counts it once a part",
  scope = "reductions of the outer loop of two, at least 512 rows",
  // Measured; by scripts/skill-evidence.
  evidence = [
    #klineage.evidence<"sm_90a", "column_sum 8192x8192xf32", before 279.9, after 75.4, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>,
    #klineage.evidence<"sm_90a", "column_sum 8192x8192xbf16", before 308.4, after 51.4, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>
  ]
} {
  klineage.knob @split in [128, 64, 256, 512]
  klineage.knob @rows in [16, 8, 4, 1]
  klineage.knob @vector in [8, 4, 2, 1]
  klineage.knob @threads in [64, 32]
  klineage.knob @columns in [512, 256, 128, 64, 32]
  klineage.constraint "columns == vector * threads"
  klineage.constraint "vector * io_bytes <= 16"
  // A dynamic extent is -1.
  klineage.constraint "max(extent0, 0 - extent0 * 512) >= 512"
  klineage.constraint "max(extent0, 0) % rows == 0"
  klineage.constraint "split % rows == 0"
  klineage.constraint "inner0 % vector == 0"

  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) {
    transform.klineage.match_kind %op "reduction" : !transform.any_op
    transform.yield
  }

  transform.named_sequence @steps(%state: !transform.any_op, %op: !transform.any_op) {
    %start = transform.klineage.get_writers %op operand 1 : (!transform.any_op) -> !transform.any_op
    %t, %fill, %loop, %join = transform.klineage.split_reduction %op {rows = @split, columns = @columns}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %s, %k = transform.klineage.strip_mine_reduction %t {dim = 0 : i64, size = @rows}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %d = transform.klineage.distribute_to_threads %loop {threads = [@threads], vector = @vector}
      : (!transform.any_op) -> !transform.any_op
    %m = transform.klineage.get_structured %d kind "reduction" : (!transform.any_op) -> !transform.any_op
    %r = transform.klineage.register_tile %m : (!transform.any_op) -> !transform.any_op
    %n = transform.klineage.get_structured %d kind "reduction" : (!transform.any_op) -> !transform.any_op
    %v = transform.klineage.vectorize_access %n {vector = @vector} : (!transform.any_op) -> !transform.any_op
    // A thread joins one column, with sixteen parts in flight.
    %jt, %jloop = transform.klineage.tile_to_blocks %join {tile_sizes = [0, 64]}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %jf = transform.klineage.fuse_producer %start, %jloop
      : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %js, %jk = transform.klineage.strip_mine_reduction %jt {dim = 0 : i64, size = 16 : i64}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %jd = transform.klineage.distribute_to_threads %jloop {threads = [64], vector = 1 : i64}
      : (!transform.any_op) -> !transform.any_op
    %jm = transform.klineage.get_structured %jd kind "reduction" : (!transform.any_op) -> !transform.any_op
    %jr = transform.klineage.register_tile %jm : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
