//===- LineDiff.cpp - What changed between two texts
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Support/LineDiff.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <vector>

using namespace llvm;

namespace {
/// One line of the edit script, with its position in each text.
struct Line {
  char sign; ///< ' ', '-' or '+'
  size_t before, after;
  StringRef text;
};
} // namespace

static SmallVector<StringRef, 0> split(StringRef text) {
  SmallVector<StringRef, 0> lines;
  text.split(lines, '\n');
  if (!lines.empty() && lines.back().empty())
    lines.pop_back();
  return lines;
}

/// For each number of edits, how far each diagonal `x - y` gets in `a`.
static std::vector<std::vector<int64_t>> furthest(ArrayRef<StringRef> a,
                                                  ArrayRef<StringRef> b) {
  int64_t n = a.size(), m = b.size(), limit = n + m;
  std::vector<std::vector<int64_t>> trace;
  std::vector<int64_t> reach(2 * limit + 2, 0);
  for (int64_t edits = 0; edits <= limit; ++edits) {
    for (int64_t k = -edits; k <= edits; k += 2) {
      bool down = k == -edits ||
                  (k != edits && reach[limit + k - 1] < reach[limit + k + 1]);
      int64_t x = down ? reach[limit + k + 1] : reach[limit + k - 1] + 1;
      while (x < n && x - k < m && a[x] == b[x - k])
        ++x;
      reach[limit + k] = x;
      if (x >= n && x - k >= m) {
        trace.emplace_back(reach.begin() + limit - edits,
                           reach.begin() + limit + edits + 1);
        return trace;
      }
    }
    trace.emplace_back(reach.begin() + limit - edits,
                       reach.begin() + limit + edits + 1);
  }
  return trace;
}

/// The edit script, from the trace backward.
static std::vector<Line> script(ArrayRef<StringRef> a, ArrayRef<StringRef> b) {
  std::vector<std::vector<int64_t>> trace = furthest(a, b);
  std::vector<Line> lines;
  int64_t x = a.size(), y = b.size();
  auto equal = [&](int64_t untilX, int64_t untilY) {
    while (x > untilX && y > untilY) {
      --x, --y;
      lines.push_back({' ', size_t(x), size_t(y), a[x]});
    }
  };
  for (int64_t edits = int64_t(trace.size()) - 1; edits > 0; --edits) {
    const std::vector<int64_t> &reach = trace[edits - 1];
    auto at = [&](int64_t k) { return reach[k + edits - 1]; };
    int64_t k = x - y;
    bool down = k == -edits || (k != edits && at(k - 1) < at(k + 1));
    int64_t startX = down ? at(k + 1) : at(k - 1);
    int64_t startY = startX - (down ? k + 1 : k - 1);
    equal(down ? startX : startX + 1, down ? startY + 1 : startY);
    if (down)
      lines.push_back({'+', size_t(x), size_t(--y), b[y]});
    else
      lines.push_back({'-', size_t(--x), size_t(y), a[x]});
  }
  equal(0, 0);
  std::reverse(lines.begin(), lines.end());
  return lines;
}

static void printHunk(raw_ostream &os, ArrayRef<Line> lines) {
  size_t before = 0, after = 0;
  for (const Line &line : lines) {
    before += line.sign != '+';
    after += line.sign != '-';
  }
  // As diff: an empty side is named by the line before it.
  os << "@@ -" << lines.front().before + (before > 0) << "," << before << " +"
     << lines.front().after + (after > 0) << "," << after << " @@\n";
  for (const Line &line : lines)
    os << line.sign << line.text << "\n";
}

bool klineage::printLineDiff(raw_ostream &os, StringRef before, StringRef after,
                             unsigned context) {
  std::vector<Line> lines = script(split(before), split(after));
  auto changed = [](const Line &line) { return line.sign != ' '; };
  auto next = llvm::find_if(lines, changed);
  bool any = next != lines.end();
  while (next != lines.end()) {
    auto begin = next - std::min<size_t>(context, next - lines.begin());
    auto last = next;
    // Changes with little between them share a hunk.
    for (auto it = next; it != lines.end() && it - last <= 2 * context + 1;
         ++it)
      if (changed(*it))
        last = it;
    auto end = last + 1 + std::min<size_t>(context, lines.end() - (last + 1));
    printHunk(os, ArrayRef(&*begin, end - begin));
    next = std::find_if(end, lines.end(), changed);
  }
  return any;
}
