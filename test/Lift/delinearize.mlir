// RUN: klineage-opt %s -split-input-file -verify-diagnostics --klineage-lift-delinearize | FileCheck %s

// A loop's counter up to the columns, and a branch around the access.
// CHECK-LABEL: gpu.func @loop
// CHECK: %[[M:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%{{.*}}, %[[C:.*]]], strides: [%[[C]], 1]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to
// CHECK: memref.load %[[M]][%{{.*}}, %[[I]]] : memref<?x?xf32, strided<[?, 1]>>
// CHECK: memref.store %{{.*}}, %[[M]][%{{.*}}, %{{.*}}]
gpu.module @a {
  gpu.func @loop(%x: memref<f32>, %cols: i32) kernel attributes {klineage.launch =
      "{\22kernel\22:\22loop\22,\22params\22:[{\22x\22:[\22rows\22,\22cols\22]},\22cols\22],\22grid\22:[\22rows\22],\22block\22:[32]}"} {
    %c32 = arith.constant 32 : index
    %n = arith.index_cast %cols : i32 to index
    %rows = gpu.grid_dim x
    %count = arith.muli %rows, %n : index
    %flat = memref.reinterpret_cast %x to offset: [0], sizes: [%count], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %row = gpu.block_id x
    %t = gpu.thread_id x
    %base = arith.muli %n, %row : index
    scf.for %i = %t to %n step %c32 {
      %p = arith.addi %base, %i : index
      %v = memref.load %flat[%p] : memref<?xf32, strided<[1]>>
      %inside = arith.cmpi sge, %t, %n : index
      scf.if %inside {
      } else {
        %q = arith.addi %t, %base : index
        memref.store %v, %flat[%q] : memref<?xf32, strided<[1]>>
      }
    }
    gpu.return
  }
}

// -----

// Nothing bounds the column: it may be one of the next row.
// CHECK-LABEL: gpu.func @unbounded
// CHECK: memref.load %{{.*}}[%{{.*}}] : memref<?xf32
gpu.module @b {
  gpu.func @unbounded(%x: memref<f32>, %y: memref<f32>, %cols: i32) kernel attributes {klineage.launch =
      "{\22kernel\22:\22unbounded\22,\22params\22:[{\22x\22:[\22rows\22,\22cols\22]},{\22y\22:[1]},\22cols\22],\22grid\22:[\22rows\22],\22block\22:[32]}"} {
    %n = arith.index_cast %cols : i32 to index
    %rows = gpu.grid_dim x
    %count = arith.muli %rows, %n : index
    %flat = memref.reinterpret_cast %x to offset: [0], sizes: [%count], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %row = gpu.block_id x
    %t = gpu.thread_id x
    %base = arith.muli %row, %n : index
    %p = arith.addi %base, %t : index
    // expected-remark @below {{not lifted: its column may lie in another row}}
    %v = memref.load %flat[%p] : memref<?xf32, strided<[1]>>
    memref.store %v, %y[] : memref<f32>
    gpu.return
  }
}

// -----

// The branch is around it, but a product of i32 without flags may be negative,
// and one that is below in one branch is not in the other.
// CHECK-LABEL: gpu.func @negative
// CHECK: memref.load %{{.*}}[%{{.*}}] : memref<?xf32
gpu.module @c {
  gpu.func @negative(%x: memref<f32>, %y: memref<f32>, %cols: i32) kernel attributes {klineage.launch =
      "{\22kernel\22:\22negative\22,\22params\22:[{\22x\22:[\22rows\22,\22cols\22]},{\22y\22:[1]},\22cols\22],\22grid\22:[\22rows\22],\22block\22:[32]}"} {
    %n = arith.index_cast %cols : i32 to index
    %rows = gpu.grid_dim x
    %count = arith.muli %rows, %n : index
    %flat = memref.reinterpret_cast %x to offset: [0], sizes: [%count], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %row = gpu.block_id x
    %t = gpu.thread_id x
    %t32 = arith.index_cast %t : index to i32
    %square = arith.muli %t32, %t32 : i32
    %inside = arith.cmpi slt, %square, %cols : i32
    scf.if %inside {
      %col = arith.index_cast %square : i32 to index
      %base = arith.muli %row, %n : index
      %p = arith.addi %base, %col : index
      // expected-remark @below {{not lifted: its column may be negative}}
      %v = memref.load %flat[%p] : memref<?xf32, strided<[1]>>
      memref.store %v, %y[] : memref<f32>
    }
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @other_branch
// CHECK: memref.load %{{.*}}[%{{.*}}] : memref<?xf32
gpu.module @d {
  gpu.func @other_branch(%x: memref<f32>, %y: memref<f32>, %cols: i32) kernel attributes {klineage.launch =
      "{\22kernel\22:\22other_branch\22,\22params\22:[{\22x\22:[\22rows\22,\22cols\22]},{\22y\22:[1]},\22cols\22],\22grid\22:[\22rows\22],\22block\22:[32]}"} {
    %n = arith.index_cast %cols : i32 to index
    %rows = gpu.grid_dim x
    %count = arith.muli %rows, %n : index
    %flat = memref.reinterpret_cast %x to offset: [0], sizes: [%count], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %row = gpu.block_id x
    %t = gpu.thread_id x
    %inside = arith.cmpi slt, %t, %n : index
    scf.if %inside {
    } else {
      %base = arith.muli %row, %n : index
      %p = arith.addi %base, %t : index
      // expected-remark @below {{not lifted: its column may lie in another row}}
      %v = memref.load %flat[%p] : memref<?xf32, strided<[1]>>
      memref.store %v, %y[] : memref<f32>
    }
    gpu.return
  }
}

// -----

// A row of 64 bits may wrap to an index that is in bounds.
// CHECK-LABEL: gpu.func @wide
// CHECK: memref.load %{{.*}}[%{{.*}}] : memref<?xf32
gpu.module @e {
  gpu.func @wide(%x: memref<f32>, %y: memref<f32>, %r: i64, %cols: i32) kernel attributes {klineage.launch =
      "{\22kernel\22:\22wide\22,\22params\22:[{\22x\22:[\22rows\22,\22cols\22]},{\22y\22:[1]},\22r\22,\22cols\22],\22grid\22:[\22rows\22],\22block\22:[32]}"} {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %n = arith.index_cast %cols : i32 to index
    %rows = gpu.grid_dim x
    %count = arith.muli %rows, %n : index
    %flat = memref.reinterpret_cast %x to offset: [0], sizes: [%count], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %row = arith.index_cast %r : i64 to index
    %base = arith.muli %row, %n : index
    scf.for %i = %c0 to %n step %c1 {
      %p = arith.addi %base, %i : index
      // expected-remark @below {{not lifted: its index may wrap}}
      %v = memref.load %flat[%p] : memref<?xf32, strided<[1]>>
      memref.store %v, %y[] : memref<f32>
    }
    gpu.return
  }
}

// -----

// A vector may reach over the end of a row; a flat walk has no row.
// CHECK-LABEL: gpu.func @others
// CHECK: vector.load %{{.*}}[%{{.*}}] : memref<?xf32
// CHECK: memref.store %{{.*}}, %{{.*}}[%{{.*}}] : memref<?xf32
gpu.module @f {
  gpu.func @others(%x: memref<f32>, %y: memref<f32>, %cols: i32) kernel attributes {klineage.launch =
      "{\22kernel\22:\22others\22,\22params\22:[{\22x\22:[\22rows\22,\22cols\22]},{\22y\22:[\22rows\22,\22cols\22]},\22cols\22],\22grid\22:[\22rows\22],\22block\22:[32]}"} {
    %n = arith.index_cast %cols : i32 to index
    %rows = gpu.grid_dim x
    %count = arith.muli %rows, %n : index
    %flat = memref.reinterpret_cast %x to offset: [0], sizes: [%count], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %walk = memref.reinterpret_cast %y to offset: [0], sizes: [%count], strides: [1] : memref<f32> to memref<?xf32, strided<[1]>>
    %t = gpu.thread_id x
    // expected-remark @below {{not lifted: no access of one element, so its buffer keeps one dimension}}
    %v = vector.load %flat[%t] : memref<?xf32, strided<[1]>>, vector<4xf32>
    %e = vector.extract %v[0] : f32 from vector<4xf32>
    // expected-remark @below {{not lifted: no multiple of the columns is in its index}}
    memref.store %e, %walk[%t] : memref<?xf32, strided<[1]>>
    gpu.return
  }
}
