#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0) -> (-d0 + 1000, 64)>
#map3 = affine_map<(d0) -> (d0 * 4 - (d0 floordiv 16) * 64)>
#map4 = affine_map<(d0, d1) -> (d0 + d1 floordiv 16)>
#map5 = affine_map<(d0) -> (d0 floordiv 16)>
#map6 = affine_map<(d0, d1) -> (4, d0 - d1)>
module {
  klineage.lineage @transpose target <"sm_90a"> attributes {klineage.ended = "no further skill applies"} {
    klineage.state @s0 sha256 "6c9f102824a56f6f64c4f0427f30a74fa5a07b86e03120bd841b2e2275d262af" {
      builtin.module {
        func.func @transpose(%arg0: memref<128x1000xf32> {llvm.align = 16 : i64}, %arg1: memref<1000x128xf32> {llvm.align = 16 : i64, llvm.noalias}) {
          linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<128x1000xf32>) outs(%arg1 : memref<1000x128xf32>) {
          ^bb0(%in: f32, %out: f32):
            linalg.yield %in : f32
          }
          return
        }
      }
    }
    klineage.state @s1 sha256 "cd72efa46600a408a7f1f896403a71488a849b1600c466b91f49d426dcc3c89d" features ["shared_tiled", "vectorized"] {
      builtin.module {
        func.func @transpose(%arg0: memref<128x1000xf32> {llvm.align = 16 : i64}, %arg1: memref<1000x128xf32> {llvm.align = 16 : i64, llvm.noalias}) {
          %c64 = arith.constant 64 : index
          %c0 = arith.constant 0 : index
          %c16 = arith.constant 16 : index
          scf.forall (%arg2, %arg3) = (0, 0) to (1000, 128) step (64, 64) {
            %0 = affine.min #map2(%arg2)
            %1 = arith.cmpi eq, %0, %c64 : index
            %subview = memref.subview %arg0[%arg3, %arg2] [64, %0] [1, 1] : memref<128x1000xf32> to memref<64x?xf32, strided<[1000, 1], offset: ?>>
            %alloc = memref.alloc() {alignment = 16 : i64} : memref<64x65xf32, #gpu.address_space<workgroup>>
            %subview_0 = memref.subview %alloc[0, 0] [64, 64] [1, 1] : memref<64x65xf32, #gpu.address_space<workgroup>> to memref<64x64xf32, strided<[65, 1]>, #gpu.address_space<workgroup>>
            %subview_1 = memref.subview %subview_0[0, 0] [64, %0] [1, 1] : memref<64x64xf32, strided<[65, 1]>, #gpu.address_space<workgroup>> to memref<64x?xf32, strided<[65, 1]>, #gpu.address_space<workgroup>>
            %subview_2 = memref.subview %arg1[%arg2, %arg3] [%0, 64] [1, 1] : memref<1000x128xf32> to memref<?x64xf32, strided<[128, 1], offset: ?>>
            scf.forall (%arg4) in (256) {
              scf.if %1 {
                %2 = affine.apply #map3(%arg4)
                scf.for %arg5 = %c0 to %c64 step %c16 {
                  %4 = affine.apply #map4(%arg5, %arg4)
                  scf.for %arg6 = %2 to %c64 step %c64 {
                    %subview_3 = memref.subview %subview[%4, %arg6] [1, 4] [1, 1] : memref<64x?xf32, strided<[1000, 1], offset: ?>> to memref<1x4xf32, strided<[1000, 1], offset: ?>>
                    %5 = vector.load %subview_3[%c0, %c0] : memref<1x4xf32, strided<[1000, 1], offset: ?>>, vector<4xf32>
                    %alloca = memref.alloca() {alignment = 16 : i64} : memref<1x4xf32, #gpu.address_space<private>>
                    vector.store %5, %alloca[%c0, %c0] : memref<1x4xf32, #gpu.address_space<private>>, vector<4xf32>
                    %subview_4 = memref.subview %subview_1[%4, %arg6] [1, 4] [1, 1] : memref<64x?xf32, strided<[65, 1]>, #gpu.address_space<workgroup>> to memref<1x4xf32, strided<[65, 1], offset: ?>, #gpu.address_space<workgroup>>
                    linalg.copy {klineage.mapping = "rows"} ins(%alloca : memref<1x4xf32, #gpu.address_space<private>>) outs(%subview_4 : memref<1x4xf32, strided<[65, 1], offset: ?>, #gpu.address_space<workgroup>>)
                  } {klineage.thread_loop}
                } {klineage.thread_loop}
                gpu.barrier
                %3 = affine.apply #map5(%arg4)
                scf.for %arg5 = %3 to %c64 step %c16 {
                  %subview_3 = memref.subview %subview_1[%2, %arg5] [4, 1] [1, 1] : memref<64x?xf32, strided<[65, 1]>, #gpu.address_space<workgroup>> to memref<4x1xf32, strided<[65, 1], offset: ?>, #gpu.address_space<workgroup>>
                  %alloca = memref.alloca() {alignment = 16 : i64} : memref<1x4xf32, #gpu.address_space<private>>
                  linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%subview_3 : memref<4x1xf32, strided<[65, 1], offset: ?>, #gpu.address_space<workgroup>>) outs(%alloca : memref<1x4xf32, #gpu.address_space<private>>) attrs =  {klineage.mapping = "rows"} {
                  ^bb0(%in: f32, %out: f32):
                    linalg.yield %in : f32
                  }
                  %4 = vector.load %alloca[%c0, %c0] : memref<1x4xf32, #gpu.address_space<private>>, vector<4xf32>
                  %subview_4 = memref.subview %subview_2[%arg5, %2] [1, 4] [1, 1] : memref<?x64xf32, strided<[128, 1], offset: ?>> to memref<1x4xf32, strided<[128, 1], offset: ?>>
                  vector.store %4, %subview_4[%c0, %c0] : memref<1x4xf32, strided<[128, 1], offset: ?>>, vector<4xf32>
                } {klineage.thread_loop}
              } else {
                %2 = affine.apply #map3(%arg4)
                scf.for %arg5 = %c0 to %c64 step %c16 {
                  %4 = affine.apply #map4(%arg5, %arg4)
                  scf.for %arg6 = %2 to %0 step %c64 {
                    %5 = affine.min #map6(%0, %arg6)
                    %subview_3 = memref.subview %subview[%4, %arg6] [1, %5] [1, 1] : memref<64x?xf32, strided<[1000, 1], offset: ?>> to memref<1x?xf32, strided<[1000, 1], offset: ?>>
                    %subview_4 = memref.subview %subview_1[%4, %arg6] [1, %5] [1, 1] : memref<64x?xf32, strided<[65, 1]>, #gpu.address_space<workgroup>> to memref<1x?xf32, strided<[65, 1], offset: ?>, #gpu.address_space<workgroup>>
                    linalg.copy {klineage.mapping = "rows"} ins(%subview_3 : memref<1x?xf32, strided<[1000, 1], offset: ?>>) outs(%subview_4 : memref<1x?xf32, strided<[65, 1], offset: ?>, #gpu.address_space<workgroup>>)
                  } {klineage.thread_loop}
                } {klineage.thread_loop}
                gpu.barrier
                %3 = affine.apply #map5(%arg4)
                scf.for %arg5 = %3 to %0 step %c16 {
                  %subview_3 = memref.subview %subview_1[%2, %arg5] [4, 1] [1, 1] : memref<64x?xf32, strided<[65, 1]>, #gpu.address_space<workgroup>> to memref<4x1xf32, strided<[65, 1], offset: ?>, #gpu.address_space<workgroup>>
                  %subview_4 = memref.subview %subview_2[%arg5, %2] [1, 4] [1, 1] : memref<?x64xf32, strided<[128, 1], offset: ?>> to memref<1x4xf32, strided<[128, 1], offset: ?>>
                  linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%subview_3 : memref<4x1xf32, strided<[65, 1], offset: ?>, #gpu.address_space<workgroup>>) outs(%subview_4 : memref<1x4xf32, strided<[128, 1], offset: ?>>) attrs =  {klineage.mapping = "rows"} {
                  ^bb0(%in: f32, %out: f32):
                    linalg.yield %in : f32
                  }
                } {klineage.thread_loop}
              } {klineage.guard = "full_tiles"}
            } {mapping = [#gpu.thread<x>]}
          } {mapping = [#gpu.block<y>, #gpu.block<x>]}
          return
        }
      }
    }
    klineage.transition @t0 @s0 -> @s1 by "transpose" at 2 knobs {threads = 256 : i64, tile = 64 : i64, vector = 4 : i64} reversible numerics <bit_exact> certificate <guarded, ["index arithmetic does not wrap", "the launch checks that entry buffers do not overlap", "the launch checks the alignment of entry buffers", "simt 128x1000xf32, 1000x128xf32"]> verdict <accepted, "correctness", "all 20 runs agree", {counts = {transpose_k0.barriers = 32 : i64, transpose_k0.global_sectors = 2048 : i64, transpose_k0.shared_bank_conflicts = 512 : i64}, resources = {transpose_k0.registers = 32 : i64, transpose_k0.shared_bytes = 16640 : i64, transpose_k0.spill_stores = 0 : i64}, runs = 20 : i64, self_checks = 12 : i64}> {
      klineage.step "tile_to_blocks" on [2] undo 2 {innermost, tile_sizes = [64, 64]} numerics <bit_exact> from "6c9f102824a56f6f64c4f0427f30a74fa5a07b86e03120bd841b2e2275d262af" to "8490614293393be8c5f4235b7665620c145b6d8b31c82efd0d23c525e32186fa" clauses [#klineage.clause<"host_form", types, proved, expected "an operation directly in the entry function", found "such an operation", nearest "", by "folding", assuming []>, #klineage.clause<"simple_maps", layout, proved, expected "operands indexed by distinct loops, and no linalg.index", found "such maps", nearest "", by "folding", assuming []>, #klineage.clause<"loop_parallel", types, proved, expected "loop 1 parallel", found "parallel", nearest "", by "folding", assuming []>, #klineage.clause<"disjoint_writes", storage, proved, expected "iterations of loop 1 that write different elements", found "outputs indexed by it", nearest "", by "folding", assuming []>, #klineage.clause<"loop_parallel", types, proved, expected "loop 0 parallel", found "parallel", nearest "", by "folding", assuming []>, #klineage.clause<"disjoint_writes", storage, proved, expected "iterations of loop 0 that write different elements", found "outputs indexed by it", nearest "", by "folding", assuming []>, #klineage.clause<"grid_limits", hardware, proved, expected "a grid within 2147483647 x 65535 x 65535", found "within the limits", nearest "", by "folding", assuming []>]
      klineage.step "promote_shared" on [3] undo 4 {operand = 0 : i64} numerics <bit_exact> from "8490614293393be8c5f4235b7665620c145b6d8b31c82efd0d23c525e32186fa" to "1937f546ff627032ab0e1b3533da43c0ae8125258639e3876e2bdea4e4bb35dc" clauses [#klineage.clause<"block_program", types, proved, expected "an operation of a block program", found "a block program", nearest "", by "folding", assuming []>, #klineage.clause<"global_operand", storage, proved, expected "an operand in global memory", found "one", nearest "", by "folding", assuming []>, #klineage.clause<"whole_bytes", types, proved, expected "elements of whole bytes", found "f32", nearest "", by "folding", assuming []>, #klineage.clause<"static_extent", layout, proved, expected "a tile of bounded size", found "a static bound", nearest "", by "folding", assuming []>, #klineage.clause<"shared_capacity", hardware, proved, expected "at most 232448 bytes of shared memory a block on sm_90a", found "16384 bytes", nearest "232448", by "folding", assuming []>, #klineage.clause<"no_alias", storage, proved, expected "two buffers that share no byte", found "distinct buffers", nearest "", by "folding", assuming ["the launch checks that entry buffers do not overlap"]>]
      klineage.step "distribute_to_threads" on [2] undo 4 {threads = [256], vector = 4 : i64} numerics <bit_exact> from "1937f546ff627032ab0e1b3533da43c0ae8125258639e3876e2bdea4e4bb35dc" to "5b3be87922e647825a6a778f3c479ee7d23ba70ce1aba876428ab0fa9cee0c50" clauses [#klineage.clause<"thread_limit", hardware, proved, expected "1 to 1024 threads a block on sm_90a", found "256", nearest "1024", by "folding", assuming []>, #klineage.clause<"distributable", types, proved, expected "linalg operations, serial loops and pure operations in the body", found "only these", nearest "", by "folding", assuming []>, #klineage.clause<"simple_maps", layout, proved, expected "operands indexed by distinct loops, and no linalg.index", found "such maps", nearest "", by "folding", assuming []>, #klineage.clause<"disjoint_writes", storage, proved, expected "iterations of loop 0 that write different elements", found "outputs indexed by it", nearest "", by "folding", assuming []>, #klineage.clause<"disjoint_writes", storage, proved, expected "iterations of loop 1 that write different elements", found "outputs indexed by it", nearest "", by "folding", assuming []>, #klineage.clause<"simple_maps", layout, proved, expected "operands indexed by distinct loops, and no linalg.index", found "such maps", nearest "", by "folding", assuming []>, #klineage.clause<"disjoint_writes", storage, proved, expected "iterations of loop 0 that write different elements", found "outputs indexed by it", nearest "", by "folding", assuming []>, #klineage.clause<"disjoint_writes", storage, proved, expected "iterations of loop 1 that write different elements", found "outputs indexed by it", nearest "", by "folding", assuming []>]
      klineage.step "pad_shared" on [3] undo 3 {pad = 1 : i64} numerics <bit_exact> from "5b3be87922e647825a6a778f3c479ee7d23ba70ce1aba876428ab0fa9cee0c50" to "bd3f32860d2018df4b4be9a1c103fb8797db1a2ffd5859cacf357c9fd98b8242" clauses [#klineage.clause<"whole_bytes", types, proved, expected "elements of whole bytes", found "f32", nearest "", by "folding", assuming []>, #klineage.clause<"shared_capacity", hardware, proved, expected "at most 232448 bytes of shared memory a block on sm_90a", found "16640 bytes", nearest "232448", by "folding", assuming []>, #klineage.clause<"known_accessors", layout, proved, expected "only loads, stores and strided views of the buffer", found "only these", nearest "", by "folding", assuming []>, #klineage.clause<"aligned", storage, proved, expected "padded rows of a multiple of 1 bytes", found "260 bytes", nearest "1", by "folding", assuming []>]
      klineage.step "vectorize_access" on [7] undo 11 {guarded, vector = 4 : i64} guarded numerics <bit_exact> from "bd3f32860d2018df4b4be9a1c103fb8797db1a2ffd5859cacf357c9fd98b8242" to "4caef87fcb60631610831c2dc3da2dfd11ca565574a17ee1bdc0ef7b43e0ce65" clauses [#klineage.clause<"simt_form", types, proved, expected "an operation that threads of a block execute", found "such an operation", nearest "", by "folding", assuming []>, #klineage.clause<"simple_maps", layout, proved, expected "operands indexed by distinct loops, and no linalg.index", found "such maps", nearest "", by "folding", assuming []>, #klineage.clause<"whole_bytes", types, proved, expected "elements of whole bytes", found "f32", nearest "", by "folding", assuming []>, #klineage.clause<"unit_stride", layout, proved, expected "innermost dimension with stride 1", found "stride 1", nearest "", by "folding", assuming []>, #klineage.clause<"divisible", layout, proved, expected "rows of a multiple of 4 elements", found "4", nearest "4", by "folding", assuming []>, #klineage.clause<"vector_width", hardware, proved, expected "accesses of a power of two up to 16 bytes", found "16 bytes", nearest "", by "folding", assuming []>, #klineage.clause<"aligned", storage, proved, expected "each row aligned to 16 bytes", found "known to be 16-byte aligned", nearest "", by "folding", assuming ["the launch checks the alignment of entry buffers"]>, #klineage.clause<"static_extent", layout, unknown, expected "a thread tile of constant size", found "a dynamic size", nearest "", by "folding", assuming []>, #klineage.clause<"vector_count", layout, proved, expected "1 to 64 vectors a thread and operand", found "1", nearest "", by "folding", assuming []>]
      klineage.step "vectorize_access" on [14] undo 15 {vector = 4 : i64} numerics <bit_exact> from "4caef87fcb60631610831c2dc3da2dfd11ca565574a17ee1bdc0ef7b43e0ce65" to "cd72efa46600a408a7f1f896403a71488a849b1600c466b91f49d426dcc3c89d" clauses [#klineage.clause<"simt_form", types, proved, expected "an operation that threads of a block execute", found "such an operation", nearest "", by "folding", assuming []>, #klineage.clause<"simple_maps", layout, proved, expected "operands indexed by distinct loops, and no linalg.index", found "such maps", nearest "", by "folding", assuming []>, #klineage.clause<"whole_bytes", types, proved, expected "elements of whole bytes", found "f32", nearest "", by "folding", assuming []>, #klineage.clause<"unit_stride", layout, proved, expected "innermost dimension with stride 1", found "stride 1", nearest "", by "folding", assuming []>, #klineage.clause<"divisible", layout, proved, expected "rows of a multiple of 4 elements", found "4", nearest "4", by "folding", assuming []>, #klineage.clause<"vector_width", hardware, proved, expected "accesses of a power of two up to 16 bytes", found "16 bytes", nearest "", by "folding", assuming []>, #klineage.clause<"aligned", storage, proved, expected "each row aligned to 16 bytes", found "known to be 16-byte aligned", nearest "", by "folding", assuming ["the launch checks the alignment of entry buffers"]>, #klineage.clause<"static_extent", layout, proved, expected "a thread tile of constant size", found "a constant size", nearest "", by "folding", assuming []>, #klineage.clause<"vector_count", layout, proved, expected "1 to 64 vectors a thread and operand", found "1", nearest "", by "folding", assuming []>, #klineage.clause<"launch_limits", hardware, proved, expected "1 to 1024 threads within 1024 x 1024 x 64 and at most 232448 shared bytes", found "256 x 1 x 1 threads and 16640 shared bytes", nearest "", by "folding", assuming []>, #klineage.clause<"grid_limits", hardware, proved, expected "a grid within 2147483647 x 65535 x 65535", found "", nearest "", by "folding", assuming []>, #klineage.clause<"in_bounds", storage, proved, expected "every access lies in its buffer", found "", nearest "", by "presburger", assuming ["index arithmetic does not wrap"]>, #klineage.clause<"aligned", layout, proved, expected "every access is as aligned as it claims", found "", nearest "", by "folding", assuming []>, #klineage.clause<"barrier_uniform", pipeline, proved, expected "all threads of a block meet at every barrier", found "", nearest "", by "presburger", assuming []>, #klineage.clause<"race_free_shared", storage, proved, expected "no two threads touch one element, one of them writing, without a barrier between", found "", nearest "", by "presburger", assuming []>, #klineage.clause<"race_free_global", storage, proved, expected "no two threads touch one element, one of them writing, without a barrier between", found "", nearest "", by "presburger", assuming []>, #klineage.clause<"bank_conflict_degree", hardware, proved, expected "at most 32 passes over the banks for a group of lanes", found "a store to %arg2 has degree 2", nearest "", by "enumeration", assuming []>]
    }
  }
}

