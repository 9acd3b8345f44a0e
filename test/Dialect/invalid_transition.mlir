// RUN: klineage-opt %s -split-input-file -verify-diagnostics

// One function per rule of docs/spec.md, named after it.
klineage.lineage @l2_transition target <"sm_90a"> {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  klineage.state @s1 sha256 "1111111111111111111111111111111111111111111111111111111111111111" {
    builtin.module {}
  }
  // expected-error @below {{(L2) names @s7, which is no state of the lineage}}
  klineage.transition @t0 @s0 -> @s7 by "x" at 0 knobs {} numerics <bit_exact> certificate <proved, []> verdict <accepted, "correctness", "", {}> {
    klineage.step "unroll" on [0] undo 0 {} numerics <bit_exact> from "0000000000000000000000000000000000000000000000000000000000000000" to "1111111111111111111111111111111111111111111111111111111111111111" clauses []
  }
}

// -----

klineage.lineage @l2_trial target <"sm_90a"> {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  klineage.state @s1 sha256 "1111111111111111111111111111111111111111111111111111111111111111" {
    builtin.module {}
  }
  // expected-error @below {{(L2) names @s9, which is no state of the lineage}}
  klineage.trial @s9 by "x" at 0 knobs {} verdict <wrong, "correctness", "", {}> clauses []
}

// -----

klineage.lineage @l3_cycle target <"sm_90a"> {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  klineage.state @s1 sha256 "1111111111111111111111111111111111111111111111111111111111111111" {
    builtin.module {}
  }
  klineage.transition @t0 @s0 -> @s1 by "x" at 0 knobs {} numerics <bit_exact> certificate <proved, []> verdict <accepted, "correctness", "", {}> {
    klineage.step "unroll" on [0] undo 0 {} numerics <bit_exact> from "0000000000000000000000000000000000000000000000000000000000000000" to "1111111111111111111111111111111111111111111111111111111111111111" clauses []
  }
  // expected-error @below {{(L3) closes a cycle through state @s0}}
  klineage.transition @t1 @s1 -> @s0 by "x" at 0 knobs {} numerics <bit_exact> certificate <proved, []> verdict <accepted, "correctness", "", {}> {
    klineage.step "unroll" on [0] undo 0 {} numerics <bit_exact> from "1111111111111111111111111111111111111111111111111111111111111111" to "0000000000000000000000000000000000000000000000000000000000000000" clauses []
  }
}

// -----

klineage.lineage @t1_verdict target <"sm_90a"> {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  klineage.state @s1 sha256 "1111111111111111111111111111111111111111111111111111111111111111" {
    builtin.module {}
  }
  // expected-error @below {{(T1) has verdict wrong; only an accepted candidate makes a transition}}
  klineage.transition @t0 @s0 -> @s1 by "x" at 0 knobs {} numerics <bit_exact> certificate <proved, []> verdict <wrong, "correctness", "", {}> {
    klineage.step "unroll" on [0] undo 0 {} numerics <bit_exact> from "0000000000000000000000000000000000000000000000000000000000000000" to "1111111111111111111111111111111111111111111111111111111111111111" clauses []
  }
}

// -----

klineage.lineage @t2_no_step target <"sm_90a"> {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  klineage.state @s1 sha256 "1111111111111111111111111111111111111111111111111111111111111111" {
    builtin.module {}
  }
  // expected-error @below {{(T2) has no step}}
  klineage.transition @t0 @s0 -> @s1 by "x" at 0 knobs {} numerics <bit_exact> certificate <proved, []> verdict <accepted, "correctness", "", {}> {
  }
}

// -----

klineage.lineage @t2_chain target <"sm_90a"> {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  klineage.state @s1 sha256 "1111111111111111111111111111111111111111111111111111111111111111" {
    builtin.module {}
  }
  klineage.transition @t0 @s0 -> @s1 by "x" at 0 knobs {} numerics <bit_exact> certificate <proved, []> verdict <accepted, "correctness", "", {}> {
    // expected-error @below {{(T2) starts from hash 1111111111111111111111111111111111111111111111111111111111111111, expected 0000000000000000000000000000000000000000000000000000000000000000}}
    klineage.step "unroll" on [0] undo 0 {} numerics <bit_exact> from "1111111111111111111111111111111111111111111111111111111111111111" to "1111111111111111111111111111111111111111111111111111111111111111" clauses []
  }
}

// -----

klineage.lineage @t2_end target <"sm_90a"> {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  klineage.state @s1 sha256 "1111111111111111111111111111111111111111111111111111111111111111" {
    builtin.module {}
  }
  // expected-error @below {{(T2) ends with hash 2222222222222222222222222222222222222222222222222222222222222222, but state @s1 has 1111111111111111111111111111111111111111111111111111111111111111}}
  klineage.transition @t0 @s0 -> @s1 by "x" at 0 knobs {} numerics <bit_exact> certificate <proved, []> verdict <accepted, "correctness", "", {}> {
    klineage.step "unroll" on [0] undo 0 {} numerics <bit_exact> from "0000000000000000000000000000000000000000000000000000000000000000" to "2222222222222222222222222222222222222222222222222222222222222222" clauses []
  }
}

// -----

klineage.lineage @t3_numerics target <"sm_90a"> {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  klineage.state @s1 sha256 "1111111111111111111111111111111111111111111111111111111111111111" {
    builtin.module {}
  }
  // expected-error @below {{(T3) declares numerics bit_exact, its steps compose to reassociating}}
  klineage.transition @t0 @s0 -> @s1 by "x" at 0 knobs {} numerics <bit_exact> certificate <proved, []> verdict <accepted, "correctness", "", {}> {
    klineage.step "unroll" on [0] undo 0 {} numerics <reassociating> from "0000000000000000000000000000000000000000000000000000000000000000" to "1111111111111111111111111111111111111111111111111111111111111111" clauses []
  }
}

// -----

klineage.lineage @t4_guarded target <"sm_90a"> {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  klineage.state @s1 sha256 "1111111111111111111111111111111111111111111111111111111111111111" {
    builtin.module {}
  }
  // expected-error @below {{(T4) has a guarded step but certificate proved}}
  klineage.transition @t0 @s0 -> @s1 by "x" at 0 knobs {} numerics <bit_exact> certificate <proved, []> verdict <accepted, "correctness", "", {}> {
    klineage.step "unroll" on [0] undo 0 {} guarded numerics <bit_exact> from "0000000000000000000000000000000000000000000000000000000000000000" to "1111111111111111111111111111111111111111111111111111111111111111" clauses []
  }
}

// -----

klineage.lineage @p1_hash target <"sm_90a"> {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  klineage.state @s1 sha256 "1111111111111111111111111111111111111111111111111111111111111111" {
    builtin.module {}
  }
  klineage.transition @t0 @s0 -> @s1 by "x" at 0 knobs {} numerics <bit_exact> certificate <proved, []> verdict <accepted, "correctness", "", {}> {
    // expected-error @below {{(P1) hashes are not 64 lower-case hexadecimal digits}}
    klineage.step "unroll" on [0] undo 0 {} numerics <bit_exact> from "0000000000000000000000000000000000000000000000000000000000000000" to "ABC" clauses []
    klineage.step "unroll" on [0] undo 0 {} numerics <bit_exact> from "ABC" to "1111111111111111111111111111111111111111111111111111111111111111" clauses []
  }
}

// -----

klineage.lineage @p2_target target <"sm_90a"> {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  klineage.state @s1 sha256 "1111111111111111111111111111111111111111111111111111111111111111" {
    builtin.module {}
  }
  klineage.transition @t0 @s0 -> @s1 by "x" at 0 knobs {} numerics <bit_exact> certificate <proved, []> verdict <accepted, "correctness", "", {}> {
    // expected-error @below {{(P2) has a negative position}}
    klineage.step "unroll" on [-1] undo 0 {} numerics <bit_exact> from "0000000000000000000000000000000000000000000000000000000000000000" to "1111111111111111111111111111111111111111111111111111111111111111" clauses []
  }
}

// -----

klineage.lineage @p2_undo target <"sm_90a"> {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  klineage.state @s1 sha256 "1111111111111111111111111111111111111111111111111111111111111111" {
    builtin.module {}
  }
  klineage.transition @t0 @s0 -> @s1 by "x" at 0 knobs {} numerics <bit_exact> certificate <proved, []> verdict <accepted, "correctness", "", {}> {
    // expected-error @below {{(P2) has a negative position}}
    klineage.step "unroll" on [0] undo -2 {} numerics <bit_exact> from "0000000000000000000000000000000000000000000000000000000000000000" to "1111111111111111111111111111111111111111111111111111111111111111" clauses []
  }
}

// -----

klineage.lineage @p3_refuted target <"sm_90a"> {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  klineage.state @s1 sha256 "1111111111111111111111111111111111111111111111111111111111111111" {
    builtin.module {}
  }
  klineage.transition @t0 @s0 -> @s1 by "x" at 0 knobs {} numerics <bit_exact> certificate <proved, []> verdict <accepted, "correctness", "", {}> {
    // expected-error @below {{(P3) records the refuted clause 'divisible'}}
    klineage.step "unroll" on [0] undo 0 {} numerics <bit_exact> from "0000000000000000000000000000000000000000000000000000000000000000" to "1111111111111111111111111111111111111111111111111111111111111111" clauses [#klineage.clause<"divisible", layout, refuted, expected "e", found "f", nearest "", by "folding", assuming []>]
  }
}

// -----

klineage.lineage @r2_refusal target <"sm_90a"> {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  klineage.state @s1 sha256 "1111111111111111111111111111111111111111111111111111111111111111" {
    builtin.module {}
  }
  // expected-error @below {{(R2) is a refusal without a clause or a message}}
  klineage.trial @s0 by "x" at 0 knobs {} verdict <illegal, "clauses", "", {}> clauses []
}
