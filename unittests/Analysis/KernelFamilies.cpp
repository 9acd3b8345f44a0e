//===- KernelFamilies.cpp - Sound kernels and what can be broken in each
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFamilies.h"
#include <random>

using namespace klineage::test;

// In all bodies %tx, %ty, %bx, %by are ids, %cN constants, $S the type of %s.

static KernelFamily tiledMatmul() {
  return {
      "tiled matmul",
      "16x16xf32",
      "16x16xf32",
      "8x8xf32",
      "2, 2, 1",
      "8, 8, 1",
      R"(
      %r0 = arith.muli %by, %c8 : index
      %q0 = arith.muli %bx, %c8 : index
      %row = arith.addi %r0, %ty : index
      %col = arith.addi %q0, %tx : index
      %next = arith.addi %row, %c1 : index
      %sum = scf.for %k = %c0 to $bound$ step $step$ iter_args(%a = %zero) -> f32 {
        %kx = arith.addi %k, %tx : index
        %v = memref.load %x[$row$, %kx] : memref<16x16xf32>
        memref.store %v, %s[$at$] : $S
        $first$
        %n = scf.for %i = %c0 to $inner$ step %c1 iter_args(%p = %a) -> f32 {
          %w = memref.load %s[$from$, %i] : $S
          %m = arith.addf %p, %w : f32
          scf.yield %m : f32
        }
        $second$
        scf.yield %n : f32
      }
      memref.store %sum, %y[$out$] : memref<16x16xf32>)",
      {{"bound", {"%c16", "%c24", "%c17", "%c8"}},
       {"step", {"%c8", "%c4", "%c5"}},
       {"row", {"%row", "%next", "%ty", "%col"}},
       {"at", {"%ty, %tx", "%tx, %ty", "%ty, %c0", "%c0, %tx"}},
       {"first", {"gpu.barrier", ""}},
       {"inner", {"%c8", "%c5", "%c9"}},
       {"from", {"%ty", "%tx", "%c7"}},
       {"second", {"gpu.barrier", ""}},
       {"out",
        {"%row, %col", "%col, %row", "%row, %c0", "%ty, %tx", "%next, %col"}}}};
}

static KernelFamily rowReduction() {
  return {"row reduction",
          "4x128xf32",
          "4xf32",
          "4xf32",
          "4, 1, 1",
          "64, 1, 1",
          R"(
      %own = scf.for %i = %tx to $bound$ step $step$ iter_args(%a = %zero) -> f32 {
        %v = memref.load %x[%bx, %i] : memref<4x128xf32>
        %n = arith.addf %a, %v : f32
        scf.yield %n : f32
      }
      %o1, %v1 = gpu.shuffle xor %own, %i16, %i32 : f32
      %s1 = arith.addf %own, %o1 : f32
      %warp = arith.divui %tx, $divisor$ : index
      %lane = arith.remui %tx, $modulus$ : index
      %first = arith.cmpi $compare$, %lane, %c0 : index
      scf.if %first {
        memref.store %s1, %s[$slot$] : $S
      }
      $barrier$
      %leader = arith.cmpi $leader$, %tx, %c0 : index
      scf.if %leader {
        %a = memref.load %s[%c0] : $S
        %b = memref.load %s[$other$] : $S
        %t = arith.addf %a, %b : f32
        memref.store %t, %y[$out$] : memref<4xf32>
      })",
          {{"bound", {"%c128", "%c127", "%c129", "%c64"}},
           {"step", {"%c64", "%c32", "%c7"}},
           {"divisor", {"%c32", "%c16", "%c8", "%c64"}},
           {"modulus", {"%c32", "%c16", "%c64", "%c1"}},
           {"compare", {"eq", "ne", "uge"}},
           {"slot", {"%warp", "%c0", "%lane"}},
           {"barrier", {"gpu.barrier", ""}},
           {"leader", {"eq", "uge", "ne"}},
           {"other", {"%c1", "%c2", "%c5"}},
           {"out", {"%bx", "%c0", "%warp"}}}};
}

static KernelFamily paddedTranspose() {
  return {"padded transpose",
          "32x32xf32",
          "32x32xf32",
          "16x17xf32",
          "2, 2, 1",
          "16, 8, 1",
          R"(
      %r0 = arith.muli %by, %c16 : index
      %q0 = arith.muli %bx, %c16 : index
      %col = arith.addi %q0, %tx : index
      %cout = arith.addi %r0, %tx : index
      %tx1 = arith.addi %tx, %c1 : index
      %tx2 = arith.addi %tx, %c2 : index
      scf.for %r = %ty to $bound$ step $step$ {
        %row = arith.addi %r0, %r : index
        %v = memref.load %x[%row, %col] : memref<32x32xf32>
        memref.store %v, %s[$at$] : $S
      }
      $barrier$
      scf.for %r = %ty to %c16 step $stride$ {
        %row = arith.addi %q0, %r : index
        %v = memref.load %s[$from$] : $S
        memref.store %v, %y[$out$] : memref<32x32xf32>
      })",
          {{"bound", {"%c16", "%c17", "%c24", "%c8"}},
           {"step", {"%c8", "%c4", "%c7"}},
           {"at", {"%r, %tx", "%r, %tx1", "%r, %tx2", "%tx, %r", "%r, %c0"}},
           {"barrier", {"gpu.barrier", ""}},
           {"stride", {"%c8", "%c16", "%c4"}},
           {"from", {"%tx, %r", "%r, %tx", "%tx1, %r"}},
           {"out", {"%row, %cout", "%cout, %row", "%row, %tx", "%r, %cout"}}}};
}

static KernelFamily swizzledTranspose() {
  return {"swizzled transpose",
          "16x16xf32",
          "16x16xf32",
          "16x16xf32",
          "1, 1, 1",
          "16, 16, 1",
          R"(
      %v = memref.load %x[%ty, %tx] : memref<16x16xf32>
      %in = arith.xori $a$, $b$ : index
      memref.store %v, %s[$row$, %in] : $S
      $barrier$
      %back = arith.xori $c$, $d$ : index
      %w = memref.load %s[$from$, %back] : $S
      memref.store %w, %y[$out$] : memref<16x16xf32>
      $again$
      memref.store %w, %s[$last$] : $S
      %z = memref.load %s[$last$] : $S
      memref.store %z, %y[$out$] : memref<16x16xf32>)",
          {{"a", {"%tx", "%ty", "%c5"}},
           {"b", {"%ty", "%c5", "%c16", "%tx"}},
           {"row", {"%ty", "%tx", "%c3"}},
           {"barrier", {"gpu.barrier", ""}},
           {"c", {"%ty", "%c5", "%tx"}},
           {"d", {"%tx", "%c31", "%ty"}},
           {"from", {"%tx", "%ty", "%c2"}},
           {"again", {"gpu.barrier", ""}},
           {"last", {"%tx, %ty", "%ty, %tx", "%c0, %tx"}},
           {"out", {"%ty, %tx", "%tx, %ty", "%in, %ty"}}}};
}

static KernelFamily stencil() {
  return {"stencil with halo",
          "130xf32",
          "128xf32",
          "66xf32",
          "2, 1, 1",
          "64, 1, 1",
          R"(
      %b0 = arith.muli %bx, $tile$ : index
      %g = arith.addi %b0, %tx : index
      %g1 = arith.addi %g, %c1 : index
      %g2 = arith.addi %g, %c2 : index
      %t1 = arith.addi %tx, %c1 : index
      %t2 = arith.addi %tx, %c2 : index
      %v = memref.load %x[%g1] : memref<130xf32>
      memref.store %v, %s[$own$] : $S
      %low = arith.cmpi $lowcmp$, %tx, %c0 : index
      scf.if %low {
        %h = memref.load %x[%g] : memref<130xf32>
        memref.store %h, %s[%tx] : $S
      }
      %high = arith.cmpi $highcmp$, %tx, %c63 : index
      scf.if %high {
        %h = memref.load %x[$halo$] : memref<130xf32>
        memref.store %h, %s[$hat$] : $S
      }
      $barrier$
      %a = memref.load %s[%tx] : $S
      %b = memref.load %s[%t1] : $S
      %c = memref.load %s[$right$] : $S
      %ab = arith.addf %a, %b : f32
      %abc = arith.addf %ab, %c : f32
      memref.store %abc, %y[$out$] : memref<128xf32>)",
          {{"tile", {"%c64", "%c63", "%c65", "%c32"}},
           {"own", {"%t1", "%tx", "%t2"}},
           {"lowcmp", {"eq", "uge", "ne"}},
           {"highcmp", {"eq", "uge", "ule", "ne"}},
           {"halo", {"%g2", "%g1", "%c127", "%g"}},
           {"hat", {"%t2", "%c65", "%c66", "%t1"}},
           {"barrier", {"gpu.barrier", ""}},
           {"right", {"%t2", "%tx", "%c65"}},
           {"out", {"%g", "%g1", "%tx"}}}};
}

static KernelFamily vectors() {
  return {"guarded vectors",
          "500xf32",
          "500xf32",
          "256xf32",
          "2, 1, 1",
          "64, 1, 1",
          R"(
      %b0 = arith.muli %bx, $tile$ : index
      %t4 = arith.muli %tx, $scale$ : index
      %i0 = arith.addi %b0, %t4 : index
      %i = arith.addi %i0, $shift$ : index
      %end = arith.addi %i, $room$ : index
      %inside = arith.cmpi $compare$, %end, $n$ : index
      scf.if %inside {
        %v = vector.load %x[%i] $aligned$ : memref<500xf32>, vector<4xf32>
        vector.store %v, %s[$at$] : $S, vector<4xf32>
        %w = vector.load %s[$from$] : $S, vector<4xf32>
        vector.store %w, %y[%i] : memref<500xf32>, vector<4xf32>
      }
      $tail$)",
          {{"tile", {"%c256", "%c255", "%c254", "%c128"}},
           {"scale", {"%c4", "%c2", "%c3", "%c5"}},
           {"shift", {"%c0", "%c1", "%c2", "%c4"}},
           {"room", {"%c3", "%c0", "%c2", "%c4"}},
           {"compare", {"ult", "ule", "ne"}},
           {"n", {"%c500", "%c501", "%c512", "%c499"}},
           {"aligned", {"{alignment = 16 : i64}", "", "{alignment = 8 : i64}"}},
           {"at", {"%t4", "%tx", "%c0"}},
           {"from", {"%t4", "%tx", "%c4"}},
           {"tail",
            {"", "gpu.barrier",
             "%e = memref.load %x[%i] : memref<500xf32>\n"
             "      memref.store %e, %y[%i] : memref<500xf32>"}}}};
}

static KernelFamily trees() {
  return {"halving loops",
          "128xf32",
          "128xf32",
          "64xf32",
          "2, 1, 1",
          "64, 1, 1",
          R"(
      %b0 = arith.muli %bx, %c64 : index
      %g = arith.addi %b0, %tx : index
      %v = memref.load %x[%g] : memref<128xf32>
      memref.store %v, %s[%tx] : $S
      $before$
      scf.for %l = $start$ to $levels$ step %c1 {
        %half = arith.shrui $width$, %l : index
        %in = arith.cmpi $compare$, %tx, $limit$ : index
        scf.if %in {
          %o = arith.addi %tx, $distance$ : index
          %a = memref.load %s[%tx] : $S
          %b = memref.load %s[%o] : $S
          %c = arith.addf %a, %b : f32
          memref.store %c, %s[$to$] : $S
          $inside$
        }
        $barrier$
      }
      scf.for %i = %tx to %c64 step $stride$ {
        %o = arith.addi %b0, %i : index
        %w = memref.load %s[$read$] : $S
        memref.store %w, %y[%o] : memref<128xf32>
      })",
          {{"before", {"gpu.barrier", ""}},
           {"start", {"%c0", "%c1", "%c2"}},
           {"levels", {"%c6", "%c5", "%c7", "%c3"}},
           {"width", {"%c32", "%c16", "%c64", "%c31"}},
           {"compare", {"ult", "ule", "slt"}},
           {"limit", {"%half", "%c32", "%c64"}},
           {"distance", {"%half", "%c1", "%c32"}},
           {"to", {"%tx", "%o"}},
           {"inside", {"", "gpu.barrier"}},
           {"barrier", {"gpu.barrier", ""}},
           {"stride", {"%c64", "%c32", "%c5"}},
           {"read", {"%c0", "%i", "%tx"}}}};
}

static KernelFamily divergence() {
  return {"barriers in branches",
          "128xf32",
          "128xf32",
          "64xf32",
          "2, 1, 1",
          "64, 1, 1",
          R"(
      %b0 = arith.muli %bx, %c64 : index
      %g = arith.addi %b0, %tx : index
      %v = memref.load %x[%g] : memref<128xf32>
      %mirror = arith.subi %c63, %tx : index
      memref.store %v, %s[%tx] : $S
      %branch = arith.cmpi $compare$, $value$, $against$ : index
      scf.if %branch {
        gpu.barrier
        $more$
      } else {
        $else$
      }
      scf.for %j = $from$ to $trips$ step %c1 {
        %a = memref.load %s[$read$] : $S
        memref.store %a, %y[%g] : memref<128xf32>
        $between$
        memref.store %a, %s[$write$] : $S
        gpu.barrier
      })",
          {{"compare", {"ult", "eq", "uge"}},
           {"value", {"%tx", "%bx", "%mirror"}},
           {"against", {"%c64", "%c0", "%c32", "%c1"}},
           {"more", {"", "gpu.barrier"}},
           {"else", {"gpu.barrier", ""}},
           {"from", {"%c0", "%bx", "%tx"}},
           {"trips", {"%c3", "%c1", "%bx", "%tx"}},
           {"read", {"%mirror", "%tx", "%j"}},
           {"between", {"gpu.barrier", ""}},
           {"write", {"%mirror", "%tx", "%c0"}}}};
}

const std::vector<KernelFamily> &klineage::test::kernelFamilies() {
  static const std::vector<KernelFamily> all = {
      tiledMatmul(), rowReduction(), paddedTranspose(), swizzledTranspose(),
      stencil(),     vectors(),      trees(),           divergence()};
  return all;
}

static void replace(std::string &text, const std::string &from,
                    const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string klineage::test::member(const KernelFamily &family, unsigned seed) {
  std::mt19937 rng(seed);
  std::string body = family.body;
  for (const Slot &slot : family.slots) {
    bool broken = seed && rng() % 3 == 0;
    size_t which = broken ? 1 + rng() % (slot.texts.size() - 1) : 0;
    replace(body, "$" + slot.name + "$", slot.texts[which]);
  }
  replace(body, "$S",
          "memref<" + family.shared + ", #gpu.address_space<workgroup>>");
  std::string constants;
  for (int n :
       {0,  1,  2,  3, 4,   5,   7,   8,   9,   16,  17,  24,  31,  32, 63,
        64, 65, 66, 6, 127, 128, 129, 254, 255, 256, 499, 500, 501, 512})
    constants += "      %c" + std::to_string(n) + " = arith.constant " +
                 std::to_string(n) + " : index\n";
  std::string sizes;
  auto dims = [&](std::string list, const std::string &prefix) {
    std::string names;
    size_t begin = 0;
    for (int i = 0; i < 3; ++i) {
      size_t end = list.find(',', begin);
      std::string name = "%" + prefix + std::to_string(i);
      sizes += "    " + name + " = arith.constant " +
               list.substr(begin, end - begin) + " : index\n";
      names += (i ? ", " : "") + name;
      begin = end + 1;
    }
    return "(" + names + ")";
  };
  std::string blocks = dims(family.grid, "g"),
              threads = dims(family.block, "t");
  std::string x = "%x: memref<" + family.x + ">",
              y = "%y: memref<" + family.y + ">";
  return "module attributes {gpu.container_module} {\n  func.func @entry(" + x +
         " {llvm.align = 16 : i64}, " + y +
         " {llvm.align = 16 : i64, llvm.noalias}) {\n" + sizes +
         "    gpu.launch_func @kernels::@k blocks in " + blocks +
         " threads in " + threads + " args(" + x + ", " + y +
         ")\n    return\n  }\n  gpu.module @kernels {\n    gpu.func @k(" + x +
         ", " + y + ") workgroup(%s: memref<" + family.shared +
         ", #gpu.address_space<workgroup>>) kernel {\n" + constants +
         "      %zero = arith.constant 0.0 : f32\n"
         "      %i16 = arith.constant 16 : i32\n"
         "      %i32 = arith.constant 32 : i32\n"
         "      %tx = gpu.thread_id x\n      %ty = gpu.thread_id y\n"
         "      %bx = gpu.block_id x\n      %by = gpu.block_id y\n" +
         body + "\n      gpu.return\n    }\n  }\n}\n";
}
