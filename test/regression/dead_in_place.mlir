// RUN: klineage-opt %s -split-input-file --klineage-import | FileCheck %s
// RUN: klineage-opt %s -split-input-file --klineage-apply="skills=%skills/elementwise_vector budget=1 executor=simt" -o /dev/null

// A buffer that only its own next value is computed from is dead; once fused,
// it would leave nothing to undo.
// CHECK-LABEL: func.func @next_value
// CHECK-NOT: memref.alloc
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
#id = affine_map<(d0) -> (d0)>
func.func @next_value(%x: memref<?xi16>, %y: memref<?xi16>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi16>
  %t = memref.alloc(%n) : memref<?xi16>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<?xi16>) outs(%t : memref<?xi16>) {
  ^bb0(%in: i16, %out: i16):
    %c2 = arith.constant 2 : i16
    %0 = arith.xori %in, %c2 : i16
    linalg.yield %0 : i16
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%t : memref<?xi16>) outs(%t : memref<?xi16>) {
  ^bb0(%in: i16, %out: i16):
    %c2 = arith.constant 2 : i16
    %0 = arith.maxsi %in, %c2 : i16
    linalg.yield %0 : i16
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<?xi16>) outs(%y : memref<?xi16>) {
  ^bb0(%in: i16, %out: i16):
    %0 = arith.addi %in, %in : i16
    linalg.yield %0 : i16
  }
  return
}

// -----

// What folding leaves of a body decides which inputs there are.
// CHECK-LABEL: func.func @unread_input
// CHECK-NOT: ins(
// CHECK: linalg.generic {{.*}} outs(%arg2 : memref<8xi16>)
// CHECK-NEXT: ^bb0(%{{.*}}: i16):
// CHECK-NEXT: linalg.yield %{{.*}} : i16
#id = affine_map<(d0) -> (d0)>
func.func @unread_input(%x: tensor<8xi16>, %y: tensor<8xi16>) -> tensor<8xi16> {
  %e = tensor.empty() : tensor<8xi16>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<8xi16>, tensor<8xi16>) outs(%e : tensor<8xi16>) {
  ^bb0(%a: i16, %b: i16, %out: i16):
    %0 = arith.addi %a, %b : i16
    linalg.yield %0 : i16
  } -> tensor<8xi16>
  %zero = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%sum : tensor<8xi16>) outs(%e : tensor<8xi16>) {
  ^bb0(%a: i16, %out: i16):
    %c0 = arith.constant 0 : i16
    %0 = arith.andi %a, %c0 : i16
    linalg.yield %0 : i16
  } -> tensor<8xi16>
  return %zero : tensor<8xi16>
}
