module {
  klineage.lineage @row_sum target <"sm_90a"> attributes {klineage.ended = "no further skill applies"} {
    klineage.state @s0 sha256 "91568d26654b8ea45145fc5b1e3386b5d35ffcac5e1ab8f7f2f9b85549e1107a" {
      builtin.module attributes {gpu.container_module} {
        func.func @row_sum(%arg0: memref<37x1000xf32> {llvm.align = 16 : i64}, %arg1: memref<37xf32> {llvm.align = 16 : i64, llvm.noalias}) {
          %c37 = arith.constant 37 : index
          %c1 = arith.constant 1 : index
          %c128 = arith.constant 128 : index
          gpu.launch_func  @kernels::@row_sum_tree blocks in (%c37, %c1, %c1) threads in (%c128, %c1, %c1)  args(%arg0 : memref<37x1000xf32>, %arg1 : memref<37xf32>)
          return
        }
        gpu.module @kernels {
          gpu.func @row_sum_tree(%arg0: memref<37x1000xf32>, %arg1: memref<37xf32>) workgroup(%arg2 : memref<128xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
            %thread_id_x = gpu.thread_id  x
            %c1000 = arith.constant 1000 : index
            %c128 = arith.constant 128 : index
            %cst = arith.constant 0.000000e+00 : f32
            %block_id_x = gpu.block_id  x
            %0 = scf.for %arg3 = %thread_id_x to %c1000 step %c128 iter_args(%arg4 = %cst) -> (f32) {
              %2 = memref.load %arg0[%block_id_x, %arg3] : memref<37x1000xf32>
              %3 = arith.addf %arg4, %2 : f32
              scf.yield %3 : f32
            }
            memref.store %0, %arg2[%thread_id_x] : memref<128xf32, #gpu.address_space<workgroup>>
            gpu.barrier
            %c0 = arith.constant 0 : index
            %c7 = arith.constant 7 : index
            %c1 = arith.constant 1 : index
            %c64 = arith.constant 64 : index
            scf.for %arg3 = %c0 to %c7 step %c1 {
              %2 = arith.shrui %c64, %arg3 : index
              %3 = arith.cmpi ult, %thread_id_x, %2 : index
              scf.if %3 {
                %4 = memref.load %arg2[%thread_id_x] : memref<128xf32, #gpu.address_space<workgroup>>
                %5 = arith.addi %thread_id_x, %2 : index
                %6 = memref.load %arg2[%5] : memref<128xf32, #gpu.address_space<workgroup>>
                %7 = arith.addf %4, %6 : f32
                memref.store %7, %arg2[%thread_id_x] : memref<128xf32, #gpu.address_space<workgroup>>
              }
              gpu.barrier
            }
            %1 = arith.cmpi eq, %thread_id_x, %c0 : index
            scf.if %1 {
              %2 = memref.load %arg2[%c0] : memref<128xf32, #gpu.address_space<workgroup>>
              memref.store %2, %arg1[%block_id_x] : memref<37xf32>
            }
            gpu.barrier
            gpu.return
          }
        }
      }
    }
    klineage.trial @s0 by "redundant_barrier" at 8 knobs {} verdict <illegal, "clauses", "clause 'race_free_block' is unknown: expected no conflicting accesses of two threads on both sides, found without it, race_free_shared is refuted: write and read of %arg2[t.x] and [t.x + 64] by two threads at t.x=127 t.y=0 t.z=0 t.x'=63 t.y'=0 t.z'=0", {}> clauses [#klineage.clause<"race_free_block", storage, unknown, expected "no conflicting accesses of two threads on both sides", found "without it, race_free_shared is refuted: write and read of %arg2[t.x] and [t.x + 64] by two threads at t.x=127 t.y=0 t.z=0 t.x'=63 t.y'=0 t.z'=0", nearest "", by "kernel model", assuming ["index arithmetic does not wrap"]>]
    klineage.trial @s0 by "redundant_barrier" at 14 knobs {} verdict <illegal, "clauses", "clause 'race_free_block' is unknown: expected no conflicting accesses of two threads on both sides, found without it, race_free_shared is refuted: write and read of %arg2[t.x] and [t.x + 32] by two threads at t.x=63 t.y=0 t.z=0 t.x'=31 t.y'=0 t.z'=0", {}> clauses [#klineage.clause<"race_free_block", storage, unknown, expected "no conflicting accesses of two threads on both sides", found "without it, race_free_shared is refuted: write and read of %arg2[t.x] and [t.x + 32] by two threads at t.x=63 t.y=0 t.z=0 t.x'=31 t.y'=0 t.z'=0", nearest "", by "kernel model", assuming ["index arithmetic does not wrap"]>]
    klineage.state @s1 sha256 "777384f9e58334dfa81e36bb17b8263099406bee563c8077a8a1b74d8dd4853e" features ["fewer_barriers"] {
      builtin.module attributes {gpu.container_module} {
        func.func @row_sum(%arg0: memref<37x1000xf32> {llvm.align = 16 : i64}, %arg1: memref<37xf32> {llvm.align = 16 : i64, llvm.noalias}) {
          %c37 = arith.constant 37 : index
          %c1 = arith.constant 1 : index
          %c128 = arith.constant 128 : index
          gpu.launch_func  @kernels::@row_sum_tree blocks in (%c37, %c1, %c1) threads in (%c128, %c1, %c1)  args(%arg0 : memref<37x1000xf32>, %arg1 : memref<37xf32>)
          return
        }
        gpu.module @kernels {
          gpu.func @row_sum_tree(%arg0: memref<37x1000xf32>, %arg1: memref<37xf32>) workgroup(%arg2 : memref<128xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
            %thread_id_x = gpu.thread_id  x
            %c1000 = arith.constant 1000 : index
            %c128 = arith.constant 128 : index
            %cst = arith.constant 0.000000e+00 : f32
            %block_id_x = gpu.block_id  x
            %0 = scf.for %arg3 = %thread_id_x to %c1000 step %c128 iter_args(%arg4 = %cst) -> (f32) {
              %2 = memref.load %arg0[%block_id_x, %arg3] : memref<37x1000xf32>
              %3 = arith.addf %arg4, %2 : f32
              scf.yield %3 : f32
            }
            memref.store %0, %arg2[%thread_id_x] : memref<128xf32, #gpu.address_space<workgroup>>
            gpu.barrier
            %c0 = arith.constant 0 : index
            %c7 = arith.constant 7 : index
            %c1 = arith.constant 1 : index
            %c64 = arith.constant 64 : index
            scf.for %arg3 = %c0 to %c7 step %c1 {
              %2 = arith.shrui %c64, %arg3 : index
              %3 = arith.cmpi ult, %thread_id_x, %2 : index
              scf.if %3 {
                %4 = memref.load %arg2[%thread_id_x] : memref<128xf32, #gpu.address_space<workgroup>>
                %5 = arith.addi %thread_id_x, %2 : index
                %6 = memref.load %arg2[%5] : memref<128xf32, #gpu.address_space<workgroup>>
                %7 = arith.addf %4, %6 : f32
                memref.store %7, %arg2[%thread_id_x] : memref<128xf32, #gpu.address_space<workgroup>>
              }
              gpu.barrier
            }
            %1 = arith.cmpi eq, %thread_id_x, %c0 : index
            scf.if %1 {
              %2 = memref.load %arg2[%c0] : memref<128xf32, #gpu.address_space<workgroup>>
              memref.store %2, %arg1[%block_id_x] : memref<37xf32>
            }
            gpu.return
          }
        }
      }
    }
    klineage.transition @t0 @s0 -> @s1 by "redundant_barrier" at 18 knobs {} reversible numerics <bit_exact> certificate <proved, ["index arithmetic does not wrap", "simt 37x1000xf32, 37xf32"]> verdict <accepted, "correctness", "all 20 runs agree", {counts = {row_sum_tree.barriers = 296 : i64, row_sum_tree.global_sectors = 252 : i64, row_sum_tree.shared_bank_conflicts = 0 : i64}, resources = {row_sum_tree.registers = 21 : i64, row_sum_tree.shared_bytes = 512 : i64, row_sum_tree.spill_stores = 0 : i64}, runs = 20 : i64, self_checks = 11 : i64}> {
      klineage.step "remove_barrier" on [18] undo 4 {end_of_region = 0 : i64} numerics <bit_exact> from "91568d26654b8ea45145fc5b1e3386b5d35ffcac5e1ab8f7f2f9b85549e1107a" to "777384f9e58334dfa81e36bb17b8263099406bee563c8077a8a1b74d8dd4853e" clauses [#klineage.clause<"simt_form", types, proved, expected "an operation that threads of a block execute", found "such an operation", nearest "", by "folding", assuming []>, #klineage.clause<"race_free_block", storage, proved, expected "no conflicting accesses of two threads on both sides", found "no such pair", nearest "", by "barrier intervals", assuming []>, #klineage.clause<"launch_limits", hardware, proved, expected "1 to 1024 threads within 1024 x 1024 x 64 and at most 232448 shared bytes", found "128 x 1 x 1 threads and 512 shared bytes", nearest "", by "folding", assuming []>, #klineage.clause<"grid_limits", hardware, proved, expected "a grid within 2147483647 x 65535 x 65535", found "", nearest "", by "folding", assuming []>, #klineage.clause<"in_bounds", storage, proved, expected "every access lies in its buffer", found "", nearest "", by "presburger", assuming ["index arithmetic does not wrap"]>, #klineage.clause<"aligned", layout, proved, expected "every access is as aligned as it claims", found "", nearest "", by "folding", assuming []>, #klineage.clause<"barrier_uniform", pipeline, proved, expected "all threads of a block meet at every barrier", found "", nearest "", by "folding", assuming []>, #klineage.clause<"race_free_shared", storage, proved, expected "no two threads touch one element, one of them writing, without a barrier between", found "", nearest "", by "presburger", assuming []>, #klineage.clause<"race_free_global", storage, proved, expected "no two threads touch one element, one of them writing, without a barrier between", found "", nearest "", by "folding", assuming []>, #klineage.clause<"bank_conflict_degree", hardware, proved, expected "at most 32 passes over the banks for a group of lanes", found "a store to %arg2 has degree 1", nearest "", by "enumeration", assuming []>]
    }
    klineage.trial @s1 by "redundant_barrier" at 8 knobs {} verdict <illegal, "clauses", "clause 'race_free_block' is unknown: expected no conflicting accesses of two threads on both sides, found without it, race_free_shared is refuted: write and read of %arg2[t.x] and [t.x + 64] by two threads at t.x=127 t.y=0 t.z=0 t.x'=63 t.y'=0 t.z'=0", {}> clauses [#klineage.clause<"race_free_block", storage, unknown, expected "no conflicting accesses of two threads on both sides", found "without it, race_free_shared is refuted: write and read of %arg2[t.x] and [t.x + 64] by two threads at t.x=127 t.y=0 t.z=0 t.x'=63 t.y'=0 t.z'=0", nearest "", by "kernel model", assuming ["index arithmetic does not wrap"]>]
    klineage.trial @s1 by "redundant_barrier" at 14 knobs {} verdict <illegal, "clauses", "clause 'race_free_block' is unknown: expected no conflicting accesses of two threads on both sides, found without it, race_free_shared is refuted: write and read of %arg2[t.x] and [t.x + 32] by two threads at t.x=63 t.y=0 t.z=0 t.x'=31 t.y'=0 t.z'=0", {}> clauses [#klineage.clause<"race_free_block", storage, unknown, expected "no conflicting accesses of two threads on both sides", found "without it, race_free_shared is refuted: write and read of %arg2[t.x] and [t.x + 32] by two threads at t.x=63 t.y=0 t.z=0 t.x'=31 t.y'=0 t.z'=0", nearest "", by "kernel model", assuming ["index arithmetic does not wrap"]>]
  }
}

