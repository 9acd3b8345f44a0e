#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0) -> (d0 * 4)>
#map5 = affine_map<(d0) -> (996, d0 * 4 + 512)>
#map6 = affine_map<(d0) -> ()>
#map7 = affine_map<() -> ()>
#map8 = affine_map<(d0) -> (d0 * 4 + 512)>
module {
  klineage.lineage @rms_norm target <"sm_90a"> attributes {klineage.ended = "no further skill applies"} {
    klineage.state @s0 sha256 "1409833af4e3739d958404e642d0dbc932976f089116eaca37d9136e1c944af6" {
      builtin.module {
        func.func @rms_norm(%arg0: memref<128x1000xf32> {llvm.align = 16 : i64}, %arg1: memref<1000xf32> {llvm.align = 16 : i64}, %arg2: memref<128x1000xf32> {llvm.align = 16 : i64, llvm.noalias}) {
          %cst = arith.constant 0.000000e+00 : f32
          %alloc = memref.alloc() {alignment = 64 : i64} : memref<128xf32>
          linalg.fill ins(%cst : f32) outs(%alloc : memref<128xf32>)
          linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : memref<128x1000xf32>) outs(%alloc : memref<128xf32>) {
          ^bb0(%in: f32, %out: f32):
            %0 = arith.mulf %in, %in : f32
            %1 = arith.addf %0, %out : f32
            linalg.yield %1 : f32
          }
          %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<128xf32>
          %cst_1 = arith.constant 1.000000e+03 : f32
          %cst_2 = arith.constant 9.99999974E-6 : f32
          linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%alloc : memref<128xf32>) outs(%alloc_0 : memref<128xf32>) {
          ^bb0(%in: f32, %out: f32):
            %0 = arith.divf %in, %cst_1 : f32
            %1 = arith.addf %0, %cst_2 : f32
            %2 = math.rsqrt %1 : f32
            linalg.yield %2 : f32
          }
          %alloc_3 = memref.alloc() {alignment = 64 : i64} : memref<128x1000xf32>
          linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %alloc_0 : memref<128x1000xf32>, memref<128xf32>) outs(%alloc_3 : memref<128x1000xf32>) {
          ^bb0(%in: f32, %in_4: f32, %out: f32):
            %0 = arith.mulf %in, %in_4 : f32
            linalg.yield %0 : f32
          }
          linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%alloc_3, %arg1 : memref<128x1000xf32>, memref<1000xf32>) outs(%arg2 : memref<128x1000xf32>) {
          ^bb0(%in: f32, %in_4: f32, %out: f32):
            %0 = arith.mulf %in, %in_4 : f32
            linalg.yield %0 : f32
          }
          return
        }
      }
    }
    klineage.state @s1 sha256 "dc77eba734ff09e3f3631bdf20069b369d9dbbf491a0c9d8bc7977e7d453e3d9" features ["row_in_registers"] {
      builtin.module {
        func.func @rms_norm(%arg0: memref<128x1000xf32> {llvm.align = 16 : i64}, %arg1: memref<1000xf32> {llvm.align = 16 : i64}, %arg2: memref<128x1000xf32> {llvm.align = 16 : i64, llvm.noalias}) {
          %c0 = arith.constant 0 : index
          %c4 = arith.constant 4 : index
          %cst = arith.constant 0.000000e+00 : f32
          %c122 = arith.constant 122 : index
          %cst_0 = arith.constant 1.000000e+03 : f32
          %cst_1 = arith.constant 9.99999974E-6 : f32
          scf.forall (%arg3) in (128) {
            scf.forall (%arg4) in (128) {
              %0 = affine.apply #map4(%arg4)
              %1 = vector.load %arg0[%arg3, %0] {alignment = 16 : i64} : memref<128x1000xf32>, vector<4xf32>
              %alloca = memref.alloca() {alignment = 16 : i64} : memref<8xf32, #gpu.address_space<private>>
              vector.store %1, %alloca[%c0] : memref<8xf32, #gpu.address_space<private>>, vector<4xf32>
              %2 = affine.min #map5(%arg4)
              %3 = vector.load %arg0[%arg3, %2] {alignment = 16 : i64} : memref<128x1000xf32>, vector<4xf32>
              vector.store %3, %alloca[%c4] : memref<8xf32, #gpu.address_space<private>>, vector<4xf32>
              %alloca_2 = memref.alloca() : memref<f32, #gpu.address_space<private>>
              linalg.fill {klineage.stage = 0 : i64} ins(%cst : f32) outs(%alloca_2 : memref<f32, #gpu.address_space<private>>)
              %4 = arith.cmpi ult, %arg4, %c122 : index
              linalg.generic {indexing_maps = [#map2, #map6], iterator_types = ["reduction"]} ins(%alloca : memref<8xf32, #gpu.address_space<private>>) outs(%alloca_2 : memref<f32, #gpu.address_space<private>>) attrs =  {klineage.stage = 1 : i64} {
              ^bb0(%in: f32, %out: f32):
                %11 = linalg.index 0 : index
                %12 = arith.cmpi ult, %11, %c4 : index
                %13 = arith.ori %12, %4 : i1
                %14 = arith.mulf %in, %in : f32
                %15 = arith.addf %14, %out : f32
                %16 = arith.select %13, %15, %out : f32
                linalg.yield %16 : f32
              }
              %5 = memref.load %alloca_2[] : memref<f32, #gpu.address_space<private>>
              %6 = gpu.all_reduce  add %5 uniform {
              } : (f32) -> f32
              memref.store %6, %alloca_2[] : memref<f32, #gpu.address_space<private>>
              %alloca_3 = memref.alloca() : memref<f32, #gpu.address_space<private>>
              linalg.generic {indexing_maps = [#map7, #map7], iterator_types = []} ins(%alloca_2 : memref<f32, #gpu.address_space<private>>) outs(%alloca_3 : memref<f32, #gpu.address_space<private>>) attrs =  {klineage.stage = 2 : i64} {
              ^bb0(%in: f32, %out: f32):
                %11 = arith.divf %in, %cst_0 : f32
                %12 = arith.addf %11, %cst_1 : f32
                %13 = math.rsqrt %12 : f32
                linalg.yield %13 : f32
              }
              %alloca_4 = memref.alloca() {alignment = 16 : i64} : memref<8xf32, #gpu.address_space<private>>
              linalg.generic {indexing_maps = [#map2, #map6, #map2], iterator_types = ["parallel"]} ins(%alloca, %alloca_3 : memref<8xf32, #gpu.address_space<private>>, memref<f32, #gpu.address_space<private>>) outs(%alloca_4 : memref<8xf32, #gpu.address_space<private>>) attrs =  {klineage.stage = 3 : i64} {
              ^bb0(%in: f32, %in_7: f32, %out: f32):
                %11 = arith.mulf %in, %in_7 : f32
                linalg.yield %11 : f32
              }
              %7 = vector.load %arg1[%0] {alignment = 16 : i64} : memref<1000xf32>, vector<4xf32>
              %alloca_5 = memref.alloca() {alignment = 16 : i64} : memref<8xf32, #gpu.address_space<private>>
              vector.store %7, %alloca_5[%c0] : memref<8xf32, #gpu.address_space<private>>, vector<4xf32>
              %8 = vector.load %arg1[%2] {alignment = 16 : i64} : memref<1000xf32>, vector<4xf32>
              vector.store %8, %alloca_5[%c4] : memref<8xf32, #gpu.address_space<private>>, vector<4xf32>
              %alloca_6 = memref.alloca() {alignment = 16 : i64} : memref<8xf32, #gpu.address_space<private>>
              linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%alloca_4, %alloca_5 : memref<8xf32, #gpu.address_space<private>>, memref<8xf32, #gpu.address_space<private>>) outs(%alloca_6 : memref<8xf32, #gpu.address_space<private>>) attrs =  {klineage.stage = 4 : i64} {
              ^bb0(%in: f32, %in_7: f32, %out: f32):
                %11 = arith.mulf %in, %in_7 : f32
                linalg.yield %11 : f32
              }
              %9 = vector.load %alloca_6[%c0] : memref<8xf32, #gpu.address_space<private>>, vector<4xf32>
              vector.store %9, %arg2[%arg3, %0] {alignment = 16 : i64} : memref<128x1000xf32>, vector<4xf32>
              %10 = affine.apply #map8(%arg4)
              scf.if %4 {
                %11 = vector.load %alloca_6[%c4] : memref<8xf32, #gpu.address_space<private>>, vector<4xf32>
                vector.store %11, %arg2[%arg3, %10] {alignment = 16 : i64} : memref<128x1000xf32>, vector<4xf32>
              }
            } {mapping = [#gpu.thread<x>]}
          } {mapping = [#gpu.block<x>]}
          return
        }
      }
    }
    klineage.transition @t0 @s0 -> @s1 by "row_reduction" at 4 knobs {threads = 128 : i64, vector = 4 : i64} reversible numerics <reassociating> certificate <proved, ["index arithmetic does not wrap", "the launch checks that entry buffers do not overlap", "the launch checks the alignment of entry buffers", "simt 128x1000xf32, 1000xf32, 128x1000xf32"]> verdict <accepted, "correctness", "all 20 runs agree", {counts = {rms_norm_k0.barriers = 128 : i64, rms_norm_k0.global_sectors = 750 : i64, rms_norm_k0.shared_bank_conflicts = 0 : i64}, max_error = 2.0140495560692882E-7 : f64, resources = {rms_norm_k0.registers = 26 : i64, rms_norm_k0.shared_bytes = 16 : i64, rms_norm_k0.spill_stores = 0 : i64}, runs = 20 : i64, self_checks = 12 : i64, tolerance = 8.2547132019242754E-6 : f64}> {
      klineage.step "block_row_reduction" on [4] undo 2 {order_matters = true, stage = 1 : i64, temporaries = [[1, 64, 1, 128], [2, 64, 1, 128], [3, 64, 2, 128, 1000]], threads = 128 : i64, vector = 4 : i64} numerics <reassociating> from "1409833af4e3739d958404e642d0dbc932976f089116eaca37d9136e1c944af6" to "dc77eba734ff09e3f3631bdf20069b369d9dbbf491a0c9d8bc7977e7d453e3d9" clauses [#klineage.clause<"host_form", types, proved, expected "an operation directly in the entry function", found "such an operation", nearest "", by "folding", assuming []>, #klineage.clause<"row_reduction", types, proved, expected "an operation next to a reduction of the innermost loop alone, over the same rows", found "such an operation", nearest "", by "folding", assuming []>, #klineage.clause<"thread_limit", hardware, proved, expected "1 to 1024 threads a block on sm_90a", found "128", nearest "1024", by "folding", assuming []>, #klineage.clause<"reduction_reorderable", types, proved, expected "an associative and commutative combiner", found "arith.addf", nearest "", by "folding", assuming []>, #klineage.clause<"neutral_element", types, proved, expected "a combiner with a neutral element", found "arith.addf", nearest "", by "folding", assuming []>, #klineage.clause<"dominating_fill", storage, proved, expected "an output filled before, next to the reduction", found "a fill", nearest "", by "folding", assuming []>, #klineage.clause<"single_assignment", storage, proved, expected "each buffer written once, before it is read", found "such buffers", nearest "", by "folding", assuming []>, #klineage.clause<"row_local", storage, proved, expected "results used in the row that computes them", found "such uses", nearest "", by "folding", assuming []>, #klineage.clause<"size_recoverable", layout, proved, expected "temporaries sized by constants and dimensions of arguments", found "such sizes", nearest "", by "folding", assuming []>, #klineage.clause<"no_alias", storage, proved, expected "two buffers that share no byte", found "distinct buffers", nearest "", by "folding", assuming []>, #klineage.clause<"no_alias", storage, proved, expected "two buffers that share no byte", found "distinct buffers", nearest "", by "folding", assuming []>, #klineage.clause<"no_alias", storage, proved, expected "two buffers that share no byte", found "distinct buffers", nearest "", by "folding", assuming []>, #klineage.clause<"no_alias", storage, proved, expected "two buffers that share no byte", found "distinct buffers", nearest "", by "folding", assuming []>, #klineage.clause<"no_alias", storage, proved, expected "two buffers that share no byte", found "distinct buffers", nearest "", by "folding", assuming []>, #klineage.clause<"no_alias", storage, proved, expected "two buffers that share no byte", found "distinct buffers", nearest "", by "folding", assuming []>, #klineage.clause<"no_alias", storage, proved, expected "two buffers that share no byte", found "distinct buffers", nearest "", by "folding", assuming []>, #klineage.clause<"no_alias", storage, proved, expected "two buffers that share no byte", found "distinct buffers", nearest "", by "folding", assuming ["the launch checks that entry buffers do not overlap"]>, #klineage.clause<"no_alias", storage, proved, expected "two buffers that share no byte", found "distinct buffers", nearest "", by "folding", assuming []>, #klineage.clause<"no_alias", storage, proved, expected "two buffers that share no byte", found "distinct buffers", nearest "", by "folding", assuming []>, #klineage.clause<"no_alias", storage, proved, expected "two buffers that share no byte", found "distinct buffers", nearest "", by "folding", assuming []>, #klineage.clause<"no_alias", storage, proved, expected "two buffers that share no byte", found "distinct buffers", nearest "", by "folding", assuming []>, #klineage.clause<"no_alias", storage, proved, expected "two buffers that share no byte", found "distinct buffers", nearest "", by "folding", assuming []>, #klineage.clause<"no_alias", storage, proved, expected "two buffers that share no byte", found "distinct buffers", nearest "", by "folding", assuming ["the launch checks that entry buffers do not overlap"]>, #klineage.clause<"grid_limits", hardware, proved, expected "a grid within 2147483647 x 65535 x 65535", found "within the limits", nearest "", by "folding", assuming []>, #klineage.clause<"vector_width", hardware, proved, expected "vectors of a power of two elements", found "4", nearest "", by "folding", assuming []>, #klineage.clause<"divisible", layout, proved, expected "extent of loop 1 divisible by 4", found "1000", nearest "", by "folding", assuming []>, #klineage.clause<"whole_bytes", types, proved, expected "elements of whole bytes", found "f32", nearest "", by "folding", assuming []>, #klineage.clause<"unit_stride", layout, proved, expected "innermost dimension with stride 1", found "stride 1", nearest "", by "folding", assuming []>, #klineage.clause<"aligned", storage, proved, expected "each row aligned to 16 bytes", found "known to be 16-byte aligned", nearest "", by "folding", assuming ["the launch checks the alignment of entry buffers"]>, #klineage.clause<"whole_bytes", types, proved, expected "elements of whole bytes", found "f32", nearest "", by "folding", assuming []>, #klineage.clause<"unit_stride", layout, proved, expected "innermost dimension with stride 1", found "stride 1", nearest "", by "folding", assuming []>, #klineage.clause<"aligned", storage, proved, expected "each row aligned to 16 bytes", found "known to be 16-byte aligned", nearest "", by "folding", assuming ["the launch checks the alignment of entry buffers"]>, #klineage.clause<"whole_bytes", types, proved, expected "elements of whole bytes", found "f32", nearest "", by "folding", assuming []>, #klineage.clause<"unit_stride", layout, proved, expected "innermost dimension with stride 1", found "stride 1", nearest "", by "folding", assuming []>, #klineage.clause<"aligned", storage, proved, expected "each row aligned to 16 bytes", found "known to be 16-byte aligned", nearest "", by "folding", assuming ["the launch checks the alignment of entry buffers"]>, #klineage.clause<"launch_limits", hardware, proved, expected "1 to 1024 threads within 1024 x 1024 x 64 and at most 232448 shared bytes", found "128 x 1 x 1 threads and 16 shared bytes", nearest "", by "folding", assuming []>, #klineage.clause<"grid_limits", hardware, proved, expected "a grid within 2147483647 x 65535 x 65535", found "", nearest "", by "folding", assuming []>, #klineage.clause<"in_bounds", storage, proved, expected "every access lies in its buffer", found "", nearest "", by "presburger", assuming ["index arithmetic does not wrap"]>, #klineage.clause<"aligned", layout, proved, expected "every access is as aligned as it claims", found "", nearest "", by "folding", assuming []>, #klineage.clause<"barrier_uniform", pipeline, proved, expected "all threads of a block meet at every barrier", found "", nearest "", by "folding", assuming []>, #klineage.clause<"race_free_shared", storage, proved, expected "no two threads touch one element, one of them writing, without a barrier between", found "", nearest "", by "presburger", assuming []>, #klineage.clause<"race_free_global", storage, proved, expected "no two threads touch one element, one of them writing, without a barrier between", found "", nearest "", by "presburger", assuming []>, #klineage.clause<"bank_conflict_degree", hardware, proved, expected "at most 32 passes over the banks for a group of lanes", found "a store to %arg3 has degree 1", nearest "", by "enumeration", assuming []>]
    }
  }
}

