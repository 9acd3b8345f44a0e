// Text and bytecode of every operation and attribute of the dialect.
// RUN: klineage-opt %s -o %t.text
// RUN: klineage-opt %t.text -o %t.again
// RUN: diff %t.text %t.again
// RUN: klineage-opt %s --emit-bytecode -o %t.mlirbc
// RUN: klineage-opt %t.mlirbc -o %t.decoded
// RUN: diff %t.text %t.decoded
// RUN: klineage-opt %s --mlir-print-op-generic | klineage-opt -o %t.generic
// RUN: diff %t.text %t.generic
// RUN: FileCheck %s --input-file=%t.decoded

// CHECK: klineage.lineage @softmax target <"sm_90a"> setup {budget = 10 : i64}
klineage.lineage @softmax target <"sm_90a"> setup {budget = 10 : i64} attributes {note = "x"} {
  // CHECK: klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  // CHECK: klineage.state @s1 sha256 "1111111111111111111111111111111111111111111111111111111111111111" features ["shared_tiled"] {
  klineage.state @s1 sha256 "1111111111111111111111111111111111111111111111111111111111111111" features ["shared_tiled"] {
    builtin.module {}
  }
  // CHECK: klineage.transition @t0 @s0 -> @s1 by "row_reduction" at 3 knobs {vector = 4 : i64} reversible numerics <reassociating> certificate <guarded, ["entry buffers are aligned"]> verdict <accepted, "correctness", "all agree", {cases = 3 : i64}> {
  klineage.transition @t0 @s0 -> @s1 by "row_reduction" at 3 knobs {vector = 4 : i64} reversible
      numerics <reassociating> certificate <guarded, ["entry buffers are aligned"]>
      verdict <accepted, "correctness", "all agree", {cases = 3 : i64}> {
    // CHECK: klineage.step "block_row_reduction" on [3, 5] undo 7 {threads = 64 : i64} guarded numerics <reassociating> from "0000000000000000000000000000000000000000000000000000000000000000" to "1111111111111111111111111111111111111111111111111111111111111111" clauses [#klineage.clause<"divisible", layout, unknown, expected "a multiple of 4", found "dynamic", nearest "", by "folding", assuming ["the launch checks it"]>]
    klineage.step "block_row_reduction" on [3, 5] undo 7 {threads = 64 : i64} guarded numerics <reassociating>
      from "0000000000000000000000000000000000000000000000000000000000000000" to "1111111111111111111111111111111111111111111111111111111111111111"
      clauses [#klineage.clause<"divisible", layout, unknown, expected "a multiple of 4", found "dynamic", nearest "", by "folding", assuming ["the launch checks it"]>]
  }
  // CHECK: klineage.trial @s1 by "transpose" at 0 knobs {} verdict <illegal, "clauses", "no", {}> clauses [#klineage.clause<"thread_limit", hardware, refuted, expected "1 to 1024", found "2048", nearest "1024", by "folding", assuming []>]
  klineage.trial @s1 by "transpose" at 0 knobs {} verdict <illegal, "clauses", "no", {}>
    clauses [#klineage.clause<"thread_limit", hardware, refuted, expected "1 to 1024", found "2048", nearest "1024", by "folding", assuming []>]
}

// CHECK: klineage.skill @tile attributes {conflicts = ["b"], effect = "faster", evidence = [#klineage.evidence<"sm_90a", "softmax 8192x4096xf32", before 8.120000e+02 : f64, after 6.900000e+01 : f64, "driver 580.159", tested>]
klineage.skill @tile attributes {transform.with_named_sequence, summary = "s", provides = ["a"], needs = [], conflicts = ["b"],
  numerics = #klineage.numerics<approximate>, effect = "faster", risk = "r", scope = "all",
  evidence = [#klineage.evidence<"sm_90a", "softmax 8192x4096xf32", before 812.0 : f64, after 69.0 : f64, "driver 580.159", tested>]} {
  // CHECK: klineage.knob @v in [8, 4, 2]
  klineage.knob @v in [8, 4, 2]
  // CHECK: klineage.constraint "v * bytes <= 16"
  klineage.constraint "v * bytes <= 16"
  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @steps(%state: !transform.any_op, %op: !transform.any_op) {
    transform.yield
  }
}

// Every case of every enumeration.
// CHECK: numerics = [#klineage.numerics<bit_exact>, #klineage.numerics<reassociating>, #klineage.numerics<precision_changing>, #klineage.numerics<approximate>]
// CHECK-SAME: verdicts = [#klineage.verdict<accepted, "a", "", {}>, #klineage.verdict<illegal, "a", "", {}>, #klineage.verdict<compile_error, "a", "", {}>, #klineage.verdict<wrong, "a", "", {}>, #klineage.verdict<unsafe, "a", "", {}>, #klineage.verdict<slower, "a", "", {}>, #klineage.verdict<unsupported, "a", "", {}>, #klineage.verdict<timeout, "a", "", {}>, #klineage.verdict<harness_error, "a", "", {}>]
func.func private @attributes() attributes {
  certificates = [#klineage.certificate<equivalent, []>, #klineage.certificate<proved, []>, #klineage.certificate<guarded, []>, #klineage.certificate<tested, ["8x8"]>],
  numerics = [#klineage.numerics<bit_exact>, #klineage.numerics<reassociating>, #klineage.numerics<precision_changing>, #klineage.numerics<approximate>],
  targets = [#klineage.target<"sm_80">, #klineage.target<"sm_86">, #klineage.target<"sm_89">, #klineage.target<"sm_90a">, #klineage.target<"sm_100a">, #klineage.target<"sm_120a">],
  verdicts = [#klineage.verdict<accepted, "a", "", {}>, #klineage.verdict<illegal, "a", "", {}>, #klineage.verdict<compile_error, "a", "", {}>, #klineage.verdict<wrong, "a", "", {}>, #klineage.verdict<unsafe, "a", "", {}>, #klineage.verdict<slower, "a", "", {}>, #klineage.verdict<unsupported, "a", "", {}>, #klineage.verdict<timeout, "a", "", {}>, #klineage.verdict<harness_error, "a", "", {}>],
  classes = [#klineage.clause<"c", types, proved, expected "", found "", nearest "", by "", assuming []>, #klineage.clause<"c", storage, proved, expected "", found "", nearest "", by "", assuming []>, #klineage.clause<"c", pipeline, proved, expected "", found "", nearest "", by "", assuming []>]
}
