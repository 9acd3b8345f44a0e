//===- DeviceLibTest.cpp - What the functions of libdevice compute
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include <cmath>
#include <cstring>
#include <optional>

using namespace klineage;
using namespace klineage::simt;
using namespace klineage::simt::test;

namespace {

std::string typeText(int32_t) { return "i32"; }
std::string typeText(uint32_t) { return "i32"; }
std::string typeText(int64_t) { return "i64"; }
std::string typeText(uint64_t) { return "i64"; }
std::string typeText(float) { return "float"; }
std::string typeText(double) { return "double"; }

/// One call in a kernel of one thread; the operands come as parameters, so
/// that nothing is folded.
template <typename Result, typename... Args>
Result call(const std::string &name, Args... args) {
  std::string result = typeText(Result()), types, params, operands;
  int next = 0;
  auto add = [&](const std::string &type) {
    std::string operand = type + " %a" + std::to_string(next);
    types += (next ? ", " : "") + type;
    operands += (next ? ", " : "") + operand;
    params += ", " + operand;
    ++next;
  };
  (add(typeText(args)), ...);
  Harness h("declare " + result + " @" + name + "(" + types +
                ")\ndefine ptx_kernel void @k(ptr addrspace(1) %x" + params +
                ") {\n  %r = call " + result + " @" + name + "(" + operands +
                ")\n  store " + result +
                " %r, ptr addrspace(1) %x\n  ret void\n}",
            Harness::Language::ir, Mode::checked);
  auto *x = h.buffer(std::vector<Result>(1), "x");
  EXPECT_EQ(h.launch("k", {1, 1, 1}, {1, 1, 1}, 0, x, args...), "");
  EXPECT_EQ(h.report(), "");
  return h.read(x, 1)[0];
}

constexpr int32_t lowest = INT32_MIN;
const float nan32 = std::nanf("");

TEST(DeviceLib, Bits) {
  EXPECT_EQ(call<int32_t>("__nv_float_as_int", -0.0f), lowest);
  EXPECT_EQ(call<float>("__nv_uint_as_float", 0x3fc00000u), 1.5f);
  EXPECT_EQ(call<int64_t>("__nv_double_as_longlong", 2.0), int64_t(1) << 62);
  EXPECT_EQ(call<double>("__nv_hiloint2double", 0x3ff80000, 0), 1.5);
  EXPECT_EQ(call<int32_t>("__nv_double2loint", 0x1.00000002p0), 0x200000);
  EXPECT_EQ(call<int32_t>("__nv_brev", 1), lowest);
  EXPECT_EQ(call<int64_t>("__nv_brevll", int64_t(2)), int64_t(1) << 62);
  EXPECT_EQ(call<int32_t>("__nv_ffs", 0), 0);
  EXPECT_EQ(call<int32_t>("__nv_ffsll", int64_t(1) << 40), 41);
  EXPECT_EQ(call<int32_t>("__nv_clzll", int64_t(1)), 63);
  EXPECT_EQ(call<int32_t>("__nv_popcll", int64_t(-1)), 64);
  // Bytes 7 and 0 of 0x8877665544332211, twice; the sign bit of a nibble is
  // ignored.
  EXPECT_EQ(call<uint32_t>("__nv_byte_perm", 0x44332211u, 0x88776655u, 0x70f8u),
            0x88118811u);
}

TEST(DeviceLib, Integers) {
  EXPECT_EQ(call<uint32_t>("__nv_umulhi", 0xffffffffu, 0xffffffffu),
            0xfffffffeu);
  EXPECT_EQ(call<int32_t>("__nv_mulhi", lowest, 2), -1);
  EXPECT_EQ(call<uint64_t>("__nv_umul64hi", ~uint64_t(0), ~uint64_t(0)),
            ~uint64_t(1));
  EXPECT_EQ(call<int64_t>("__nv_mul64hi", INT64_MIN, int64_t(2)), -1);
  EXPECT_EQ(call<int32_t>("__nv_mul24", 0xffffff, 3), -3);
  EXPECT_EQ(call<uint32_t>("__nv_umul24", 0x1ffffffu, 2u), 0x1fffffeu);
  EXPECT_EQ(call<int32_t>("__nv_hadd", -3, 0), -2);
  EXPECT_EQ(call<int32_t>("__nv_rhadd", -3, 0), -1);
  EXPECT_EQ(call<uint32_t>("__nv_urhadd", ~0u, 0u), 0x80000000u);
  EXPECT_EQ(call<uint32_t>("__nv_sad", lowest, INT32_MAX, 1u), 0u);
  EXPECT_EQ(call<int64_t>("__nv_llmin", int64_t(-5), int64_t(3)), -5);
  EXPECT_EQ(call<uint64_t>("__nv_ullmin", uint64_t(-5), uint64_t(3)), 3u);
}

TEST(DeviceLib, ConversionsToIntegersSaturate) {
  EXPECT_EQ(call<int32_t>("__nv_float2int_rn", 2.5f), 2);
  EXPECT_EQ(call<int32_t>("__nv_float2int_rn", 3.5f), 4);
  EXPECT_EQ(call<int32_t>("__nv_float2int_rd", -2.5f), -3);
  EXPECT_EQ(call<int32_t>("__nv_float2int_ru", -2.5f), -2);
  EXPECT_EQ(call<int32_t>("__nv_float2int_rz", -2.5f), -2);
  EXPECT_EQ(call<int32_t>("__nv_float2int_rz", 3e9f), INT32_MAX);
  EXPECT_EQ(call<int32_t>("__nv_float2int_rz", -3e9f), lowest);
  EXPECT_EQ(call<int32_t>("__nv_float2int_rz", nan32), 0);
  EXPECT_EQ(call<int64_t>("__nv_float2ll_rz", nan32), INT64_MIN);
  EXPECT_EQ(call<uint32_t>("__nv_double2uint_rz", std::nan("")), 0x80000000u);
  EXPECT_EQ(call<uint32_t>("__nv_float2uint_rn", -7.0f), 0u);
  EXPECT_EQ(call<uint64_t>("__nv_double2ull_rn", 0x1p64), ~uint64_t(0));
  EXPECT_EQ(call<int64_t>("__nv_llround", 0.5), 1);
  EXPECT_EQ(call<int64_t>("__nv_llrint", 0.5), 0);
}

TEST(DeviceLib, RoundingModes) {
  EXPECT_EQ(call<float>("__nv_int2float_rz", 0x1000001), 0x1000000);
  EXPECT_EQ(call<float>("__nv_int2float_ru", 0x1000001), 0x1000002);
  EXPECT_EQ(call<float>("__nv_ull2float_rn", ~uint64_t(0)), 0x1p64f);
  EXPECT_EQ(call<float>("__nv_ull2float_rd", ~uint64_t(0)), 0x1.fffffep63f);
  EXPECT_FALSE(std::signbit(call<double>("__nv_ull2double_rd", uint64_t(0))));
  EXPECT_EQ(call<float>("__nv_double2float_ru", 1 + 0x1p-40), 1 + 0x1p-23f);
  EXPECT_EQ(call<float>("__nv_fadd_ru", 1.0f, 0x1p-40f), 1 + 0x1p-23f);
  EXPECT_EQ(call<float>("__nv_fadd_rn", 1.0f, 0x1p-40f), 1.0f);
  EXPECT_EQ(call<float>("__nv_fsub_rz", 1.0f, 0x1p-40f), 1 - 0x1p-24f);
  EXPECT_EQ(call<double>("__nv_ddiv_ru", 1.0, 3.0), 0x1.5555555555556p-2);
  EXPECT_EQ(call<double>("__nv_ddiv_rd", 1.0, 3.0), 0x1.5555555555555p-2);
  EXPECT_EQ(call<float>("__nv_fsqrt_ru", 2.0f), 0x1.6a09e8p0f);
  EXPECT_EQ(call<float>("__nv_fsqrt_rd", 2.0f), 0x1.6a09e6p0f);
  EXPECT_EQ(call<float>("__nv_fmaf_ru", 1.0f, 1.0f, 0x1p-40f), 1 + 0x1p-23f);
  // Nothing of the mode is left behind.
  EXPECT_EQ(1.0f + 0x1p-40f, 1.0f);
}

TEST(DeviceLib, SpecialFunctions) {
  for (double y : {1e-300, 1e-9, 0.1, 0.5, 0.9, 1.0, 1.7, 1.999}) {
    double x = call<double>("__nv_erfcinv", y);
    EXPECT_NEAR(std::erfc(x) / y, 1, 1e-12) << y;
  }
  for (double y : {-0.999, -0.3, 1e-200, 0.2, 0.7})
    EXPECT_NEAR(std::erf(call<double>("__nv_erfinv", y)) / y, 1, 1e-12) << y;
  EXPECT_EQ(call<double>("__nv_erfinv", 1.0), HUGE_VAL);
  EXPECT_TRUE(std::isnan(call<double>("__nv_erfcinv", 2.5)));
  EXPECT_NEAR(call<double>("__nv_normcdfinv", 0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(call<double>("__nv_erfcx", 20.0) /
                  call<double>("__nv_erfcx", 20.0000001),
              1, 1e-8);
  EXPECT_EQ(call<double>("__nv_powi", 2.0, -3), 0.125);
  EXPECT_EQ(call<float>("__nv_norm4df", 1.0f, 1.0f, 1.0f, 1.0f), 2.0f);
  EXPECT_EQ(call<float>("__nv_jnf", 0, 0.0f), 1.0f);
}

/// Two results: one through a pointer, which the checker sees.
TEST(DeviceLib, ResultsThroughPointers) {
  const char *text = R"(
declare void @__nv_sincosf(float, ptr, ptr)
declare float @__nv_modff(float, ptr)
declare float @__nv_frexpf(float, ptr)
declare double @__nv_remquo(double, double, ptr)
define ptx_kernel void @k(ptr %x, ptr %n, float %v, double %a) {
  %x1 = getelementptr float, ptr %x, i32 1
  %x2 = getelementptr float, ptr %x, i32 2
  %x3 = getelementptr float, ptr %x, i32 3
  %n1 = getelementptr i32, ptr %n, i32 1
  call void @__nv_sincosf(float %v, ptr %x, ptr %x1)
  %m = call float @__nv_modff(float %v, ptr %x2)
  store float %m, ptr %x3
  %f = call float @__nv_frexpf(float %v, ptr %n)
  %r = call double @__nv_remquo(double %a, double 2.0, ptr %n1)
  ret void
})";
  Harness h(text, Harness::Language::ir, Mode::checked);
  float *x = h.buffer(std::vector<float>(4), "x");
  int *n = h.buffer(std::vector<int>(2), "n");
  EXPECT_EQ(h.launch("k", {1, 1, 1}, {1, 1, 1}, 0, x, n, 5.25f, 7.0), "");
  EXPECT_EQ(h.report(), "");
  EXPECT_EQ(h.read(x, 4),
            (std::vector<float>{sinf(5.25f), cosf(5.25f), 5.0f, 0.25f}));
  EXPECT_EQ(h.read(n, 2), (std::vector<int>{3, 4}));
  // One element short: a finding and no fault of the process.
  float *shortBuffer = h.buffer(std::vector<float>(1), "short");
  EXPECT_EQ(h.launch("k", {1, 1, 1}, {1, 1, 1}, 0, shortBuffer, n, 5.25f, 7.0),
            "");
  EXPECT_NE(h.first(FindingKind::out_of_bounds), nullptr);
}

std::optional<std::string> libdevice() {
  std::string root =
      llvm::sys::Process::GetEnv("CUDA_HOME").value_or("/usr/local/cuda");
  std::string path = root + "/nvvm/libdevice/libdevice.10.bc";
  if (auto named = llvm::sys::Process::GetEnv("KLINEAGE_LIBDEVICE"))
    path = *named;
  if (!llvm::sys::fs::exists(path))
    return std::nullopt;
  return path;
}

/// Each function that libdevice defines can be executed, but for those that
/// read memory of unknown extent.
TEST(DeviceLib, KnowsAllOfLibdevice) {
  auto path = libdevice();
  if (!path)
    GTEST_SKIP() << "no libdevice.10.bc";
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto library = llvm::parseIRFile(*path, error, context);
  ASSERT_TRUE(library);
  std::vector<std::string> unknown;
  for (llvm::Function &function : *library) {
    if (function.isDeclaration() || function.hasLocalLinkage() ||
        !function.getName().starts_with("__nv_"))
      continue;
    llvm::Module module("m", context);
    auto *declared = llvm::Function::Create(function.getFunctionType(),
                                            llvm::GlobalValue::ExternalLinkage,
                                            function.getName(), module);
    auto *kernel = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                function.getFunctionType()->params(), false),
        llvm::GlobalValue::ExternalLinkage, "k", module);
    kernel->setCallingConv(llvm::CallingConv::PTX_Kernel);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", kernel));
    std::vector<llvm::Value *> args;
    for (llvm::Argument &arg : kernel->args())
      args.push_back(&arg);
    builder.CreateCall(declared, args);
    builder.CreateRetVoid();
    auto program = Program::create(module, {}, {});
    if (!program) {
      llvm::consumeError(program.takeError());
      unknown.push_back(function.getName().str());
    }
  }
  std::sort(unknown.begin(), unknown.end());
  EXPECT_EQ(unknown, (std::vector<std::string>{"__nv_nan", "__nv_nanf",
                                               "__nv_norm", "__nv_normf",
                                               "__nv_rnorm", "__nv_rnormf"}));
}

} // namespace
