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

// -----

// expected-error @below {{(K1) has no named sequence @steps}}
klineage.skill @k1_no_steps attributes {transform.with_named_sequence, summary = "", provides = [], needs = [], conflicts = [],
  numerics = #klineage.numerics<bit_exact>, effect = "", risk = "", scope = ""} {
  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) { transform.yield }
}

// -----

klineage.skill @k1_arguments attributes {transform.with_named_sequence, summary = "", provides = [], needs = [], conflicts = [],
  numerics = #klineage.numerics<bit_exact>, effect = "", risk = "", scope = ""} {
  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) { transform.yield }
  // expected-error @below {{(K1) of a skill takes 2 handles and has a body}}
  transform.named_sequence @steps(%state: !transform.any_op) { transform.yield }
}

// -----

klineage.skill @k2_knob attributes {transform.with_named_sequence, summary = "", provides = [], needs = [], conflicts = [],
  numerics = #klineage.numerics<bit_exact>, effect = "", risk = "", scope = ""} {
  klineage.knob @v in [4]
  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) { transform.yield }
  transform.named_sequence @steps(%state: !transform.any_op, %op: !transform.any_op) {
    // expected-error @below {{(K2) refers to @w, which is no knob of skill @k2_knob}}
    %t = transform.klineage.vectorize_access %op {vector = @w} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

klineage.skill @k4_empty attributes {transform.with_named_sequence, summary = "", provides = [], needs = [], conflicts = [],
  numerics = #klineage.numerics<bit_exact>, effect = "", risk = "", scope = ""} {
  // expected-error @below {{(K4) has an empty domain}}
  klineage.knob @v in []
  transform.named_sequence @anchor(%op: !transform.any_op {transform.readonly}) { transform.yield }
  transform.named_sequence @steps(%state: !transform.any_op, %op: !transform.any_op) { transform.yield }
}
