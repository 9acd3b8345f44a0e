//===- LineDiffTest.cpp - Edit scripts against a table
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KLineage/Support/LineDiff.h"
#include "gtest/gtest.h"
#include <random>

using namespace klineage;

static std::string diff(llvm::StringRef a, llvm::StringRef b,
                        unsigned context = 3) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printLineDiff(os, a, b, context);
  return text;
}

TEST(LineDiff, WritesHunksAsDiffDoes) {
  EXPECT_EQ(diff("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(diff("", "a\n"), "@@ -0,0 +1,1 @@\n+a\n");
  EXPECT_EQ(diff("a\n", ""), "@@ -1,1 +0,0 @@\n-a\n");
  EXPECT_EQ(diff("a\nb\nc\n", "a\nx\nc\n"),
            "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
  EXPECT_EQ(diff("a\nb\nc\nd\n", "a\nb\nx\nc\nd\n", 0),
            "@@ -2,0 +3,1 @@\n+x\n");
}

TEST(LineDiff, ChangesFarApartHaveTheirOwnHunk) {
  EXPECT_EQ(diff("x\n1\n2\n3\n4\nx\n", "y\n1\n2\n3\n4\ny\n", 1),
            "@@ -1,2 +1,2 @@\n-x\n+y\n 1\n@@ -5,2 +5,2 @@\n 4\n-x\n+y\n");
  EXPECT_EQ(diff("x\n1\n2\nx\n", "y\n1\n2\ny\n", 1),
            "@@ -1,4 +1,4 @@\n-x\n+y\n 1\n 2\n-x\n+y\n");
}

static size_t longestCommon(llvm::StringRef a, llvm::StringRef b) {
  std::vector<std::vector<size_t>> best(a.size() + 1,
                                        std::vector<size_t>(b.size() + 1));
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j)
      best[i][j] = a[i - 1] == b[j - 1]
                       ? best[i - 1][j - 1] + 1
                       : std::max(best[i - 1][j], best[i][j - 1]);
  return best[a.size()][b.size()];
}

static std::string lines(llvm::StringRef letters) {
  std::string text;
  for (char letter : letters)
    (text += letter) += '\n';
  return text;
}

TEST(LineDiff, IsShortestAndGivesBothTexts) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    std::string a(random() % 12, ' '), b(random() % 12, ' ');
    for (std::string *text : {&a, &b})
      for (char &letter : *text)
        letter = 'a' + random() % 3;
    std::string text = diff(lines(a), lines(b), 100);
    if (a == b) {
      EXPECT_EQ(text, "");
      continue;
    }
    std::string before, after;
    size_t edits = 0;
    llvm::SmallVector<llvm::StringRef> rows;
    llvm::StringRef(text).split(rows, '\n', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef row : llvm::drop_begin(rows)) {
      if (row[0] != '+')
        before += row[1];
      if (row[0] != '-')
        after += row[1];
      edits += row[0] != ' ';
    }
    EXPECT_EQ(before, a);
    EXPECT_EQ(after, b);
    EXPECT_EQ(edits, a.size() + b.size() - 2 * longestCommon(a, b)) << text;
  }
}
