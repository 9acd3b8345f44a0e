// RUN: %corpus print softmax --shape 8x1024 --type bf16 | klineage-opt --klineage-apply="skills=%skills/row_reduction budget=1" -o %t.rows
// RUN: klineage-opt %t.rows --klineage-apply="skills=%skills/../skills_approximate budget=1" -o %t.fast
// RUN: FileCheck %s --input-file=%t.fast
// RUN: klineage-opt %t.fast --klineage-undo -o %t.undone
// RUN: FileCheck %s --input-file=%t.undone --check-prefix=UNDO
// RUN: %if libdevice %{ klineage-opt %t.fast --klineage-emit="state=last format=ptx" | FileCheck %s --check-prefix=PTX %}

// CHECK: klineage.transition @t1 @s1 -> @s2 by "fast_math"
// CHECK-SAME: reversible numerics <approximate>

// UNDO-NOT: by "fast_math"

// PTX-NOT: div.rn
// PTX: rcp.approx
// PTX-NOT: div.rn
