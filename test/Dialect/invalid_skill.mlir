// RUN: klineage-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{(K1) has no named sequence @anchor}}
klineage.skill @none attributes {summary = "", provides = [], needs = [], conflicts = [],
  numerics = #klineage.numerics<bit_exact>, effect = "", risk = "", scope = ""} {
}

// -----

klineage.skill @empty_domain attributes {transform.with_named_sequence, summary = "", provides = [], needs = [], conflicts = [],
  numerics = #klineage.numerics<bit_exact>, effect = "", risk = "", scope = ""} {
  // expected-error @below {{(K4) lists 4 twice}}
  klineage.knob @v in [4, 4]
  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) { transform.yield }
  transform.named_sequence @steps(%state: !transform.any_op, %op: !transform.any_op) { transform.yield }
}

// -----

klineage.skill @constraint attributes {transform.with_named_sequence, summary = "", provides = [], needs = [], conflicts = [],
  numerics = #klineage.numerics<bit_exact>, effect = "", risk = "", scope = ""} {
  // expected-error @below {{(K3) mentions 'bm', which is neither a knob nor a fact}}
  klineage.constraint "bm <= threads"
  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) { transform.yield }
  transform.named_sequence @steps(%state: !transform.any_op, %op: !transform.any_op) { transform.yield }
}

// -----

klineage.skill @syntax attributes {transform.with_named_sequence, summary = "", provides = [], needs = [], conflicts = [],
  numerics = #klineage.numerics<bit_exact>, effect = "", risk = "", scope = ""} {
  // expected-error @below {{(K3) expected a comparison at column 8 of 'threads'}}
  klineage.constraint "threads"
  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) { transform.yield }
  transform.named_sequence @steps(%state: !transform.any_op, %op: !transform.any_op) { transform.yield }
}
