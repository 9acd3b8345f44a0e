module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%state: !transform.any_op) {
    %mm = transform.klineage.get_structured %state kind "contraction" : (!transform.any_op) -> !transform.any_op
    %fill = transform.klineage.get_writers %mm operand 2 : (!transform.any_op) -> !transform.any_op
    %t, %loop = transform.klineage.tile_to_blocks %mm {tile_sizes = [64, 64, 0]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f2 = transform.klineage.fuse_producer %fill, %loop : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %s, %k = transform.klineage.strip_mine_reduction %t {dim = 2, size = 16} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %p0, %c0, %a0 = transform.klineage.promote_shared %s {operand = 0} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %p1, %c1, %a1 = transform.klineage.promote_shared %p0 {operand = 1} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %d = transform.klineage.distribute_to_threads %loop {threads = [16, 16], vector = 4, chunk = [4, 4]} : (!transform.any_op) -> !transform.any_op
    %m2 = transform.klineage.get_structured %d kind "contraction" : (!transform.any_op) -> !transform.any_op
    %r = transform.klineage.register_tile %m2 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
