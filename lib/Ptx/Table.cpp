//===- Table.cpp - The instructions of inline PTX that are understood
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Ptx/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <tuple>

using namespace klineage::ptx;
using llvm::StringRef;
using llvm::Twine;
using Table = std::vector<Row>;

static void add(Table &table, Kind kind, const Twine &opcode,
                const Twine &signature, const Twine &intrinsic = "",
                llvm::SmallVector<uint8_t, 5> order = {}, bool hint = false) {
  table.push_back({opcode.str(), signature.str(), kind, intrinsic.str(),
                   std::move(order), hint});
}

static void addMma(Table &t) {
  auto one = [&](unsigned k, const Twine &types, const Twine &signature,
                 const Twine &intrinsic) {
    add(t, Kind::mma, "mma.sync.aligned.m16n8k" + Twine(k) + ".row.col" + types,
        signature, "llvm.nvvm.mma.m16n8k" + Twine(k) + ".row.col" + intrinsic);
  };
  one(16, ".f32.f16.f16.f32", "=f4 r4 r2 f4", ".f32.f32");
  one(8, ".f32.f16.f16.f32", "=f4 r2 r f4", ".f32.f32");
  one(16, ".f16.f16.f16.f16", "=r2 r4 r2 r2", ".f16.f16");
  one(8, ".f16.f16.f16.f16", "=r2 r2 r r2", ".f16.f16");
  one(16, ".f32.bf16.bf16.f32", "=f4 r4 r2 f4", ".bf16");
  one(8, ".f32.bf16.bf16.f32", "=f4 r2 r f4", ".bf16");
  one(8, ".f32.tf32.tf32.f32", "=f4 b4 b2 f4", ".tf32");
  one(4, ".f32.tf32.tf32.f32", "=f4 b2 b f4", ".tf32");
  for (StringRef a : {"s8", "u8"})
    for (StringRef b : {"s8", "u8"})
      for (StringRef satfinite : {"", ".satfinite"}) {
        std::string name = satfinite.str() + "." + a.str();
        if (a != b)
          name += "." + b.str();
        std::string text =
            satfinite.str() + ".s32." + a.str() + "." + b.str() + ".s32";
        one(16, text, "=r4 r2 r r4", name);
        one(32, text, "=r4 r4 r2 r4", name);
      }
}

static void addMatrices(Table &t) {
  for (unsigned count : {1, 2, 4})
    for (StringRef trans : {"", ".trans"})
      for (StringRef space : {".shared", ".shared::cta"}) {
        Twine size(count);
        std::string middle = ("sync.aligned.m8n8.x" + size + trans).str();
        std::string registers = count == 1 ? "r" : ("r" + size).str();
        add(t, Kind::ldmatrix, "ldmatrix." + middle + space + ".b16",
            "=" + registers + " [s]", "llvm.nvvm.ldmatrix." + middle + ".b16");
        add(t, Kind::stmatrix, "stmatrix." + middle + space + ".b16",
            "[s] " + registers, "llvm.nvvm.stmatrix." + middle + ".b16");
      }
}

static void addAsyncCopies(Table &t) {
  for (StringRef space : {".shared", ".shared::cta"})
    for (StringRef prefetch : {"", ".L2::64B", ".L2::128B", ".L2::256B"})
      for (StringRef cache : {"ca", "cg"})
        for (unsigned bytes : {4, 8, 16}) {
          if (cache == "cg" && bytes != 16)
            continue; // There is no such instruction.
          std::string opcode = "cp.async." + cache.str() + space.str() +
                               ".global" + prefetch.str();
          std::string intrinsic = "llvm.nvvm.cp.async." + cache.str() +
                                  ".shared.global." + std::to_string(bytes);
          std::string size = " n" + std::to_string(bytes);
          add(t, Kind::cpAsync, opcode, "[s] [g]" + size, intrinsic, {0, 1},
              !prefetch.empty());
          add(t, Kind::cpAsync, opcode, "[s] [g]" + size + " x",
              intrinsic + ".s", {0, 1, 3}, !prefetch.empty());
        }
  add(t, Kind::cpAsyncCommit, "cp.async.commit_group", "",
      "llvm.nvvm.cp.async.commit.group");
  add(t, Kind::cpAsyncWaitGroup, "cp.async.wait_group", "n",
      "llvm.nvvm.cp.async.wait.group");
  add(t, Kind::cpAsyncWaitAll, "cp.async.wait_all", "",
      "llvm.nvvm.cp.async.wait.all");
}

static void addBarriers(Table &t) {
  // `bar` is `barrier.aligned`.
  for (auto [sync, arrive, aligned] :
       {std::tuple("bar.sync", "bar.arrive", ".aligned"),
        std::tuple("bar.cta.sync", "bar.cta.arrive", ".aligned"),
        std::tuple("barrier.sync.aligned", "barrier.arrive.aligned",
                   ".aligned"),
        std::tuple("barrier.cta.sync.aligned", "barrier.cta.arrive.aligned",
                   ".aligned"),
        std::tuple("barrier.sync", "barrier.arrive", ""),
        std::tuple("barrier.cta.sync", "barrier.cta.arrive", "")}) {
    std::string base = "llvm.nvvm.barrier.cta.";
    add(t, Kind::barrier, sync, "x", base + "sync" + aligned + ".all");
    add(t, Kind::barrier, sync, "x x", base + "sync" + aligned + ".count");
    add(t, Kind::barrierArrive, arrive, "x x",
        base + "arrive" + aligned + ".count");
  }
  add(t, Kind::warpBarrier, "bar.warp.sync", "x", "llvm.nvvm.bar.warp.sync");
  for (auto [mode, name] :
       {std::pair("idx", "idx"), std::pair("up", "up"),
        std::pair("down", "down"), std::pair("bfly", "bfly")})
    add(t, Kind::shuffle, Twine("shfl.sync.") + mode + ".b32", "=b b x x x",
        Twine("llvm.nvvm.shfl.sync.") + name + ".i32", {4, 1, 2, 3});
}

static void addHints(Table &t) {
  for (StringRef what : {"global.L1", "global.L2", "L1", "L2"})
    add(t, Kind::prefetch, "prefetch." + what, "[g]",
        "llvm.nvvm.prefetch." + what);
  add(t, Kind::prefetch, "prefetch.global.L2::evict_last", "[g]",
      "llvm.nvvm.prefetch.global.L2.evict.last");
  add(t, Kind::prefetch, "prefetch.global.L2::evict_normal", "[g]",
      "llvm.nvvm.prefetch.global.L2.evict.normal");
  for (StringRef scope : {"cta", "gl", "sys"})
    add(t, Kind::membar, "membar." + scope, "", "llvm.nvvm.membar." + scope);
  for (StringRef order : {"acq_rel", "sc"})
    for (StringRef scope : {"cta", "gpu", "sys"})
      add(t, Kind::fence, "fence." + order + "." + scope, "");
  add(t, Kind::fenceProxy, "fence.proxy.alias", "",
      "llvm.nvvm.fence.proxy.alias");
  add(t, Kind::fenceProxy, "fence.proxy.async", "",
      "llvm.nvvm.fence.proxy.async");
  add(t, Kind::fenceProxy, "fence.proxy.async.global", "",
      "llvm.nvvm.fence.proxy.async.global");
  add(t, Kind::fenceProxy, "fence.proxy.async.shared::cta", "",
      "llvm.nvvm.fence.proxy.async.shared_cta");
  add(t, Kind::fenceMbarrierInit, "fence.mbarrier_init.release.cluster", "");
  for (StringRef action : {"inc", "dec"})
    add(t, Kind::setMaxRegisters, "setmaxnreg." + action + ".sync.aligned.u32",
        "n", "llvm.nvvm.setmaxnreg." + action + ".sync.aligned.u32");
}

static void addArithmetic(Table &t) {
  for (StringRef a : {"s", "u"})
    for (StringRef b : {"s", "u"})
      add(t, Kind::dot4, "dp4a." + a + "32." + b + "32", "=r r r r",
          "llvm.nvvm.idp4a." + a + "." + b);
  for (auto [opcode, signature] :
       {std::pair("cvt.rn.bf16.f32", "=h f"),
        std::pair("cvt.rn.f16.f32", "=h f"), std::pair("cvt.f32.bf16", "=f h"),
        std::pair("cvt.f32.f16", "=f h"),
        std::pair("cvt.rn.bf16x2.f32", "=r f f"),
        std::pair("cvt.rn.f16x2.f32", "=r f f"),
        std::pair("cvt.rn.f32.s32", "=f r"),
        std::pair("cvt.rn.f32.u32", "=f r"), std::pair("cvt.s64.s32", "=l r"),
        std::pair("cvt.u64.u32", "=l r"), std::pair("cvt.u32.u64", "=r l")})
    add(t, Kind::convert, opcode, signature);
  for (StringRef type : {"f16", "bf16", "f16x2", "bf16x2"}) {
    std::string r = type.ends_with("x2") ? " r" : " h";
    for (StringRef name : {"add", "add.rn", "sub", "sub.rn", "mul", "mul.rn"})
      add(t, Kind::half, name + "." + type, "=" + r.substr(1) + r + r);
    add(t, Kind::half, "fma.rn." + type, "=" + r.substr(1) + r + r + r);
  }
  add(t, Kind::pack, "mov.b32", "=r h2");
  add(t, Kind::pack, "mov.b32", "=h2 r");
  add(t, Kind::pack, "mov.b64", "=l r2");
  add(t, Kind::pack, "mov.b64", "=r2 l");
  add(t, Kind::convert, "cvt.rna.tf32.f32", "=b f", "llvm.nvvm.f2tf32.rna");
  for (StringRef ftz : {"", ".ftz"}) {
    auto one = [&](StringRef name, const Twine &intrinsic) {
      add(t, Kind::approximate, name + ".approx" + ftz + ".f32", "=f f",
          intrinsic);
    };
    one("ex2", "llvm.nvvm.ex2.approx" + ftz);
    one("lg2", "llvm.nvvm.lg2.approx" + ftz + ".f");
    one("rsqrt", "llvm.nvvm.rsqrt.approx" + ftz + ".f");
    one("sqrt", "llvm.nvvm.sqrt.approx" + ftz + ".f");
    one("rcp", ftz.empty() ? Twine() : "llvm.nvvm.rcp.approx" + ftz + ".f");
  }
}

/// ld and st of global and shared memory, with cache operators.
static void addAccesses(Table &t) {
  const std::pair<StringRef, char> types[] = {
      {"b16", 'h'}, {"u16", 'h'}, {"s16", 'h'}, {"b32", 'r'},
      {"u32", 'r'}, {"s32", 'r'}, {"f32", 'f'}, {"b64", 'l'},
      {"u64", 'l'}, {"s64", 'l'}, {"f64", 'd'}};
  for (auto [type, letter] : types)
    for (unsigned count : {1, 2, 4}) {
      if (count == 4 && StringRef(type).ends_with("64"))
        continue; // More than 16 bytes.
      std::string values(1, letter), suffix = ("." + type).str();
      if (count > 1) {
        values += std::to_string(count);
        suffix = ".v" + std::to_string(count) + suffix;
      }
      for (StringRef cache :
           {"", ".ca", ".cg", ".cs", ".nc", ".L1::no_allocate",
            ".nc.L1::no_allocate", ".L1::evict_last", ".L1::evict_first",
            ".nc.L1::evict_last", ".nc.L1::evict_first",
            ".nc.L1::no_allocate.L2::128B", ".nc.L1::no_allocate.L2::256B"})
        add(t, Kind::load, "ld.global" + cache + suffix, "=" + values + " [g]",
            "", {}, !cache.empty() && cache != ".nc" && cache != ".ca");
      for (StringRef cache :
           {"", ".wb", ".cg", ".cs", ".wt", ".L1::no_allocate"})
        add(t, Kind::store, "st.global" + cache + suffix, "[g] " + values, "",
            {}, !cache.empty() && cache != ".wb");
      add(t, Kind::load, "ld.shared" + suffix, "=" + values + " [s]");
      add(t, Kind::store, "st.shared" + suffix, "[s] " + values);
    }
}

static void addHopper(Table &t) {
  for (StringRef space : {".shared", ".shared::cta"}) {
    add(t, Kind::mbarrierInit, "mbarrier.init" + space + ".b64", "[s] x");
    add(t, Kind::mbarrierInval, "mbarrier.inval" + space + ".b64", "[s]");
    add(t, Kind::mbarrierArrive, "mbarrier.arrive" + space + ".b64", "=l [s]");
    add(t, Kind::mbarrierArrive, "mbarrier.arrive" + space + ".b64", "_ [s]");
    for (StringRef result : {"=l", "_"})
      add(t, Kind::mbarrierArrive, "mbarrier.arrive" + space + ".b64",
          result + " [s] x");
    for (StringRef signature : {"=p [s] x", "=p [s] x x"})
      add(t, Kind::mbarrierTryWait, "mbarrier.try_wait.parity" + space + ".b64",
          signature);
    for (StringRef word :
         {"arrive.expect_tx", "arrive.release.cta.expect_tx"}) {
      add(t, Kind::mbarrierExpectTx, "mbarrier." + word + space + ".b64",
          "=l [s] x");
      add(t, Kind::mbarrierExpectTx, "mbarrier." + word + space + ".b64",
          "_ [s] x");
    }
  }
  for (unsigned rank = 1; rank <= 5; ++rank)
    for (StringRef mode : {"", ".tile"}) {
      std::string head = "cp.async.bulk.tensor." + std::to_string(rank) + "d";
      std::string map = "[g" + std::to_string(rank) + "]";
      std::string load =
          ".global" + mode.str() + ".mbarrier::complete_tx::bytes";
      for (StringRef space : {".shared::cluster", ".shared::cta"})
        add(t, Kind::bulkTensorLoad, head + space + load,
            "[s] " + map + " [s]");
      head += ".shared::cluster";
      add(t, Kind::bulkTensorLoad, head + load + ".multicast::cluster",
          "[s] " + map + " [s] h");
      add(t, Kind::bulkTensorLoad, head + load + ".L2::cache_hint",
          "[s] " + map + " [s] l");
      head.resize(head.find(".shared"));
      add(t, Kind::bulkTensorStore,
          head + ".global.shared::cta" + mode + ".bulk_group", map + " [s]");
    }
  add(t, Kind::prefetchTensormap, "prefetch.tensormap", "[g]");
  add(t, Kind::bulkCommit, "cp.async.bulk.commit_group", "");
  add(t, Kind::bulkWait, "cp.async.bulk.wait_group", "n");
  add(t, Kind::bulkWait, "cp.async.bulk.wait_group.read", "n");
  add(t, Kind::wgmmaFence, "wgmma.fence.sync.aligned", "");
  add(t, Kind::wgmmaCommit, "wgmma.commit_group.sync.aligned", "");
  add(t, Kind::wgmmaWait, "wgmma.wait_group.sync.aligned", "n");
  // A of shared memory, or of registers.
  for (unsigned n = 8; n <= 256; n += 8)
    for (StringRef a : {"l", "r4"})
      add(t, Kind::wgmma,
          "wgmma.mma_async.sync.aligned.m64n" + Twine(n) + "k8.f32.tf32.tf32",
          "+f" + Twine(n / 2) + " " + a + " l p n n");
  for (StringRef type : {"f16", "bf16"})
    for (unsigned n = 8; n <= 256; n += 8)
      for (StringRef a : {"l", "r4"})
        add(t, Kind::wgmma,
            "wgmma.mma_async.sync.aligned.m64n" + Twine(n) + "k16.f32." + type +
                "." + type,
            "+f" + Twine(n / 2) + " " + a + " l p n n" +
                (a == "l" ? " n n" : " n"));
}

llvm::ArrayRef<Row> klineage::ptx::table() {
  static const Table rows = [] {
    Table t;
    addMma(t);
    addMatrices(t);
    addAsyncCopies(t);
    addBarriers(t);
    addHints(t);
    addArithmetic(t);
    addAccesses(t);
    addHopper(t);
    llvm::sort(t, [](const Row &a, const Row &b) {
      return std::tie(a.opcode, a.signature) < std::tie(b.opcode, b.signature);
    });
    return t;
  }();
  return rows;
}

llvm::SmallVector<StringRef, 10> klineage::ptx::words(StringRef opcode) {
  llvm::SmallVector<StringRef, 10> result;
  opcode.split(result, '.');
  return result;
}

bool klineage::ptx::needsGpu(Kind kind) {
  switch (kind) {
  case Kind::fenceMbarrierInit:
  case Kind::mbarrierInit:
  case Kind::mbarrierInval:
  case Kind::mbarrierArrive:
  case Kind::mbarrierExpectTx:
  case Kind::mbarrierTryWait:
  case Kind::prefetchTensormap:
  case Kind::bulkTensorLoad:
  case Kind::bulkTensorStore:
  case Kind::bulkCommit:
  case Kind::bulkWait:
  case Kind::wgmma:
  case Kind::wgmmaFence:
  case Kind::wgmmaCommit:
  case Kind::wgmmaWait:
    return true;
  default:
    return false;
  }
}
