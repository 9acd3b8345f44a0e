//===- ContractTest.cpp - What a launch checks before it runs
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Gate/HostRunner.h"
#include "KLineage/RegisterAll.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace klineage;

namespace {

/// Takes every launch and remembers it: nothing runs, so pointers may be any.
class Recorder final : public DeviceRuntime {
public:
  llvm::Expected<void *> allocate(int64_t, llvm::StringRef) override {
    return llvm::createStringError("nothing to allocate here");
  }
  llvm::Error release(void *) override { return llvm::Error::success(); }
  llvm::Error copyToDevice(void *, const void *, int64_t) override {
    return llvm::Error::success();
  }
  llvm::Error copyToHost(void *, const void *, int64_t) override {
    return llvm::Error::success();
  }
  llvm::Error launch(const LaunchRequest &) override {
    ++launches;
    return llvm::Error::success();
  }
  llvm::Error synchronize() override { return llvm::Error::success(); }

  int launches = 0;
};

/// y = x, with a third buffer that is read by nobody; `promises` are those of
/// y.
std::string copyOf(const std::string &promises) {
  return R"mlir(
func.func @f(%x: memref<?xf32> {llvm.align = 16 : i64},
             %w: memref<?xf32>, %n: index,
             %y: memref<?xf32> {)mlir" +
         promises + R"mlir(}) {
  linalg.copy ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return
})mlir";
}

const char *const kPromised = "llvm.align = 16 : i64, llvm.noalias";

EntryArgument buffer(uintptr_t address, int64_t elements) {
  EntryArgument argument;
  argument.pointer = reinterpret_cast<void *>(address);
  argument.bytes = 4 * elements;
  argument.shape = {elements};
  return argument;
}

class Contract : public ::testing::Test {
protected:
  Contract() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    use(copyOf(kPromised));
  }

  void use(const std::string &text) {
    program.reset();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    auto made = compileState(*module, *lookupTarget("sm_90a"));
    ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
    compiled = std::make_unique<CompiledState>(std::move(*made));
    auto host = HostProgram::create(*compiled);
    ASSERT_TRUE(bool(host)) << llvm::toString(host.takeError());
    program = std::move(*host);
  }

  /// What a run says; empty if it launched the kernel.
  std::string run(llvm::ArrayRef<EntryArgument> arguments) {
    Recorder recorder;
    llvm::Error error = program->run(recorder, arguments);
    std::string text = llvm::toString(std::move(error));
    EXPECT_EQ(recorder.launches, text.empty() ? 1 : 0);
    return text;
  }
  std::string run(EntryArgument x, EntryArgument w, EntryArgument y) {
    return run({x, w, EntryArgument(), y});
  }

  mlir::MLIRContext context;
  std::unique_ptr<CompiledState> compiled;
  std::unique_ptr<HostProgram> program;
};

TEST_F(Contract, takesSoundArguments) {
  EXPECT_EQ(run(buffer(4096, 64), buffer(8192, 8), buffer(12288, 64)), "");
  // Nothing is promised of the alignment of w.
  EXPECT_EQ(run(buffer(4096, 64), buffer(8196, 8), buffer(12288, 64)), "");
}

TEST_F(Contract, takesNeighbours) {
  EXPECT_EQ(run(buffer(4096, 64), buffer(8192, 8), buffer(4352, 64)), "");
  EXPECT_EQ(run(buffer(4352, 64), buffer(8192, 8), buffer(4096, 64)), "");
}

TEST_F(Contract, takesReadersThatOverlap) {
  EXPECT_EQ(run(buffer(4096, 64), buffer(4100, 8), buffer(12288, 64)), "");
}

TEST_F(Contract, refusesAMisalignedBuffer) {
  EXPECT_EQ(run(buffer(4096, 64), buffer(8192, 8), buffer(12296, 64)),
            "argument 3 is not aligned to 16 bytes, as the kernel was "
            "promised");
  EXPECT_EQ(run(buffer(4100, 64), buffer(8192, 8), buffer(12288, 64)),
            "argument 0 is not aligned to 16 bytes, as the kernel was "
            "promised");
}

TEST_F(Contract, refusesOverlappingBuffers) {
  const char *text = "arguments 3 and 0 overlap, although the first is written";
  EXPECT_EQ(run(buffer(4096, 64), buffer(8192, 8), buffer(4096, 64)), text);
  // By the last element, from either side, and one within the other.
  EXPECT_EQ(run(buffer(4096, 65), buffer(8192, 8), buffer(4352, 65)), text);
  EXPECT_EQ(run(buffer(4352, 65), buffer(8192, 8), buffer(4096, 65)), text);
  EXPECT_EQ(run(buffer(4096, 64), buffer(8192, 8), buffer(4112, 4)), text);
  EXPECT_EQ(run(buffer(4112, 4), buffer(8192, 8), buffer(4096, 64)), text);
  // Also with a buffer about which nothing is promised.
  EXPECT_EQ(run(buffer(4096, 64), buffer(12292, 8), buffer(12288, 64)),
            "arguments 3 and 1 overlap, although the first is written");
}

TEST_F(Contract, takesEmptyBuffersAnywhere) {
  EXPECT_EQ(run(buffer(4096, 64), buffer(4112, 0), buffer(8192, 64)), "");
  EXPECT_EQ(run(buffer(4096, 64), buffer(8208, 0), buffer(8192, 64)), "");
}

TEST_F(Contract, checksWhatIsPromisedOnly) {
  use(copyOf("llvm.align = 4 : i64"));
  EXPECT_EQ(run(buffer(4096, 64), buffer(8192, 8), buffer(12292, 64)), "");
  EXPECT_EQ(run(buffer(4096, 64), buffer(8192, 8), buffer(4096, 64)), "");
  EXPECT_EQ(run(buffer(4096, 64), buffer(8192, 8), buffer(12290, 64)),
            "argument 3 is not aligned to 4 bytes, as the kernel was promised");
}

TEST_F(Contract, refusesOtherShapes) {
  EXPECT_EQ(run({buffer(4096, 64)}), "the entry takes 4 arguments, got 1");
  EntryArgument matrix = buffer(12288, 64);
  matrix.shape = {8, 8};
  EXPECT_EQ(run(buffer(4096, 64), buffer(8192, 8), matrix),
            "argument 3 has rank 2, expected 1");
  use(R"mlir(
func.func @f(%x: memref<64xf32>) {
  %c = arith.constant 0.0 : f32
  linalg.fill ins(%c : f32) outs(%x : memref<64xf32>)
  return
})mlir");
  EXPECT_EQ(run({buffer(4096, 63)}),
            "dimension 0 of argument 0 is 63, expected 64");
  EXPECT_EQ(run({buffer(4096, 64)}), "");
}

} // namespace
