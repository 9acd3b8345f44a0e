//===- Checker.cpp - Looks at each access of a checked run
//
// Part of the KLineage project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "llvm/ADT/Twine.h"
#include <cstring>

using namespace klineage;
using namespace klineage::simt;
using namespace llvm;

Checker::Checker(const Program::Impl &program, DeviceMemory &memory,
                 FindingLog &log)
    : program(program), memory(memory), log(log),
      shift(program.host.granuleShift) {
  size_t largest = 64;
  for (const Site &site : program.host.sites)
    largest = std::max<size_t>(largest, site.size);
  dumpArea.resize(largest);
}

void Checker::beginLaunch(const Launch &next, Counts &nextCounts) {
  launch = &next;
  counts = &nextCounts;
  if (clock.nearlyExhausted()) {
    memory.clearShadows();
    std::fill(sharedShadow.begin(), sharedShadow.end(), Cell());
    clock.reset();
  }
  clock.beginLaunch();
  sharedShadow.resize((next.arenaUsed >> shift) + 2);
  history.clear();
  argBuffers.clear();
  lastBuffer = nullptr;
  for (auto [index, param] : enumerate(next.kernel->params)) {
    Buffer *buffer = nullptr;
    if (param.isPointer) {
      char *pointer;
      std::memcpy(&pointer, next.args[index], sizeof(pointer));
      buffer = memory.find(pointer);
    }
    ArgBuffer &entry = argBuffers.emplace_back();
    entry.buffer = buffer;
    if (!buffer)
      continue;
    prepareShadow(*buffer);
    entry.base = buffer->base;
    entry.bytes = buffer->bytes;
    entry.cells = buffer->shadow.data();
  }
  launchEpoch = clock.firstEpochOfLaunch();
  counterStart = program.host.blockCounters;
  ++counts->launches;
}

void Checker::endLaunch() {
  int64_t *classes[numInstClasses] = {
      &counts->fp16,    &counts->fp32,   &counts->fp64,
      &counts->integer, &counts->memory, &counts->control,
      &counts->special, &counts->mma,    &counts->other};
  for (size_t i = 0; i < counterStart.size(); ++i) {
    int64_t executed = program.host.blockCounters[i] - counterStart[i];
    for (int c = 0; c < numInstClasses; ++c)
      *classes[c] += executed * program.host.blockClasses[i][c];
  }
}

void Checker::beginBlock(const ThreadCtx &any, int64_t index) {
  clock.beginBlock(launch->numThreads);
  history.push_back(
      {clock.firstEpochOfBlock(), {any.ctaid[0], any.ctaid[1], any.ctaid[2]}});
  ++counts->blocks;
  counts->threads += launch->numThreads;
  counting = index < program.options.countedBlocks;
}

void Checker::endBlock() {
  if (counting)
    accesses.finishBlock(*counts);
}

char *Checker::dump() {
  std::memset(dumpArea.data(), poisonByte, dumpArea.size());
  return dumpArea.data();
}

Finding *Checker::reportAt(FindingKind kind, const ThreadCtx &ctx,
                           const Site &site, uint64_t byteOffset,
                           const Buffer *buffer, int sharedVar) {
  uint64_t place = buffer ? buffer->id : 0x1000000u + unsigned(sharedVar);
  Finding *finding = report(kind, ctx, &site, place);
  if (!finding)
    return nullptr;
  finding->byteOffset = byteOffset;
  if (buffer)
    finding->buffer = buffer->name;
  else if (sharedVar >= 0) {
    const SharedVar &var = program.host.sharedVars[sharedVar];
    finding->buffer = var.name;
    finding->byteOffset = int64_t(byteOffset) - var.offset;
  }
  finding->element = finding->byteOffset / int64_t(site.elementSize);
  return finding;
}

int Checker::sharedVarAt(uint64_t offset) const {
  for (int index : launch->kernel->sharedVars) {
    const SharedVar &var = program.host.sharedVars[index];
    if (int64_t(offset) >= var.offset &&
        int64_t(offset) < var.offset + extentOf(var))
      return index;
  }
  return -1;
}

void Checker::prepareShadow(Buffer &buffer) const {
  if (!buffer.shadow.empty() && buffer.shadowShift == shift)
    return;
  buffer.shadow.assign((buffer.bytes >> shift) + 2, Cell());
  buffer.shadowShift = shift;
}

/// The common case, told in a few instructions: a read, within one cell of a
/// parameter's buffer, of what several blocks read and nobody writes.
inline bool Checker::isUnremarkable(const char *pointer,
                                    const Site &site) const {
  if (counting || site.flags != accessRead || site.argument < 0)
    return false;
  const ArgBuffer &arg = argBuffers[site.argument];
  uint64_t offset = pointer - arg.base;
  if (offset >= arg.bytes || site.size > arg.bytes - offset ||
      reinterpret_cast<uintptr_t>(pointer) & (site.align - 1))
    return false;
  uint64_t index = offset >> shift;
  if (index != (offset + site.size - 1) >> shift)
    return false;
  const Cell &cell = arg.cells[index];
  return cell.write.epoch < launchEpoch && cell.read.epoch >= launchEpoch &&
         cell.read.form() == Record::manyBlocks;
}

char *Checker::access(const ThreadCtx &ctx, char *pointer, uint64_t bytes,
                      const Site &site, uint8_t flags) {
  if (flags & accessAtomic && program.host.hasFences)
    clock.synchronize(reinterpret_cast<uintptr_t>(pointer));
  uint64_t offset = pointer - ctx.shared;
  if (offset < uint64_t(arenaBytes))
    return accessShared(ctx, offset, pointer, bytes, site, flags);
  Buffer *buffer =
      site.argument >= 0 ? argBuffers[site.argument].buffer : nullptr;
  if (!buffer) {
    if (pointer >= ctx.stackLow && pointer + bytes <= ctx.stackHigh)
      return pointer; // Private memory through a pointer from elsewhere.
    buffer = lastBuffer;
    if (!buffer || uint64_t(pointer - buffer->base) >= uint64_t(buffer->bytes))
      buffer = lastBuffer = memory.find(pointer);
  }
  return accessBuffer(ctx, buffer, pointer, bytes, site, flags);
}

char *Checker::accessShared(const ThreadCtx &ctx, uint64_t offset,
                            char *pointer, uint64_t bytes, const Site &site,
                            uint8_t flags) {
  int index = site.sharedVar >= 0 ? site.sharedVar : sharedVarAt(offset);
  const SharedVar *var = index >= 0 ? &program.host.sharedVars[index] : nullptr;
  uint64_t inside = var ? offset - var->offset : 0;
  if (!var || inside > uint64_t(extentOf(*var)) ||
      bytes > extentOf(*var) - inside) {
    bool overflow = var && var->dynamic && int64_t(offset) >= var->offset;
    if (Finding *finding = reportAt(overflow ? FindingKind::shared_overflow
                                             : FindingKind::out_of_bounds,
                                    ctx, site, offset, nullptr, index))
      finding->detail =
          var ? (Twine(bytes) + " bytes at " +
                 Twine(int64_t(offset) - var->offset) + " of " +
                 Twine(extentOf(*var)) +
                 (var->dynamic ? " dynamic bytes that the launch has" : ""))
                    .str()
              : "between the shared variables";
    return nullptr;
  }
  // A misaligned access covers parts of cells: no race can be told from it.
  bool misaligned = offset & (site.align - 1);
  if (misaligned)
    if (Finding *finding = reportAt(FindingKind::misaligned, ctx, site, offset,
                                    nullptr, index))
      finding->detail = (Twine("needs ") + Twine(site.align) +
                         ", variable has alignment " + Twine(var->align))
                            .str();
  if (counting)
    accesses.note(ctx, site, offset, bytes, true, flags & accessWrite);
  visitCells<true>(ctx, sharedShadow.data(), offset, bytes, site, flags,
                   nullptr, index, !misaligned);
  return pointer;
}

char *Checker::accessBuffer(const ThreadCtx &ctx, Buffer *buffer, char *pointer,
                            uint64_t bytes, const Site &site, uint8_t flags) {
  if (!buffer)
    return outOfBounds(ctx, nullptr, pointer, bytes, site);
  uint64_t offset = pointer - buffer->base;
  if (offset > uint64_t(buffer->bytes) || bytes > buffer->bytes - offset)
    return outOfBounds(ctx, buffer, pointer, bytes, site);
  bool misaligned = reinterpret_cast<uintptr_t>(pointer) & (site.align - 1);
  if (misaligned)
    if (Finding *finding =
            reportAt(FindingKind::misaligned, ctx, site, offset, buffer, -1))
      finding->detail = (Twine("needs ") + Twine(site.align)).str();
  prepareShadow(*buffer);
  if (counting)
    accesses.note(ctx, site, reinterpret_cast<uintptr_t>(pointer), bytes, false,
                  flags & accessWrite);
  visitCells<false>(ctx, buffer->shadow.data(), offset, bytes, site, flags,
                    buffer, -1, !misaligned);
  return pointer;
}

char *Checker::outOfBounds(const ThreadCtx &ctx, const Buffer *near,
                           char *pointer, uint64_t bytes, const Site &site) {
  Finding *finding = reportAt(FindingKind::out_of_bounds, ctx, site,
                              near ? pointer - near->base : 0, near, -1);
  if (!finding)
    return nullptr;
  if (!near) {
    finding->byteOffset = finding->element = -1;
    finding->detail = "the address is in no buffer";
    if (site.argument >= 0)
      finding->detail += (Twine(", parameter ") + Twine(site.argument)).str();
    return nullptr;
  }
  finding->detail =
      (Twine(bytes) + " bytes of a buffer of " + Twine(near->bytes) + " bytes")
          .str();
  return nullptr;
}

void Checker::privateOutOfBounds(const ThreadCtx &ctx, int64_t offset,
                                 const Site &site) {
  if (Finding *finding = report(FindingKind::out_of_bounds, ctx, &site)) {
    finding->buffer = "private memory";
    finding->byteOffset = offset;
    finding->element = offset / int64_t(site.elementSize);
  }
}

void Checker::race(const ThreadCtx &ctx, Record other, uint64_t byteOffset,
                   const Site &site, uint8_t flags, const Buffer *buffer,
                   int sharedVar, bool otherWrites) {
  Finding *finding =
      reportAt(buffer ? FindingKind::global_race : FindingKind::shared_race,
               ctx, site, byteOffset, buffer, sharedVar);
  if (!finding)
    return;
  auto it = std::upper_bound(
      history.begin(), history.end(), other.epoch,
      [](uint32_t epoch, const auto &entry) { return epoch < entry.first; });
  finding->otherLocation = program.host.sites[other.site].location;
  bool oneBlock = other.form() != Record::manyBlocks && it != history.begin();
  if (oneBlock && other.form() != Record::oneBlock) {
    finding->hasOther = true;
    finding->otherBlock = std::prev(it)->second;
    finding->otherThread = threadOf(other.thread(), ctx);
  }
  finding->detail =
      std::string(flags & accessAtomic  ? "atomic access"
                  : flags & accessWrite ? "write"
                                        : "read") +
      " and " +
      (other.isAtomic() ? "atomic access"
       : otherWrites    ? "write"
                        : "read") +
      (other.form() == Record::manyBlocks ? " by threads of several blocks"
       : other.form() == Record::oneBlock ? " by several warps"
                                          : "") +
      " without order";
}

template <bool isShared>
void Checker::visitCells(const ThreadCtx &ctx, Cell *cells, uint64_t offset,
                         uint64_t bytes, const Site &site, uint8_t flags,
                         const Buffer *buffer, int sharedVar, bool clean) {
  if (bytes == 0)
    return;
  bool reads = flags & accessRead, writes = flags & accessWrite;
  bool atomic = flags & accessAtomic;
  uint32_t bits = (atomic ? Record::atomicBit : 0) |
                  (flags & accessAsync ? Record::pendingBit : 0);
  for (uint64_t i = offset >> shift; i <= (offset + bytes - 1) >> shift; ++i) {
    Cell &cell = cells[i];
    uint64_t at = std::max(offset, i << shift);
    if (isShared) { // Another block's memory lay here.
      if (!clock.inBlock(cell.write))
        cell.write = Record();
      if (!clock.inBlock(cell.read))
        cell.read = Record();
    }
    if (isShared && clean && cell.write.isPending() &&
        clock.inBlock(cell.write)) {
      clean = false;
      reportAt(FindingKind::async_pending, ctx, site, at, buffer, sharedVar);
    } else if (isShared && clean && reads && !clock.inBlock(cell.write)) {
      clean = false;
      reportAt(FindingKind::uninitialized_shared, ctx, site, at, buffer,
               sharedVar);
    } else if (clean && !(atomic && cell.write.isAtomic()) &&
               !clock.ordered(cell.write, ctx)) {
      clean = false;
      race(ctx, cell.write, at, site, flags, buffer, sharedVar, true);
    } else if (clean && writes && !clock.ordered(cell.read, ctx)) {
      clean = false;
      race(ctx, cell.read, at, site, flags, buffer, sharedVar, false);
    }
    if (!writes) {
      if (!atomic)
        clock.add(cell.read, ctx, site.id, 0);
    } else if (atomic && cell.write.isAtomic() && clock.inLaunch(cell.write)) {
      clock.add(cell.write, ctx, site.id, bits);
    } else {
      cell.write = clock.now(ctx, site.id, bits);
      cell.read = Record();
    }
  }
}

void Checker::deliver(const ThreadCtx &ctx, char *pointer, uint64_t bytes) {
  uint64_t offset = pointer - ctx.shared;
  if (bytes == 0 || offset >= uint64_t(arenaBytes))
    return;
  for (uint64_t i = offset >> shift; i <= (offset + bytes - 1) >> shift; ++i)
    if (sharedShadow[i].write.isPending())
      sharedShadow[i].write = clock.now(ctx, sharedShadow[i].write.site);
}

void *klineage_simt_check(ThreadCtx *ctx, void *pointer, Site *site) {
  Checker &checker = *ctx->checker;
  auto *address = static_cast<char *>(pointer);
  if (checker.isUnremarkable(address, *site))
    return pointer;
  char *safe = checker.access(*ctx, address, site->size, *site, site->flags);
  return safe ? safe : checker.dump();
}

void *klineage_simt_check_n(ThreadCtx *ctx, void *pointer, uint64_t bytes,
                            Site *site) {
  if (bytes == 0)
    return ctx; // Anything but null: nothing is touched.
  return ctx->checker->access(*ctx, static_cast<char *>(pointer), bytes, *site,
                              site->flags);
}

void *klineage_simt_check_private(ThreadCtx *ctx, void *pointer, uint64_t base,
                                  uint64_t extent, Site *site) {
  uint64_t offset = reinterpret_cast<uintptr_t>(pointer) - base;
  if (offset <= extent && site->size <= extent - offset)
    return pointer;
  ctx->checker->privateOutOfBounds(*ctx, int64_t(offset), *site);
  return ctx->checker->dump();
}
