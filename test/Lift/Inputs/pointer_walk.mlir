#di_file = #llvm.di_file<"experts/heldout/pointer_walk.cu" in ".">
#di_subroutine_type = #llvm.di_subroutine_type<>
#loc = loc("experts/heldout/pointer_walk.cu":0:0)
#loc1 = loc("experts/heldout/pointer_walk.cu":2:0)
#loc2 = loc(unknown)
#loc16 = loc("experts/heldout/pointer_walk.cu":10:3)
#loc20 = loc("experts/heldout/pointer_walk.cu":14:3)
#loop_unroll = #llvm.loop_unroll<disable = true>
#tbaa_root = #llvm.tbaa_root<id = "Simple C++ TBAA">
#di_compile_unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C_plus_plus_14, file = #di_file, producer = "Debian clang version 22.1.8 (1~deb12u1)", isOptimized = true, emissionKind = DebugDirectivesOnly, nameTableKind = None>
#di_subprogram = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #di_compile_unit, scope = #di_file, name = "pointer_walk", file = #di_file, line = 2, scopeLine = 3, subprogramFlags = "Definition|Optimized", type = #di_subroutine_type>
#tbaa_type_desc = #llvm.tbaa_type_desc<id = "omnipotent char", members = {<#tbaa_root, 0>}>
#loc24 = loc(fused<#di_subprogram>[#loc1])
#loc38 = loc(fused<#di_subprogram>[#loc16])
#loc39 = loc(fused<#di_subprogram>[#loc])
#loc43 = loc(fused<#di_subprogram>[#loc20])
#loop_annotation = #llvm.loop_annotation<unroll = #loop_unroll, mustProgress = true, startLoc = #loc38, endLoc = #loc43>
#tbaa_type_desc1 = #llvm.tbaa_type_desc<id = "float", members = {<#tbaa_type_desc, 0>}>
#tbaa_tag = #llvm.tbaa_tag<base_type = #tbaa_type_desc1, access_type = #tbaa_type_desc1, offset = 0>
module attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr<6> = dense<32> : vector<4xi64>, i64 = dense<64> : vector<2xi64>, i128 = dense<128> : vector<2xi64>, i256 = dense<256> : vector<2xi64>, !llvm.ptr = dense<64> : vector<4xi64>, i1 = dense<8> : vector<2xi64>, i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>, i32 = dense<32> : vector<2xi64>, f16 = dense<16> : vector<2xi64>, f64 = dense<64> : vector<2xi64>, f128 = dense<128> : vector<2xi64>, "dlti.endianness" = "little", "dlti.legal_int_widths" = array<i32: 16, 32, 64>>, llvm.ident = "Debian clang version 22.1.8 (1~deb12u1)", llvm.module_asm = [], llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.module_flags [#llvm.mlir.module_flag<max, "Dwarf Version", 2 : i32>, #llvm.mlir.module_flag<warning, "Debug Info Version", 3 : i32>, #llvm.mlir.module_flag<error, "wchar_size", 4 : i32>, #llvm.mlir.module_flag<override, "nvvm-reflect-ftz", 0 : i32>, #llvm.mlir.module_flag<max, "frame-pointer", 2 : i32>] loc(#loc)
  llvm.func ptx_kernelcc @pointer_walk(%arg0: !llvm.ptr {llvm.noundef} loc(fused<#di_subprogram>[#loc1]), %arg1: !llvm.ptr {llvm.noundef} loc(fused<#di_subprogram>[#loc1]), %arg2: i32 {llvm.noundef} loc(fused<#di_subprogram>[#loc1]), %arg3: i32 {llvm.noundef} loc(fused<#di_subprogram>[#loc1])) attributes {convergent, dso_local, frame_pointer = #llvm.framePointerKind<all>, no_inline, no_unwind, passthrough = ["mustprogress", "norecurse", ["no-trapping-math", "true"], ["stack-protector-buffer-size", "8"], ["target-cpu", "sm_90"], ["uniform-work-group-size", "true"]], target_cpu = "sm_90", target_features = #llvm.target_features<["+ptx88", "+sm_90"]>} {
    %0 = llvm.mlir.constant(4 : i64) : i64 loc(#loc2)
    %1 = llvm.addrspacecast %arg1 : !llvm.ptr to !llvm.ptr<1> loc(#loc2)
    %2 = nvvm.read.ptx.sreg.ctaid.x : i32 loc(#loc47)
    %3 = nvvm.read.ptx.sreg.ntid.x : i32 loc(#loc48)
    %4 = llvm.mul %2, %3 : i32 loc(#loc29)
    %5 = nvvm.read.ptx.sreg.tid.x : i32 loc(#loc49)
    %6 = llvm.add %4, %5 : i32 loc(#loc32)
    %7 = llvm.icmp "slt" %6, %arg2 : i32 loc(#loc33)
    llvm.cond_br %7, ^bb1, ^bb5 loc(#loc33)
  ^bb1:  // pred: ^bb0
    %8 = llvm.addrspacecast %arg0 : !llvm.ptr to !llvm.ptr<1> loc(#loc2)
    %9 = llvm.mul %6, %arg3 overflow<nsw> : i32 loc(#loc34)
    %10 = llvm.sext %9 : i32 to i64 loc(#loc35)
    %11 = llvm.getelementptr inbounds %8[%10] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32 loc(#loc35)
    %12 = llvm.sext %arg3 : i32 to i64 loc(#loc36)
    %13 = llvm.getelementptr inbounds %11[%12] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32 loc(#loc36)
    %14 = llvm.load %11 {alignment = 4 : i64, tbaa = [#tbaa_tag]} : !llvm.ptr<1> -> f32 loc(#loc37)
    llvm.br ^bb2(%11, %14 : !llvm.ptr<1>, f32) loc(#loc38)
  ^bb2(%15: !llvm.ptr<1> loc(unknown), %16: f32 loc(fused<#di_subprogram>[#loc])):  // 2 preds: ^bb1, ^bb3
    %17 = llvm.getelementptr inbounds|nuw %15[%0] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8 loc(#loc39)
    %18 = llvm.icmp "eq" %17, %13 : !llvm.ptr<1> loc(#loc40)
    llvm.cond_br %18, ^bb4, ^bb3 loc(#loc38)
  ^bb3:  // pred: ^bb2
    %19 = llvm.load %17 {alignment = 4 : i64, tbaa = [#tbaa_tag]} : !llvm.ptr<1> -> f32 loc(#loc41)
    %20 = llvm.fcmp "ogt" %19, %16 {fastmathFlags = #llvm.fastmath<contract>} : f32 loc(#loc42)
    %21 = llvm.select %20, %19, %16 : i1, f32 loc(#loc42)
    llvm.br ^bb2(%17, %21 : !llvm.ptr<1>, f32) {loop_annotation = #loop_annotation} loc(#loc38)
  ^bb4:  // pred: ^bb2
    %22 = llvm.sext %6 : i32 to i64 loc(#loc44)
    %23 = llvm.getelementptr inbounds %1[%22] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32 loc(#loc44)
    llvm.store %16, %23 {alignment = 4 : i64, tbaa = [#tbaa_tag]} : f32, !llvm.ptr<1> loc(#loc45)
    llvm.br ^bb5 loc(#loc46)
  ^bb5:  // 2 preds: ^bb0, ^bb4
    llvm.return loc(#loc46)
  } loc(#loc24)
} loc(#loc)
#di_file1 = #llvm.di_file<"/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_builtin_vars.h" in "">
#loc3 = loc("/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_builtin_vars.h":66:27)
#loc4 = loc("experts/heldout/pointer_walk.cu":4:13)
#loc5 = loc("/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_builtin_vars.h":79:27)
#loc6 = loc("experts/heldout/pointer_walk.cu":4:26)
#loc7 = loc("experts/heldout/pointer_walk.cu":4:24)
#loc8 = loc("/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_builtin_vars.h":53:27)
#loc9 = loc("experts/heldout/pointer_walk.cu":4:39)
#loc10 = loc("experts/heldout/pointer_walk.cu":4:37)
#loc11 = loc("experts/heldout/pointer_walk.cu":5:11)
#loc12 = loc("experts/heldout/pointer_walk.cu":7:29)
#loc13 = loc("experts/heldout/pointer_walk.cu":7:23)
#loc14 = loc("experts/heldout/pointer_walk.cu":8:24)
#loc15 = loc("experts/heldout/pointer_walk.cu":9:16)
#loc17 = loc("experts/heldout/pointer_walk.cu":10:12)
#loc18 = loc("experts/heldout/pointer_walk.cu":11:9)
#loc19 = loc("experts/heldout/pointer_walk.cu":11:12)
#loc21 = loc("experts/heldout/pointer_walk.cu":15:3)
#loc22 = loc("experts/heldout/pointer_walk.cu":15:12)
#loc23 = loc("experts/heldout/pointer_walk.cu":16:1)
#di_subprogram1 = #llvm.di_subprogram<id = distinct[2]<>, compileUnit = #di_compile_unit, scope = #di_file1, name = "__fetch_builtin_x", file = #di_file1, line = 66, scopeLine = 66, subprogramFlags = "Definition|Optimized", type = #di_subroutine_type>
#di_subprogram2 = #llvm.di_subprogram<id = distinct[3]<>, compileUnit = #di_compile_unit, scope = #di_file1, name = "__fetch_builtin_x", file = #di_file1, line = 79, scopeLine = 79, subprogramFlags = "Definition|Optimized", type = #di_subroutine_type>
#di_subprogram3 = #llvm.di_subprogram<id = distinct[4]<>, compileUnit = #di_compile_unit, scope = #di_file1, name = "__fetch_builtin_x", file = #di_file1, line = 53, scopeLine = 53, subprogramFlags = "Definition|Optimized", type = #di_subroutine_type>
#loc25 = loc(fused<#di_subprogram1>[#loc3])
#loc26 = loc(fused<#di_subprogram>[#loc4])
#loc27 = loc(fused<#di_subprogram2>[#loc5])
#loc28 = loc(fused<#di_subprogram>[#loc6])
#loc29 = loc(fused<#di_subprogram>[#loc7])
#loc30 = loc(fused<#di_subprogram3>[#loc8])
#loc31 = loc(fused<#di_subprogram>[#loc9])
#loc32 = loc(fused<#di_subprogram>[#loc10])
#loc33 = loc(fused<#di_subprogram>[#loc11])
#loc34 = loc(fused<#di_subprogram>[#loc12])
#loc35 = loc(fused<#di_subprogram>[#loc13])
#loc36 = loc(fused<#di_subprogram>[#loc14])
#loc37 = loc(fused<#di_subprogram>[#loc15])
#loc40 = loc(fused<#di_subprogram>[#loc17])
#loc41 = loc(fused<#di_subprogram>[#loc18])
#loc42 = loc(fused<#di_subprogram>[#loc19])
#loc44 = loc(fused<#di_subprogram>[#loc21])
#loc45 = loc(fused<#di_subprogram>[#loc22])
#loc46 = loc(fused<#di_subprogram>[#loc23])
#loc47 = loc(callsite(#loc25 at #loc26))
#loc48 = loc(callsite(#loc27 at #loc28))
#loc49 = loc(callsite(#loc30 at #loc31))
