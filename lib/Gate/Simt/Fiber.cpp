//===- Fiber.cpp - Switching between the threads of a block
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"
#include "KLineage/Gate/Simt/SimtRuntime.h"
#include "llvm/ADT/Twine.h"
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KLINEAGE_SIMT_ASAN 1
#include <sanitizer/common_interface_defs.h>
#endif
#endif

#ifndef __x86_64__
#error "the simt executor's context switch is written for x86-64"
#endif

// Saves what the System V ABI lets a callee rely on, swaps the stack pointer,
// restores the same. The first switch to a fresh fiber "returns" into
// klineage_simt_fiber_start with the entry in r13 and its argument in r12.
asm(R"(
  .pushsection .text
  .hidden klineage_simt_fiber_switch
  .globl klineage_simt_fiber_switch
  .type klineage_simt_fiber_switch, @function
klineage_simt_fiber_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size klineage_simt_fiber_switch, . - klineage_simt_fiber_switch
  .hidden klineage_simt_fiber_start
  .globl klineage_simt_fiber_start
  .type klineage_simt_fiber_start, @function
klineage_simt_fiber_start:
  movq %r12, %rdi
  callq *%r13
  ud2
  .size klineage_simt_fiber_start, . - klineage_simt_fiber_start
  .popsection
)");

extern "C" void klineage_simt_fiber_switch(void **save, void *target);
extern "C" void klineage_simt_fiber_start();

using namespace klineage::simt;

StackPool::StackPool(int64_t bytes) {
  guardBytes = sysconf(_SC_PAGESIZE);
  stackBytes = (bytes + guardBytes - 1) / guardBytes * guardBytes;
}

StackPool::~StackPool() {
  for (char *stack : stacks)
    munmap(stack - guardBytes, stackBytes + guardBytes);
}

llvm::Error StackPool::grow(unsigned count) {
  while (stacks.size() < count) {
    void *memory =
        mmap(nullptr, stackBytes + guardBytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return llvm::make_error<MemoryError>("simt: cannot map a stack of " +
                                           std::to_string(stackBytes) +
                                           " bytes for a GPU thread");
    if (mprotect(memory, guardBytes, PROT_NONE) != 0) {
      munmap(memory, stackBytes + guardBytes);
      return llvm::createStringError(
          std::error_code(errno, std::generic_category()),
          "simt: cannot protect the guard page of a stack");
    }
    stacks.push_back(static_cast<char *>(memory) + guardBytes);
  }
  return llvm::Error::success();
}

void klineage::simt::prepareFiber(Fiber &fiber, char *low, char *high,
                                  void (*entry)(void *), void *argument) {
  fiber.low = low;
  fiber.high = high;
  fiber.sanitizerStack = nullptr;
  // Six registers and the return address; two more words leave the stack
  // 16-byte aligned at the call in klineage_simt_fiber_start.
  void **top = reinterpret_cast<void **>(high) - 9;
  std::memset(top, 0, 8 * sizeof(void *));
  top[2] = reinterpret_cast<void *>(entry); // r13
  top[3] = argument;                        // r12
  top[6] = reinterpret_cast<void *>(&klineage_simt_fiber_start);
  fiber.stackPointer = top;
}

void klineage::simt::switchFiber(Fiber &from, Fiber &to, bool last) {
#ifdef KLINEAGE_SIMT_ASAN
  __sanitizer_start_switch_fiber(last ? nullptr : &from.sanitizerStack, to.low,
                                 to.high - to.low);
#endif
  klineage_simt_fiber_switch(&from.stackPointer, to.stackPointer);
#ifdef KLINEAGE_SIMT_ASAN
  __sanitizer_finish_switch_fiber(from.sanitizerStack, nullptr, nullptr);
#endif
}

void klineage::simt::enteredFiber(Fiber &self) {
#ifdef KLINEAGE_SIMT_ASAN
  __sanitizer_finish_switch_fiber(self.sanitizerStack, nullptr, nullptr);
#endif
}
