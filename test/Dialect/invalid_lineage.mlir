// RUN: klineage-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{(L1) has no state}}
klineage.lineage @empty target <"sm_90a"> {
}

// -----

klineage.lineage @foreign target <"sm_90a"> {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  // expected-error @below {{(L1) is neither a state nor a transition nor a trial of the lineage}}
  func.func private @f()
}

// -----

klineage.lineage @hash target <"sm_90a"> {
  // expected-error @below {{(S2) sha256 is not 64 lower-case hexadecimal digits}}
  klineage.state @s0 sha256 "abc" {
    builtin.module {}
  }
}

// -----

klineage.lineage @body target <"sm_90a"> {
  // expected-error @below {{(S1) body is not one builtin.module}}
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
    builtin.module {}
  }
}

// -----

klineage.lineage @trial target <"sm_90a"> {
  klineage.state @s0 sha256 "0000000000000000000000000000000000000000000000000000000000000000" {
    builtin.module {}
  }
  // expected-error @below {{(R1) has verdict accepted; that is a transition}}
  klineage.trial @s0 by "x" at 0 knobs {} verdict <accepted, "harness", "", {}> clauses []
}

// -----

// expected-error @below {{unknown chip 'sm_1'}}
klineage.lineage @chip target <"sm_1"> {
}
