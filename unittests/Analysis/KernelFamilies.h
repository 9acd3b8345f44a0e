//===- KernelFamilies.h - Sound kernels and what can be broken in each
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef KLINEAGE_UNITTESTS_ANALYSIS_KERNELFAMILIES_H
#define KLINEAGE_UNITTESTS_ANALYSIS_KERNELFAMILIES_H

#include <string>
#include <vector>

namespace klineage::test {

/// A place in a kernel's text, written `$name$`. The first text is sound, the
/// others are faults, or sound in another way.
struct Slot {
  std::string name;
  std::vector<std::string> texts;
};

struct KernelFamily {
  std::string name;
  std::string x, y;        ///< types of the buffers read and written
  std::string shared;      ///< type of the shared array, without its space
  std::string grid, block; ///< "2, 2, 1"
  std::string body;
  std::vector<Slot> slots;
};

const std::vector<KernelFamily> &kernelFamilies();

/// The module of one member. Seed 0 is the sound one; others break each slot
/// with a probability of about a third.
std::string member(const KernelFamily &family, unsigned seed);

} // namespace klineage::test

#endif // KLINEAGE_UNITTESTS_ANALYSIS_KERNELFAMILIES_H
