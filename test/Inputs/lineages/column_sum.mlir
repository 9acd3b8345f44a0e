#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0) -> (-d0 + 1000, 64)>
#map3 = affine_map<(d0) -> (d0 mod 64)>
module {
  klineage.lineage @column_sum target <"sm_90a"> attributes {klineage.ended = "no further skill applies"} {
    klineage.state @s0 sha256 "67a6fb125e4f026579c3331b5f49e4ca4d423d6104c3536606e6014493360f2e" {
      builtin.module {
        func.func @column_sum(%arg0: memref<128x1000xf32> {llvm.align = 16 : i64}, %arg1: memref<1000xf32> {llvm.align = 16 : i64, llvm.noalias}) {
          %cst = arith.constant 0.000000e+00 : f32
          linalg.fill ins(%cst : f32) outs(%arg1 : memref<1000xf32>)
          linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%arg0 : memref<128x1000xf32>) outs(%arg1 : memref<1000xf32>) {
          ^bb0(%in: f32, %out: f32):
            %0 = arith.addf %in, %out : f32
            linalg.yield %0 : f32
          }
          return
        }
      }
    }
    klineage.trial @s0 by "column_split" at 3 knobs {} verdict <illegal, "clauses", "no legal knob setting: vector * io_bytes <= 16: 32 <= 16 does not hold (vector = 8, io_bytes = 4)", {}> clauses []
    klineage.state @s1 sha256 "b87173a908ea14a921d36954e52a02b9b5812886e5ec9f4b94f811ec68b620c1" features ["register_tiled", "vectorized"] {
      builtin.module {
        func.func @column_sum(%arg0: memref<128x1000xf32> {llvm.align = 16 : i64}, %arg1: memref<1000xf32> {llvm.align = 16 : i64, llvm.noalias}) {
          %c64 = arith.constant 64 : index
          %cst = arith.constant 0.000000e+00 : f32
          %c0 = arith.constant 0 : index
          %c128 = arith.constant 128 : index
          %c16 = arith.constant 16 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %c3 = arith.constant 3 : index
          %c4 = arith.constant 4 : index
          %c5 = arith.constant 5 : index
          %c6 = arith.constant 6 : index
          %c7 = arith.constant 7 : index
          %c8 = arith.constant 8 : index
          %c9 = arith.constant 9 : index
          %c10 = arith.constant 10 : index
          %c11 = arith.constant 11 : index
          %c12 = arith.constant 12 : index
          %c13 = arith.constant 13 : index
          %c14 = arith.constant 14 : index
          %c15 = arith.constant 15 : index
          scf.forall (%arg2) = (0) to (1000) step (64) {
            %0 = affine.min #map2(%arg2)
            %subview = memref.subview %arg1[%arg2] [%0] [1] : memref<1000xf32> to memref<?xf32, strided<[1], offset: ?>>
            %subview_0 = memref.subview %arg0[0, %arg2] [128, %0] [1, 1] : memref<128x1000xf32> to memref<128x?xf32, strided<[1000, 1], offset: ?>>
            scf.forall (%arg3) in (64) {
              %1 = affine.apply #map3(%arg3)
              scf.for %arg4 = %1 to %0 step %c64 {
                %subview_1 = memref.subview %subview[%arg4] [1] [1] : memref<?xf32, strided<[1], offset: ?>> to memref<1xf32, strided<[1], offset: ?>>
                linalg.fill {klineage.mapping = "rows"} ins(%cst : f32) outs(%subview_1 : memref<1xf32, strided<[1], offset: ?>>)
              } {klineage.thread_loop}
              scf.for %arg4 = %c0 to %c128 step %c16 {
                %subview_1 = memref.subview %subview_0[%arg4, 0] [16, %0] [1, 1] : memref<128x?xf32, strided<[1000, 1], offset: ?>> to memref<16x?xf32, strided<[1000, 1], offset: ?>>
                scf.for %arg5 = %1 to %0 step %c64 {
                  %subview_2 = memref.subview %subview[%arg5] [1] [1] : memref<?xf32, strided<[1], offset: ?>> to memref<1xf32, strided<[1], offset: ?>>
                  %alloca = memref.alloca() : memref<1xf32, #gpu.address_space<private>>
                  linalg.copy ins(%subview_2 : memref<1xf32, strided<[1], offset: ?>>) outs(%alloca : memref<1xf32, #gpu.address_space<private>>)
                  %subview_3 = memref.subview %subview_1[0, %arg5] [16, 1] [1, 1] : memref<16x?xf32, strided<[1000, 1], offset: ?>> to memref<16x1xf32, strided<[1000, 1], offset: ?>>
                  %2 = vector.load %subview_3[%c0, %c0] : memref<16x1xf32, strided<[1000, 1], offset: ?>>, vector<1xf32>
                  %alloca_4 = memref.alloca() {alignment = 4 : i64} : memref<16x1xf32, #gpu.address_space<private>>
                  vector.store %2, %alloca_4[%c0, %c0] : memref<16x1xf32, #gpu.address_space<private>>, vector<1xf32>
                  %3 = vector.load %subview_3[%c1, %c0] : memref<16x1xf32, strided<[1000, 1], offset: ?>>, vector<1xf32>
                  vector.store %3, %alloca_4[%c1, %c0] : memref<16x1xf32, #gpu.address_space<private>>, vector<1xf32>
                  %4 = vector.load %subview_3[%c2, %c0] : memref<16x1xf32, strided<[1000, 1], offset: ?>>, vector<1xf32>
                  vector.store %4, %alloca_4[%c2, %c0] : memref<16x1xf32, #gpu.address_space<private>>, vector<1xf32>
                  %5 = vector.load %subview_3[%c3, %c0] : memref<16x1xf32, strided<[1000, 1], offset: ?>>, vector<1xf32>
                  vector.store %5, %alloca_4[%c3, %c0] : memref<16x1xf32, #gpu.address_space<private>>, vector<1xf32>
                  %6 = vector.load %subview_3[%c4, %c0] : memref<16x1xf32, strided<[1000, 1], offset: ?>>, vector<1xf32>
                  vector.store %6, %alloca_4[%c4, %c0] : memref<16x1xf32, #gpu.address_space<private>>, vector<1xf32>
                  %7 = vector.load %subview_3[%c5, %c0] : memref<16x1xf32, strided<[1000, 1], offset: ?>>, vector<1xf32>
                  vector.store %7, %alloca_4[%c5, %c0] : memref<16x1xf32, #gpu.address_space<private>>, vector<1xf32>
                  %8 = vector.load %subview_3[%c6, %c0] : memref<16x1xf32, strided<[1000, 1], offset: ?>>, vector<1xf32>
                  vector.store %8, %alloca_4[%c6, %c0] : memref<16x1xf32, #gpu.address_space<private>>, vector<1xf32>
                  %9 = vector.load %subview_3[%c7, %c0] : memref<16x1xf32, strided<[1000, 1], offset: ?>>, vector<1xf32>
                  vector.store %9, %alloca_4[%c7, %c0] : memref<16x1xf32, #gpu.address_space<private>>, vector<1xf32>
                  %10 = vector.load %subview_3[%c8, %c0] : memref<16x1xf32, strided<[1000, 1], offset: ?>>, vector<1xf32>
                  vector.store %10, %alloca_4[%c8, %c0] : memref<16x1xf32, #gpu.address_space<private>>, vector<1xf32>
                  %11 = vector.load %subview_3[%c9, %c0] : memref<16x1xf32, strided<[1000, 1], offset: ?>>, vector<1xf32>
                  vector.store %11, %alloca_4[%c9, %c0] : memref<16x1xf32, #gpu.address_space<private>>, vector<1xf32>
                  %12 = vector.load %subview_3[%c10, %c0] : memref<16x1xf32, strided<[1000, 1], offset: ?>>, vector<1xf32>
                  vector.store %12, %alloca_4[%c10, %c0] : memref<16x1xf32, #gpu.address_space<private>>, vector<1xf32>
                  %13 = vector.load %subview_3[%c11, %c0] : memref<16x1xf32, strided<[1000, 1], offset: ?>>, vector<1xf32>
                  vector.store %13, %alloca_4[%c11, %c0] : memref<16x1xf32, #gpu.address_space<private>>, vector<1xf32>
                  %14 = vector.load %subview_3[%c12, %c0] : memref<16x1xf32, strided<[1000, 1], offset: ?>>, vector<1xf32>
                  vector.store %14, %alloca_4[%c12, %c0] : memref<16x1xf32, #gpu.address_space<private>>, vector<1xf32>
                  %15 = vector.load %subview_3[%c13, %c0] : memref<16x1xf32, strided<[1000, 1], offset: ?>>, vector<1xf32>
                  vector.store %15, %alloca_4[%c13, %c0] : memref<16x1xf32, #gpu.address_space<private>>, vector<1xf32>
                  %16 = vector.load %subview_3[%c14, %c0] : memref<16x1xf32, strided<[1000, 1], offset: ?>>, vector<1xf32>
                  vector.store %16, %alloca_4[%c14, %c0] : memref<16x1xf32, #gpu.address_space<private>>, vector<1xf32>
                  %17 = vector.load %subview_3[%c15, %c0] : memref<16x1xf32, strided<[1000, 1], offset: ?>>, vector<1xf32>
                  vector.store %17, %alloca_4[%c15, %c0] : memref<16x1xf32, #gpu.address_space<private>>, vector<1xf32>
                  linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%alloca_4 : memref<16x1xf32, #gpu.address_space<private>>) outs(%alloca : memref<1xf32, #gpu.address_space<private>>) attrs =  {klineage.mapping = "rows"} {
                  ^bb0(%in: f32, %out: f32):
                    %18 = arith.addf %in, %out : f32
                    linalg.yield %18 : f32
                  }
                  linalg.copy ins(%alloca : memref<1xf32, #gpu.address_space<private>>) outs(%subview_2 : memref<1xf32, strided<[1], offset: ?>>)
                } {klineage.thread_loop}
              }
            } {mapping = [#gpu.thread<x>]}
          } {mapping = [#gpu.block<x>]}
          return
        }
      }
    }
    klineage.transition @t0 @s0 -> @s1 by "column_reduction" at 3 knobs {columns = 64 : i64, rows = 16 : i64, threads = 64 : i64, vector = 1 : i64} reversible numerics <bit_exact> certificate <proved, ["index arithmetic does not wrap", "simt 128x1000xf32, 1000xf32"]> verdict <accepted, "correctness", "all 20 runs agree", {counts = {column_sum_k0.barriers = 0 : i64, column_sum_k0.global_sectors = 2320 : i64, column_sum_k0.shared_bank_conflicts = 0 : i64}, resources = {column_sum_k0.registers = 31 : i64, column_sum_k0.shared_bytes = 0 : i64, column_sum_k0.spill_stores = 0 : i64}, runs = 20 : i64, self_checks = 11 : i64}> {
      klineage.step "tile_to_blocks" on [3] undo 3 {tile_sizes = [0, 64]} numerics <bit_exact> from "67a6fb125e4f026579c3331b5f49e4ca4d423d6104c3536606e6014493360f2e" to "dd086709c0ec2be3c662acc59174fee048ebf7c43f88a04e10131cacad69ed42" clauses [#klineage.clause<"host_form", types, proved, expected "an operation directly in the entry function", found "such an operation", nearest "", by "folding", assuming []>, #klineage.clause<"simple_maps", layout, proved, expected "operands indexed by distinct loops, and no linalg.index", found "such maps", nearest "", by "folding", assuming []>, #klineage.clause<"loop_parallel", types, proved, expected "loop 1 parallel", found "parallel", nearest "", by "folding", assuming []>, #klineage.clause<"disjoint_writes", storage, proved, expected "iterations of loop 1 that write different elements", found "outputs indexed by it", nearest "", by "folding", assuming []>, #klineage.clause<"grid_limits", hardware, proved, expected "a grid within 2147483647 x 65535 x 65535", found "within the limits", nearest "", by "folding", assuming []>]
      klineage.step "fuse_producer" on [2, 3] undo 3 {tiled_loops = [0]} numerics <bit_exact> from "dd086709c0ec2be3c662acc59174fee048ebf7c43f88a04e10131cacad69ed42" to "9696254e8f5cf2150778c1622e9317ad099f2cff4c49e5c465aefd1c64402847" clauses [#klineage.clause<"host_form", types, proved, expected "an operation directly in the entry function", found "such an operation", nearest "", by "folding", assuming []>, #klineage.clause<"host_form", types, proved, expected "an operation directly in the entry function", found "such an operation", nearest "", by "folding", assuming []>, #klineage.clause<"producer_first", types, proved, expected "the producer before its consumer", found "before", nearest "", by "folding", assuming []>, #klineage.clause<"simple_maps", layout, proved, expected "operands indexed by distinct loops, and no linalg.index", found "such maps", nearest "", by "folding", assuming []>, #klineage.clause<"one_tile", layout, proved, expected "one tile of the buffer used in the loop", found "one", nearest "", by "folding", assuming []>, #klineage.clause<"tile_partition", layout, proved, expected "tiles that cover the buffer, each once", found "a partition", nearest "", by "folding", assuming []>, #klineage.clause<"no_interference", storage, proved, expected "nothing between that uses the producer's buffers", found "nothing", nearest "", by "folding", assuming []>]
      klineage.step "strip_mine_reduction" on [4] undo 4 {dim = 0 : i64, size = 16 : i64} numerics <bit_exact> from "9696254e8f5cf2150778c1622e9317ad099f2cff4c49e5c465aefd1c64402847" to "a8898797854aaf013493d9129769ceef557895f6bc0db4c502349a7c1102aacf" clauses [#klineage.clause<"simple_maps", layout, proved, expected "operands indexed by distinct loops, and no linalg.index", found "such maps", nearest "", by "folding", assuming []>, #klineage.clause<"reduction_loop", types, proved, expected "loop 0 a reduction", found "a reduction", nearest "", by "folding", assuming []>, #klineage.clause<"outermost_reduction", types, proved, expected "no reduction loop outside of loop 0", found "none", nearest "", by "folding", assuming []>]
      klineage.step "distribute_to_threads" on [2] undo 3 {threads = [64], vector = 1 : i64} numerics <bit_exact> from "a8898797854aaf013493d9129769ceef557895f6bc0db4c502349a7c1102aacf" to "c8ef84db35feeac930aa8c50146fb2a8af673e4fb9255659156783ac2ed60b73" clauses [#klineage.clause<"thread_limit", hardware, proved, expected "1 to 1024 threads a block on sm_90a", found "64", nearest "1024", by "folding", assuming []>, #klineage.clause<"distributable", types, proved, expected "linalg operations, serial loops and pure operations in the body", found "only these", nearest "", by "folding", assuming []>, #klineage.clause<"simple_maps", layout, proved, expected "operands indexed by distinct loops, and no linalg.index", found "such maps", nearest "", by "folding", assuming []>, #klineage.clause<"disjoint_writes", storage, proved, expected "iterations of loop 0 that write different elements", found "outputs indexed by it", nearest "", by "folding", assuming []>, #klineage.clause<"simple_maps", layout, proved, expected "operands indexed by distinct loops, and no linalg.index", found "such maps", nearest "", by "folding", assuming []>, #klineage.clause<"disjoint_writes", storage, proved, expected "iterations of loop 1 that write different elements", found "outputs indexed by it", nearest "", by "folding", assuming []>]
      klineage.step "register_tile" on [8] undo 10 {} numerics <bit_exact> from "c8ef84db35feeac930aa8c50146fb2a8af673e4fb9255659156783ac2ed60b73" to "2a342e442c95a3fe98cb20fdc797da2eea35e484a7817944b579ba847e77a0b9" clauses [#klineage.clause<"simt_form", types, proved, expected "an operation that threads of a block execute", found "such an operation", nearest "", by "folding", assuming []>, #klineage.clause<"one_output", storage, proved, expected "one output that is not in registers yet", found "one", nearest "", by "folding", assuming []>, #klineage.clause<"whole_bytes", types, proved, expected "elements of whole bytes", found "f32", nearest "", by "folding", assuming []>, #klineage.clause<"static_extent", layout, proved, expected "a thread tile of constant size", found "a constant size", nearest "", by "folding", assuming []>, #klineage.clause<"register_estimate", hardware, proved, expected "at most 255 registers a thread", found "about 41", nearest "255", by "folding", assuming []>, #klineage.clause<"sole_access", storage, proved, expected "no other access to the output in the loop", found "none", nearest "", by "folding", assuming []>]
      klineage.step "vectorize_access" on [10] undo 43 {vector = 1 : i64} numerics <bit_exact> from "2a342e442c95a3fe98cb20fdc797da2eea35e484a7817944b579ba847e77a0b9" to "b87173a908ea14a921d36954e52a02b9b5812886e5ec9f4b94f811ec68b620c1" clauses [#klineage.clause<"simt_form", types, proved, expected "an operation that threads of a block execute", found "such an operation", nearest "", by "folding", assuming []>, #klineage.clause<"simple_maps", layout, proved, expected "operands indexed by distinct loops, and no linalg.index", found "such maps", nearest "", by "folding", assuming []>, #klineage.clause<"whole_bytes", types, proved, expected "elements of whole bytes", found "f32", nearest "", by "folding", assuming []>, #klineage.clause<"unit_stride", layout, proved, expected "innermost dimension with stride 1", found "stride 1", nearest "", by "folding", assuming []>, #klineage.clause<"divisible", layout, proved, expected "rows of a multiple of 1 elements", found "1", nearest "1", by "folding", assuming []>, #klineage.clause<"vector_width", hardware, proved, expected "accesses of a power of two up to 16 bytes", found "4 bytes", nearest "", by "folding", assuming []>, #klineage.clause<"static_extent", layout, proved, expected "a thread tile of constant size", found "a constant size", nearest "", by "folding", assuming []>, #klineage.clause<"vector_count", layout, proved, expected "1 to 64 vectors a thread and operand", found "16", nearest "", by "folding", assuming []>, #klineage.clause<"launch_limits", hardware, proved, expected "1 to 1024 threads within 1024 x 1024 x 64 and at most 232448 shared bytes", found "64 x 1 x 1 threads and 0 shared bytes", nearest "", by "folding", assuming []>, #klineage.clause<"grid_limits", hardware, proved, expected "a grid within 2147483647 x 65535 x 65535", found "", nearest "", by "folding", assuming []>, #klineage.clause<"in_bounds", storage, proved, expected "every access lies in its buffer", found "", nearest "", by "presburger", assuming ["index arithmetic does not wrap"]>, #klineage.clause<"aligned", layout, proved, expected "every access is as aligned as it claims", found "", nearest "", by "folding", assuming []>, #klineage.clause<"barrier_uniform", pipeline, proved, expected "all threads of a block meet at every barrier", found "", nearest "", by "folding", assuming []>, #klineage.clause<"race_free_shared", storage, proved, expected "no two threads touch one element, one of them writing, without a barrier between", found "", nearest "", by "folding", assuming []>, #klineage.clause<"race_free_global", storage, proved, expected "no two threads touch one element, one of them writing, without a barrier between", found "", nearest "", by "presburger", assuming []>, #klineage.clause<"bank_conflict_degree", hardware, proved, expected "at most 32 passes over the banks for a group of lanes", found "no access to shared memory", nearest "", by "enumeration", assuming []>]
    }
  }
}

