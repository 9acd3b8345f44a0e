; ModuleID = '/tmp/l/bias_gelu.raw.ll'
source_filename = "experts/cuda/bias_gelu.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @bias_gelu(ptr noalias noundef %x, ptr noalias noundef %bias, ptr noalias noundef %y, i64 noundef %count, i32 noundef %cols) #0 !dbg !12 {
entry:
  %0 = addrspacecast ptr %x to ptr addrspace(1)
  %1 = addrspacecast ptr %bias to ptr addrspace(1)
  %2 = addrspacecast ptr %y to ptr addrspace(1)
  %3 = call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x(), !dbg !15
  %conv = zext nneg i32 %3 to i64, !dbg !19
  %4 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !20
  %conv2 = zext nneg i32 %4 to i64, !dbg !23
  %mul = mul nuw nsw i64 %conv, %conv2, !dbg !24
  %mul3 = shl nuw nsw i64 %mul, 2, !dbg !25
  %5 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !26
  %conv5 = zext nneg i32 %5 to i64, !dbg !29
  %mul8 = mul nuw nsw i64 %conv5, %conv2, !dbg !30
  %6 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !31
  %conv10 = zext nneg i32 %6 to i64, !dbg !34
  %add = add nuw nsw i64 %mul8, %conv10, !dbg !35
  %mul11 = shl nuw nsw i64 %add, 2, !dbg !36
  br label %for.cond, !dbg !37

for.cond:                                         ; preds = %for.body, %entry
  %i.0 = phi i64 [ %mul11, %entry ], [ %add38, %for.body ], !dbg !38
  %cmp = icmp ult i64 %i.0, %count, !dbg !39
  br i1 %cmp, label %for.body, label %for.end, !dbg !40

for.body:                                         ; preds = %for.cond
  %add.ptr = getelementptr inbounds float, ptr addrspace(1) %0, i64 %i.0, !dbg !41
  %7 = load <4 x float>, ptr addrspace(1) %add.ptr, align 16, !dbg !41, !tbaa !42
  %v.sroa.0.0.copyload66 = extractelement <4 x float> %7, i32 0, !dbg !41
  %v.sroa.4.0.copyload67 = extractelement <4 x float> %7, i32 1, !dbg !41
  %v.sroa.5.0.copyload68 = extractelement <4 x float> %7, i32 2, !dbg !41
  %v.sroa.6.0.copyload69 = extractelement <4 x float> %7, i32 3, !dbg !41
  %conv12 = sext i32 %cols to i64, !dbg !44
  %rem = urem i64 %i.0, %conv12, !dbg !45
  %sext = shl i64 %rem, 32, !dbg !46
  %8 = ashr exact i64 %sext, 30, !dbg !46
  %arrayidx = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %8, !dbg !46
  %9 = load float, ptr addrspace(1) %arrayidx, align 4, !dbg !46, !tbaa !42
  %add15 = fadd contract float %v.sroa.0.0.copyload66, %9, !dbg !47
  %mul.i = fmul contract float %add15, 0x3FA6E4E260000000, !dbg !48
  %mul1.i = fmul contract float %mul.i, %add15, !dbg !51
  %mul2.i = fmul contract float %mul1.i, %add15, !dbg !52
  %add.i = fadd contract float %add15, %mul2.i, !dbg !53
  %mul3.i = fmul contract float %add.i, 0x3FE9884540000000, !dbg !54
  %mul4.i = fmul contract float %add15, 5.000000e-01, !dbg !55
  %call.i.i = call contract noundef float @__nv_tanhf(float noundef %mul3.i) #3, !dbg !56
  %add5.i = fadd contract float %call.i.i, 1.000000e+00, !dbg !60
  %mul6.i = fmul contract float %mul4.i, %add5.i, !dbg !61
  %sext63 = add i64 %sext, 4294967296, !dbg !62
  %10 = ashr exact i64 %sext63, 30, !dbg !62
  %arrayidx21 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %10, !dbg !62
  %11 = load float, ptr addrspace(1) %arrayidx21, align 4, !dbg !62, !tbaa !42
  %add22 = fadd contract float %v.sroa.4.0.copyload67, %11, !dbg !63
  %mul.i4 = fmul contract float %add22, 0x3FA6E4E260000000, !dbg !64
  %mul1.i5 = fmul contract float %mul.i4, %add22, !dbg !66
  %mul2.i6 = fmul contract float %mul1.i5, %add22, !dbg !67
  %add.i7 = fadd contract float %add22, %mul2.i6, !dbg !68
  %mul3.i8 = fmul contract float %add.i7, 0x3FE9884540000000, !dbg !69
  %mul4.i9 = fmul contract float %add22, 5.000000e-01, !dbg !70
  %call.i.i10 = call contract noundef float @__nv_tanhf(float noundef %mul3.i8) #3, !dbg !71
  %add5.i11 = fadd contract float %call.i.i10, 1.000000e+00, !dbg !73
  %mul6.i12 = fmul contract float %mul4.i9, %add5.i11, !dbg !74
  %sext64 = add i64 %sext, 8589934592, !dbg !75
  %12 = ashr exact i64 %sext64, 30, !dbg !75
  %arrayidx27 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %12, !dbg !75
  %13 = load float, ptr addrspace(1) %arrayidx27, align 4, !dbg !75, !tbaa !42
  %add28 = fadd contract float %v.sroa.5.0.copyload68, %13, !dbg !76
  %mul.i16 = fmul contract float %add28, 0x3FA6E4E260000000, !dbg !77
  %mul1.i17 = fmul contract float %mul.i16, %add28, !dbg !79
  %mul2.i18 = fmul contract float %mul1.i17, %add28, !dbg !80
  %add.i19 = fadd contract float %add28, %mul2.i18, !dbg !81
  %mul3.i20 = fmul contract float %add.i19, 0x3FE9884540000000, !dbg !82
  %mul4.i21 = fmul contract float %add28, 5.000000e-01, !dbg !83
  %call.i.i22 = call contract noundef float @__nv_tanhf(float noundef %mul3.i20) #3, !dbg !84
  %add5.i23 = fadd contract float %call.i.i22, 1.000000e+00, !dbg !86
  %mul6.i24 = fmul contract float %mul4.i21, %add5.i23, !dbg !87
  %sext65 = add i64 %sext, 12884901888, !dbg !88
  %14 = ashr exact i64 %sext65, 30, !dbg !88
  %arrayidx33 = getelementptr inbounds i8, ptr addrspace(1) %1, i64 %14, !dbg !88
  %15 = load float, ptr addrspace(1) %arrayidx33, align 4, !dbg !88, !tbaa !42
  %add34 = fadd contract float %v.sroa.6.0.copyload69, %15, !dbg !89
  %mul.i28 = fmul contract float %add34, 0x3FA6E4E260000000, !dbg !90
  %mul1.i29 = fmul contract float %mul.i28, %add34, !dbg !92
  %mul2.i30 = fmul contract float %mul1.i29, %add34, !dbg !93
  %add.i31 = fadd contract float %add34, %mul2.i30, !dbg !94
  %mul3.i32 = fmul contract float %add.i31, 0x3FE9884540000000, !dbg !95
  %mul4.i33 = fmul contract float %add34, 5.000000e-01, !dbg !96
  %call.i.i34 = call contract noundef float @__nv_tanhf(float noundef %mul3.i32) #3, !dbg !97
  %add5.i35 = fadd contract float %call.i.i34, 1.000000e+00, !dbg !99
  %mul6.i36 = fmul contract float %mul4.i33, %add5.i35, !dbg !100
  %add.ptr37 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %i.0, !dbg !101
  %16 = insertelement <4 x float> poison, float %mul6.i, i32 0, !dbg !102
  %17 = insertelement <4 x float> %16, float %mul6.i12, i32 1, !dbg !102
  %18 = insertelement <4 x float> %17, float %mul6.i24, i32 2, !dbg !102
  %19 = insertelement <4 x float> %18, float %mul6.i36, i32 3, !dbg !102
  store <4 x float> %19, ptr addrspace(1) %add.ptr37, align 16, !dbg !102, !tbaa !42
  %add38 = add i64 %i.0, %mul3, !dbg !103
  br label %for.cond, !dbg !40, !llvm.loop !104

for.end:                                          ; preds = %for.cond
  ret void, !dbg !108
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nounwind
declare dso_local float @__nv_tanhf(float noundef) #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #3 = { convergent nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "experts/cuda/bias_gelu.cu", directory: ".")
!2 = !{i32 7, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!6 = !{i32 7, !"frame-pointer", i32 2}
!7 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!8 = !{!9, !9, i64 0}
!9 = !{!"int", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C++ TBAA"}
!12 = distinct !DISubprogram(name: "bias_gelu", scope: !1, file: !1, line: 8, type: !13, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 92, column: 27, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 92, type: !13, scopeLine: 92, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_builtin_vars.h", directory: "")
!18 = distinct !DILocation(line: 12, column: 27, scope: !12)
!19 = !DILocation(line: 12, column: 27, scope: !12)
!20 = !DILocation(line: 79, column: 27, scope: !21, inlinedAt: !22)
!21 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 79, type: !13, scopeLine: 79, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = distinct !DILocation(line: 12, column: 39, scope: !12)
!23 = !DILocation(line: 12, column: 39, scope: !12)
!24 = !DILocation(line: 12, column: 37, scope: !12)
!25 = !DILocation(line: 12, column: 50, scope: !12)
!26 = !DILocation(line: 66, column: 27, scope: !27, inlinedAt: !28)
!27 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 66, type: !13, scopeLine: 66, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!28 = distinct !DILocation(line: 13, column: 28, scope: !12)
!29 = !DILocation(line: 13, column: 28, scope: !12)
!30 = !DILocation(line: 13, column: 39, scope: !12)
!31 = !DILocation(line: 53, column: 27, scope: !32, inlinedAt: !33)
!32 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 53, type: !13, scopeLine: 53, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!33 = distinct !DILocation(line: 13, column: 54, scope: !12)
!34 = !DILocation(line: 13, column: 54, scope: !12)
!35 = !DILocation(line: 13, column: 52, scope: !12)
!36 = !DILocation(line: 13, column: 67, scope: !12)
!37 = !DILocation(line: 13, column: 8, scope: !12)
!38 = !DILocation(line: 0, scope: !12)
!39 = !DILocation(line: 14, column: 10, scope: !12)
!40 = !DILocation(line: 13, column: 3, scope: !12)
!41 = !DILocation(line: 15, column: 16, scope: !12)
!42 = !{!43, !43, i64 0}
!43 = !{!"float", !10, i64 0}
!44 = !DILocation(line: 16, column: 19, scope: !12)
!45 = !DILocation(line: 16, column: 17, scope: !12)
!46 = !DILocation(line: 18, column: 22, scope: !12)
!47 = !DILocation(line: 18, column: 20, scope: !12)
!48 = !DILocation(line: 4, column: 48, scope: !49, inlinedAt: !50)
!49 = distinct !DISubprogram(name: "gelu", scope: !1, file: !1, line: 3, type: !13, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!50 = distinct !DILocation(line: 18, column: 11, scope: !12)
!51 = !DILocation(line: 4, column: 52, scope: !49, inlinedAt: !50)
!52 = !DILocation(line: 4, column: 56, scope: !49, inlinedAt: !50)
!53 = !DILocation(line: 4, column: 36, scope: !49, inlinedAt: !50)
!54 = !DILocation(line: 4, column: 31, scope: !49, inlinedAt: !50)
!55 = !DILocation(line: 5, column: 15, scope: !49, inlinedAt: !50)
!56 = !DILocation(line: 322, column: 44, scope: !57, inlinedAt: !59)
!57 = distinct !DISubprogram(name: "tanhf", scope: !58, file: !58, line: 322, type: !13, scopeLine: 322, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!58 = !DIFile(filename: "/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_math.h", directory: "")
!59 = distinct !DILocation(line: 5, column: 29, scope: !49, inlinedAt: !50)
!60 = !DILocation(line: 5, column: 27, scope: !49, inlinedAt: !50)
!61 = !DILocation(line: 5, column: 19, scope: !49, inlinedAt: !50)
!62 = !DILocation(line: 19, column: 22, scope: !12)
!63 = !DILocation(line: 19, column: 20, scope: !12)
!64 = !DILocation(line: 4, column: 48, scope: !49, inlinedAt: !65)
!65 = distinct !DILocation(line: 19, column: 11, scope: !12)
!66 = !DILocation(line: 4, column: 52, scope: !49, inlinedAt: !65)
!67 = !DILocation(line: 4, column: 56, scope: !49, inlinedAt: !65)
!68 = !DILocation(line: 4, column: 36, scope: !49, inlinedAt: !65)
!69 = !DILocation(line: 4, column: 31, scope: !49, inlinedAt: !65)
!70 = !DILocation(line: 5, column: 15, scope: !49, inlinedAt: !65)
!71 = !DILocation(line: 322, column: 44, scope: !57, inlinedAt: !72)
!72 = distinct !DILocation(line: 5, column: 29, scope: !49, inlinedAt: !65)
!73 = !DILocation(line: 5, column: 27, scope: !49, inlinedAt: !65)
!74 = !DILocation(line: 5, column: 19, scope: !49, inlinedAt: !65)
!75 = !DILocation(line: 20, column: 22, scope: !12)
!76 = !DILocation(line: 20, column: 20, scope: !12)
!77 = !DILocation(line: 4, column: 48, scope: !49, inlinedAt: !78)
!78 = distinct !DILocation(line: 20, column: 11, scope: !12)
!79 = !DILocation(line: 4, column: 52, scope: !49, inlinedAt: !78)
!80 = !DILocation(line: 4, column: 56, scope: !49, inlinedAt: !78)
!81 = !DILocation(line: 4, column: 36, scope: !49, inlinedAt: !78)
!82 = !DILocation(line: 4, column: 31, scope: !49, inlinedAt: !78)
!83 = !DILocation(line: 5, column: 15, scope: !49, inlinedAt: !78)
!84 = !DILocation(line: 322, column: 44, scope: !57, inlinedAt: !85)
!85 = distinct !DILocation(line: 5, column: 29, scope: !49, inlinedAt: !78)
!86 = !DILocation(line: 5, column: 27, scope: !49, inlinedAt: !78)
!87 = !DILocation(line: 5, column: 19, scope: !49, inlinedAt: !78)
!88 = !DILocation(line: 21, column: 22, scope: !12)
!89 = !DILocation(line: 21, column: 20, scope: !12)
!90 = !DILocation(line: 4, column: 48, scope: !49, inlinedAt: !91)
!91 = distinct !DILocation(line: 21, column: 11, scope: !12)
!92 = !DILocation(line: 4, column: 52, scope: !49, inlinedAt: !91)
!93 = !DILocation(line: 4, column: 56, scope: !49, inlinedAt: !91)
!94 = !DILocation(line: 4, column: 36, scope: !49, inlinedAt: !91)
!95 = !DILocation(line: 4, column: 31, scope: !49, inlinedAt: !91)
!96 = !DILocation(line: 5, column: 15, scope: !49, inlinedAt: !91)
!97 = !DILocation(line: 322, column: 44, scope: !57, inlinedAt: !98)
!98 = distinct !DILocation(line: 5, column: 29, scope: !49, inlinedAt: !91)
!99 = !DILocation(line: 5, column: 27, scope: !49, inlinedAt: !91)
!100 = !DILocation(line: 5, column: 19, scope: !49, inlinedAt: !91)
!101 = !DILocation(line: 22, column: 5, scope: !12)
!102 = !DILocation(line: 22, column: 40, scope: !12)
!103 = !DILocation(line: 14, column: 21, scope: !12)
!104 = distinct !{!104, !40, !105, !106, !107}
!105 = !DILocation(line: 23, column: 3, scope: !12)
!106 = !{!"llvm.loop.mustprogress"}
!107 = !{!"llvm.loop.unroll.disable"}
!108 = !DILocation(line: 24, column: 1, scope: !12)
