//===- SelfCheck.cpp - Can these runs tell right from wrong
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SelfCheck.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace klineage;

namespace {

/// A wrong output by construction. `weak`: a right kernel may well be within
/// the tolerance of it everywhere, as a mean of many elements is of the mean.
struct Fake {
  std::string name;
  HostBuffer data;
  bool weak = false;
};

/// What is known of one kind of fake over all runs.
struct Score {
  int64_t tried = 0, told = 0;
  bool weak = true; ///< in every run
  bool same = true; ///< it was no fake: the right answer in every run
};

/// The check of one request.
class Checker {
public:
  explicit Checker(const GateRequest &request) : request(request) {}

  void identity(const PlannedRun &run);
  void twin(const PlannedRun &run, size_t output);
  void fakes(const PlannedRun &run, size_t output);
  void finish();

  SelfCheck result;
  bool anyOutput = false, anyElement = false;
  /// Outputs, and whether one expected value of theirs is a number.
  std::map<size_t, bool> numbers;

private:
  void fail(const llvm::Twine &why) {
    if (result.failure.empty())
      result.failure = ("the gate cannot tell right from wrong: " + why).str();
  }
  std::string where(const PlannedRun &run) const {
    return " (" + sizesText(run.expected.given) + ")";
  }

  const GateRequest &request;
  std::map<std::pair<size_t, std::string>, Score> scores;
};

} // namespace

/// The right answer in the candidate's types.
static HostBuffer rightAnswer(const Expectation &expected, size_t output) {
  HostBuffer buffer = expected.given[output];
  convert(expected.outputs[output], buffer);
  return buffer;
}

static HostBuffer constant(HostBuffer buffer, double value) {
  std::vector<double> values(kElementsAtOnce, value);
  forEachRange(buffer.count(), [&](int64_t begin, int64_t count) {
    buffer.write(begin, count, values.data());
    return true;
  });
  return buffer;
}

static double meanOf(const HostBuffer &buffer) {
  double sum = 0;
  int64_t finite = 0;
  std::vector<double> values(kElementsAtOnce);
  forEachRange(buffer.count(), [&](int64_t begin, int64_t count) {
    buffer.read(begin, count, values.data());
    for (int64_t i = 0; i < count; ++i)
      if (std::isfinite(values[i]))
        sum += values[i], ++finite;
    return true;
  });
  return finite ? sum / double(finite) : 0;
}

/// An element holds the value of the next one that differs: an index off by
/// one.
static std::optional<HostBuffer> neighbour(HostBuffer buffer) {
  int64_t bytes = elementBytes(buffer.type), count = buffer.count();
  for (int64_t i = 0; i + 1 < count; ++i) {
    uint8_t *place =
        buffer.bytes.data() + (count / 2 + i) % (count - 1) * bytes;
    if (!std::memcmp(place, place + bytes, bytes))
      continue;
    std::memcpy(place, place + bytes, bytes);
    return buffer;
  }
  return std::nullopt;
}

/// What an output buffer holds before a run.
static HostBuffer untouched(const Expectation &expected, size_t output) {
  HostBuffer buffer = expected.given[output];
  if (expected.poisonOutputs)
    buffer.bytes.assign(buffer.bytes.size(), 0x5A);
  return buffer;
}

/// The last eighth, one element at least, was never written.
static HostBuffer truncated(HostBuffer buffer, const HostBuffer &before) {
  int64_t bytes = elementBytes(buffer.type), count = buffer.count();
  int64_t begin = (count - (count + 7) / 8) * bytes;
  std::copy(before.bytes.begin() + begin, before.bytes.end(),
            buffer.bytes.begin() + begin);
  return buffer;
}

/// The largest element with the other sign.
static std::optional<HostBuffer> flipped(HostBuffer buffer) {
  int64_t place = -1;
  double largest = 0;
  for (int64_t i = 0, e = std::min<int64_t>(buffer.count(), 65536); i < e; ++i)
    if (double value = std::fabs(buffer.get(i));
        std::isfinite(value) && value > largest)
      largest = value, place = i;
  if (place < 0 || buffer.type == "i1")
    return std::nullopt;
  buffer.set(place, -buffer.get(place));
  return buffer;
}

static std::vector<Fake> makeFakes(const Expectation &expected, size_t output) {
  HostBuffer right = rightAnswer(expected, output);
  HostBuffer before = untouched(expected, output);
  std::vector<Fake> fakes = {
      {"zeros", constant(right, 0)},
      {"an untouched buffer", before},
      {"a missing last part", truncated(right, before)},
      {"ones", constant(right, 1), true},
      {"the mean", constant(right, meanOf(right)), true}};
  if (auto data = flipped(right))
    fakes.push_back({"a flipped sign", *data});
  if (auto data = neighbour(right))
    fakes.push_back({"a neighbour's value", *data, true});
  for (size_t i = 0; i < expected.given.size(); ++i) {
    const HostBuffer &input = expected.given[i];
    // Of one element it proves little: x / |x| * w is w for a positive x.
    if (!expected.isOutput[i] && input.type == right.type &&
        input.bytes.size() == right.bytes.size())
      fakes.push_back({"a copy of argument " + std::to_string(i), input,
                       right.count() == 1});
  }
  return fakes;
}

/// Moves one element just beyond what is allowed, as far as the type can say
/// it; false if the element cannot be moved.
static bool breakElement(HostBuffer &buffer, int64_t index, double distance) {
  double value = buffer.get(index);
  if (buffer.type == "i1" || std::isnan(value) || std::isinf(value)) {
    buffer.set(index, value == 0 ? 1 : 0);
    return true;
  }
  bool isFloat = llvm::StringRef(buffer.type).contains('f');
  buffer.set(index, value + (isFloat ? distance : 1));
  return buffer.get(index) != value;
}

void Checker::identity(const PlannedRun &run) {
  const Expectation &expected = run.expected;
  for (size_t i = 0; i < expected.native.size(); ++i) {
    if (!expected.isOutput[i])
      continue;
    Agreement agreement =
        compareOutput(request, expected, i, expected.native[i]);
    if (!agreement.equal)
      fail(llvm::formatv("state 0 in its own types is not within the tolerance "
                         "of state 0: output {0}, {1}{2}",
                         i, agreement.text, where(run)));
  }
}

/// Few elements, wrong by four times what is allowed.
void Checker::twin(const PlannedRun &run, size_t output) {
  HostBuffer buffer = rightAnswer(run.expected, output);
  double scale = scaleOf(run.expected.outputs[output]);
  double allowed = compareOutput(request, run.expected, output, buffer).allowed;
  int64_t count = buffer.count();
  bool moved = false;
  for (int64_t place : {count / 3, count / 2, count - 1}) {
    double size = std::max(std::fabs(buffer.get(place)), scale / 4);
    double distance = 4 * allowed * (std::isfinite(size) ? size : scale);
    moved |= breakElement(buffer, place, distance > 0 ? distance : 1);
  }
  if (!moved)
    return;
  if (compareOutput(request, run.expected, output, buffer).equal)
    fail(llvm::formatv("a broken twin passes as output {0}{1}", output,
                       where(run)));
  else
    ++result.told;
}

void Checker::fakes(const PlannedRun &run, size_t output) {
  for (const Fake &fake : makeFakes(run.expected, output)) {
    Score &score = scores[{output, fake.name}];
    ++score.tried;
    score.weak &= fake.weak;
    Agreement agreement =
        compareOutput(request, run.expected, output, fake.data);
    score.told += !agreement.equal;
    score.same &=
        agreement.equal && agreement.error <= 2 * unitOf(fake.data.type);
  }
}

void Checker::finish() {
  if (!anyOutput)
    fail("the reference writes none of its arguments");
  if (anyOutput && !anyElement)
    result.notes.push_back("self-check: all cases are empty");
  for (auto [output, isNumber] : numbers)
    if (!isNumber)
      fail(
          llvm::formatv("output {0} is expected to be NaN throughout", output));
  for (auto &[key, score] : scores) {
    auto &[output, name] = key;
    result.told += score.told;
    if (score.told)
      continue;
    if (score.same || score.weak)
      result.notes.push_back(llvm::formatv(
          "self-check: output {0} {1} {2}", output,
          score.same ? "is" : "is within the tolerance of", name));
    else
      fail(llvm::formatv("{0} passes as output {1}", name, output));
  }
}

SelfCheck klineage::selfCheck(const GateRequest &request,
                              llvm::ArrayRef<PlannedRun> runs) {
  Checker checker(request);
  for (const PlannedRun &run : runs) {
    const Expectation &expected = run.expected;
    checker.identity(run);
    for (size_t i = 0; i < expected.outputs.size(); ++i) {
      if (!expected.isOutput[i])
        continue;
      checker.anyOutput = true;
      if (expected.outputs[i].bytes.empty())
        continue;
      checker.anyElement = true;
      checker.numbers[i] |= !isAllNaN(expected.outputs[i]);
      checker.twin(run, i);
      // Of all-negative inputs zeros may be right; of the general ones not.
      if (run.fill == Fill::mixed)
        checker.fakes(run, i);
    }
  }
  checker.finish();
  return std::move(checker.result);
}
