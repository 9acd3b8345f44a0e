klineage.skill @matmul_shared attributes {
  transform.with_named_sequence,
  summary = "Tile a matrix product over blocks, threads, shared memory and registers",
  provides = ["shared_tiled", "register_tiled"], needs = [], conflicts = [],
  numerics = #klineage.numerics<bit_exact>,
  effect = "each element of A and B is read once a block instead of once a thread",
  risk = "without the barriers around the copies threads read tiles of another iteration",
  scope = "contractions with static extents that the tiles divide",
  // Measured; by scripts/skill-evidence.
  evidence = [
    #klineage.evidence<"sm_90a", "matmul 4096x4096x4096xf32", before 24838.1, after 3949.2, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>,
    #klineage.evidence<"sm_90a", "matmul 1024x1024x1024xf32", before 321.7, after 89.8, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>,
    #klineage.evidence<"sm_90a", "matmul_bias_relu 4096x4096x4096xf32", before 25017.4, after 4039.6, "NVIDIA H200, driver 580.159.04, ptxas 13.0", tested>
  ]
} {
  klineage.knob @bm in [128, 64, 32, 16]
  klineage.knob @bn in [128, 64, 32, 16]
  klineage.knob @bk in [16, 8, 4]
  klineage.knob @tx in [16, 8, 4]
  klineage.knob @ty in [16, 8, 4]
  klineage.constraint "(bm + bn) * bk * bytes <= shared_bytes"
  klineage.constraint "bm % (ty * 4) == 0"
  klineage.constraint "bn % (tx * 4) == 0"
  // A thread keeps at most 64 sums.
  klineage.constraint "bm * bn <= tx * ty * 64"
  klineage.constraint "bm * bn >= tx * ty * 16"
  // Static extents (of m, n and k) that the tiles divide; a dynamic one is -1.
  klineage.constraint "max(inner2, 0) % bm == 0"
  klineage.constraint "max(inner1, 0) % bn == 0"
  klineage.constraint "max(inner0, 0) % bk == 0"
  // A large tile only where the blocks are enough for a large GPU.
  klineage.constraint "bm * bn * 200 <= max(max(inner2, 0) * max(inner1, 0), 819200)"

  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) {
    transform.klineage.match_kind %op "contraction" : !transform.any_op
    transform.yield
  }

  transform.named_sequence @requires(%op: !transform.any_op {transform.readonly}) {
    transform.klineage.require_static_extent %op {dim = -3 : i64} : !transform.any_op
    transform.klineage.require_static_extent %op {dim = -2 : i64} : !transform.any_op
    transform.klineage.require_static_extent %op {dim = -1 : i64} : !transform.any_op
    transform.yield
  }

  transform.named_sequence @steps(%state: !transform.any_op, %op: !transform.any_op) {
    %fill = transform.klineage.get_writers %op operand 2 : (!transform.any_op) -> !transform.any_op
    %t, %loop = transform.klineage.tile_to_blocks %op {tile_sizes = [@bm, @bn, 0], innermost, min_blocks_per_sm = 2 : i64}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.klineage.fuse_producer %fill, %loop
      : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %s, %k = transform.klineage.strip_mine_reduction %t {dim = -1 : i64, size = @bk}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %p0, %c0, %a0 = transform.klineage.promote_shared %s {operand = 0 : i64}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %p1, %c1, %a1 = transform.klineage.promote_shared %p0 {operand = 1 : i64}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %d = transform.klineage.distribute_to_threads %loop
      {threads = [@tx, @ty], vector = 4 : i64, chunk = [4, 4]} : (!transform.any_op) -> !transform.any_op
    %m = transform.klineage.get_structured %d kind "contraction" : (!transform.any_op) -> !transform.any_op
    %r = transform.klineage.register_tile %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
