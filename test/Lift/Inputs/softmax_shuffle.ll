; ModuleID = '/tmp/l/softmax_shuffle.raw.ll'
source_filename = "experts/cuda/softmax_shuffle.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @softmax_shuffle(ptr noalias noundef %x, ptr noalias noundef %y, i32 noundef %rows, i32 noundef %cols) #0 !dbg !12 {
entry:
  %0 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !15
  %1 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y(), !dbg !19
  %mul = mul i32 %0, %1, !dbg !22
  %2 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y(), !dbg !23
  %add = add i32 %mul, %2, !dbg !26
  %cmp.not = icmp slt i32 %add, %rows, !dbg !27
  br i1 %cmp.not, label %if.end, label %cleanup.cont, !dbg !27

if.end:                                           ; preds = %entry
  %3 = addrspacecast ptr %y to ptr addrspace(1)
  %4 = addrspacecast ptr %x to ptr addrspace(1)
  %conv = sext i32 %add to i64, !dbg !28
  %conv3 = sext i32 %cols to i64, !dbg !29
  %mul4 = mul nsw i64 %conv, %conv3, !dbg !30
  %add.ptr = getelementptr inbounds float, ptr addrspace(1) %4, i64 %mul4, !dbg !31
  %add.ptr8 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %mul4, !dbg !32
  %5 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !33
  br label %for.cond, !dbg !36

for.cond:                                         ; preds = %for.body, %if.end
  %largest.0 = phi float [ 0xFFF0000000000000, %if.end ], [ %call.i, %for.body ], !dbg !37
  %i.0 = phi i32 [ %5, %if.end ], [ %add12, %for.body ], !dbg !38
  %cmp10 = icmp slt i32 %i.0, %cols, !dbg !39
  br i1 %cmp10, label %for.body, label %for.cond.i.preheader, !dbg !40

for.cond.i.preheader:                             ; preds = %for.cond
  br label %for.cond.i, !dbg !41

for.body:                                         ; preds = %for.cond
  %idxprom = zext nneg i32 %i.0 to i64, !dbg !44
  %arrayidx = getelementptr inbounds nuw float, ptr addrspace(1) %add.ptr, i64 %idxprom, !dbg !44
  %6 = load float, ptr addrspace(1) %arrayidx, align 4, !dbg !44, !tbaa !45
  %call.i = call contract noundef float @__nv_fmaxf(float noundef %largest.0, float noundef %6) #4, !dbg !47
  %add12 = add nuw nsw i32 %i.0, 32, !dbg !51
  br label %for.cond, !dbg !40, !llvm.loop !52

for.cond.i:                                       ; preds = %for.cond.i.preheader, %for.body.i
  %offset.i.0 = phi i32 [ %div.i47, %for.body.i ], [ 16, %for.cond.i.preheader ], !dbg !56
  %value.addr.i.0 = phi float [ %call.i.i, %for.body.i ], [ %largest.0, %for.cond.i.preheader ]
  %cmp.i.not = icmp eq i32 %offset.i.0, 0, !dbg !57
  br i1 %cmp.i.not, label %for.cond16.preheader, label %for.body.i, !dbg !41

for.cond16.preheader:                             ; preds = %for.cond.i
  br label %for.cond16, !dbg !58

for.body.i:                                       ; preds = %for.cond.i
  %7 = call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %value.addr.i.0, i32 %offset.i.0, i32 31), !dbg !59
  %call.i.i = call contract noundef float @__nv_fmaxf(float noundef %value.addr.i.0, float noundef %7) #4, !dbg !63
  %div.i47 = lshr i32 %offset.i.0, 1, !dbg !65
  br label %for.cond.i, !dbg !41, !llvm.loop !66

for.cond16:                                       ; preds = %for.cond16.preheader, %for.body19
  %sum.0 = phi float [ %add23, %for.body19 ], [ 0.000000e+00, %for.cond16.preheader ], !dbg !37
  %i14.0 = phi i32 [ %add25, %for.body19 ], [ %5, %for.cond16.preheader ], !dbg !68
  %cmp17 = icmp slt i32 %i14.0, %cols, !dbg !69
  br i1 %cmp17, label %for.body19, label %for.cond.i11.preheader, !dbg !58

for.cond.i11.preheader:                           ; preds = %for.cond16
  br label %for.cond.i11, !dbg !70

for.body19:                                       ; preds = %for.cond16
  %idxprom20 = zext nneg i32 %i14.0 to i64, !dbg !73
  %arrayidx21 = getelementptr inbounds nuw float, ptr addrspace(1) %add.ptr, i64 %idxprom20, !dbg !73
  %8 = load float, ptr addrspace(1) %arrayidx21, align 4, !dbg !73, !tbaa !45
  %sub = fsub contract float %8, %value.addr.i.0, !dbg !74
  %call.i2 = call contract noundef float @__nv_expf(float noundef %sub) #4, !dbg !75
  %add23 = fadd contract float %sum.0, %call.i2, !dbg !78
  %add25 = add nuw nsw i32 %i14.0, 32, !dbg !79
  br label %for.cond16, !dbg !58, !llvm.loop !80

for.cond.i11:                                     ; preds = %for.cond.i11.preheader, %for.body.i13
  %offset.i10.0 = phi i32 [ %div.i1746, %for.body.i13 ], [ 16, %for.cond.i11.preheader ], !dbg !82
  %value.addr.i9.0 = phi float [ %add.i, %for.body.i13 ], [ %sum.0, %for.cond.i11.preheader ]
  %cmp.i12.not = icmp eq i32 %offset.i10.0, 0, !dbg !83
  br i1 %cmp.i12.not, label %_ZL7warpSumf.exit, label %for.body.i13, !dbg !70

for.body.i13:                                     ; preds = %for.cond.i11
  %9 = call contract noundef float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %value.addr.i9.0, i32 %offset.i10.0, i32 31), !dbg !84
  %add.i = fadd contract float %value.addr.i9.0, %9, !dbg !86
  %div.i1746 = lshr i32 %offset.i10.0, 1, !dbg !87
  br label %for.cond.i11, !dbg !70, !llvm.loop !88

_ZL7warpSumf.exit:                                ; preds = %for.cond.i11
  %div = fdiv contract float 1.000000e+00, %value.addr.i9.0, !dbg !90
  br label %for.cond30, !dbg !91

for.cond30:                                       ; preds = %for.body33, %_ZL7warpSumf.exit
  %i28.0 = phi i32 [ %5, %_ZL7warpSumf.exit ], [ %add42, %for.body33 ], !dbg !92
  %cmp31 = icmp slt i32 %i28.0, %cols, !dbg !93
  br i1 %cmp31, label %for.body33, label %cleanup.cont.loopexit, !dbg !94

for.body33:                                       ; preds = %for.cond30
  %idxprom34 = zext nneg i32 %i28.0 to i64, !dbg !95
  %arrayidx35 = getelementptr inbounds nuw float, ptr addrspace(1) %add.ptr, i64 %idxprom34, !dbg !95
  %10 = load float, ptr addrspace(1) %arrayidx35, align 4, !dbg !95, !tbaa !45
  %sub36 = fsub contract float %10, %value.addr.i.0, !dbg !96
  %call.i4 = call contract noundef float @__nv_expf(float noundef %sub36) #4, !dbg !97
  %mul38 = fmul contract float %call.i4, %div, !dbg !99
  %arrayidx40 = getelementptr inbounds nuw float, ptr addrspace(1) %add.ptr8, i64 %idxprom34, !dbg !100
  store float %mul38, ptr addrspace(1) %arrayidx40, align 4, !dbg !101, !tbaa !45
  %add42 = add nuw nsw i32 %i28.0, 32, !dbg !102
  br label %for.cond30, !dbg !94, !llvm.loop !103

cleanup.cont.loopexit:                            ; preds = %for.cond30
  br label %cleanup.cont, !dbg !105

cleanup.cont:                                     ; preds = %cleanup.cont.loopexit, %entry
  ret void, !dbg !105
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nounwind
declare dso_local float @__nv_fmaxf(float noundef, float noundef) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32) #3

; Function Attrs: convergent nounwind
declare dso_local float @__nv_expf(float noundef) #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #3 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #4 = { convergent nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "experts/cuda/softmax_shuffle.cu", directory: ".")
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
!12 = distinct !DISubprogram(name: "softmax_shuffle", scope: !1, file: !1, line: 15, type: !13, scopeLine: 17, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 66, column: 27, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 66, type: !13, scopeLine: 66, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_builtin_vars.h", directory: "")
!18 = distinct !DILocation(line: 18, column: 13, scope: !12)
!19 = !DILocation(line: 80, column: 27, scope: !20, inlinedAt: !21)
!20 = distinct !DISubprogram(name: "__fetch_builtin_y", scope: !17, file: !17, line: 80, type: !13, scopeLine: 80, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!21 = distinct !DILocation(line: 18, column: 26, scope: !12)
!22 = !DILocation(line: 18, column: 24, scope: !12)
!23 = !DILocation(line: 54, column: 27, scope: !24, inlinedAt: !25)
!24 = distinct !DISubprogram(name: "__fetch_builtin_y", scope: !17, file: !17, line: 54, type: !13, scopeLine: 54, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!25 = distinct !DILocation(line: 18, column: 39, scope: !12)
!26 = !DILocation(line: 18, column: 37, scope: !12)
!27 = !DILocation(line: 19, column: 11, scope: !12)
!28 = !DILocation(line: 21, column: 36, scope: !12)
!29 = !DILocation(line: 21, column: 42, scope: !12)
!30 = !DILocation(line: 21, column: 40, scope: !12)
!31 = !DILocation(line: 21, column: 23, scope: !12)
!32 = !DILocation(line: 22, column: 18, scope: !12)
!33 = !DILocation(line: 53, column: 27, scope: !34, inlinedAt: !35)
!34 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 53, type: !13, scopeLine: 53, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!35 = distinct !DILocation(line: 24, column: 16, scope: !12)
!36 = !DILocation(line: 24, column: 8, scope: !12)
!37 = !DILocation(line: 0, scope: !12)
!38 = !DILocation(line: 24, scope: !12)
!39 = !DILocation(line: 24, column: 31, scope: !12)
!40 = !DILocation(line: 24, column: 3, scope: !12)
!41 = !DILocation(line: 4, column: 3, scope: !42, inlinedAt: !43)
!42 = distinct !DISubprogram(name: "warpMax", scope: !1, file: !1, line: 3, type: !13, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!43 = distinct !DILocation(line: 26, column: 13, scope: !12)
!44 = !DILocation(line: 25, column: 30, scope: !12)
!45 = !{!46, !46, i64 0}
!46 = !{!"float", !10, i64 0}
!47 = !DILocation(line: 136, column: 55, scope: !48, inlinedAt: !50)
!48 = distinct !DISubprogram(name: "fmaxf", scope: !49, file: !49, line: 136, type: !13, scopeLine: 136, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!49 = !DIFile(filename: "/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_math.h", directory: "")
!50 = distinct !DILocation(line: 25, column: 15, scope: !12)
!51 = !DILocation(line: 24, column: 41, scope: !12)
!52 = distinct !{!52, !40, !53, !54, !55}
!53 = !DILocation(line: 25, column: 35, scope: !12)
!54 = !{!"llvm.loop.mustprogress"}
!55 = !{!"llvm.loop.unroll.disable"}
!56 = !DILocation(line: 4, scope: !42, inlinedAt: !43)
!57 = !DILocation(line: 4, column: 32, scope: !42, inlinedAt: !43)
!58 = !DILocation(line: 28, column: 3, scope: !12)
!59 = !DILocation(line: 182, column: 22, scope: !60, inlinedAt: !62)
!60 = distinct !DISubprogram(name: "__shfl_xor_sync", scope: !61, file: !61, line: 181, type: !13, scopeLine: 181, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!61 = !DIFile(filename: "/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_intrinsics.h", directory: "")
!62 = distinct !DILocation(line: 5, column: 26, scope: !42, inlinedAt: !43)
!63 = !DILocation(line: 136, column: 55, scope: !48, inlinedAt: !64)
!64 = distinct !DILocation(line: 5, column: 13, scope: !42, inlinedAt: !43)
!65 = !DILocation(line: 4, column: 44, scope: !42, inlinedAt: !43)
!66 = distinct !{!66, !41, !67, !54, !55}
!67 = !DILocation(line: 5, column: 69, scope: !42, inlinedAt: !43)
!68 = !DILocation(line: 28, scope: !12)
!69 = !DILocation(line: 28, column: 31, scope: !12)
!70 = !DILocation(line: 10, column: 3, scope: !71, inlinedAt: !72)
!71 = distinct !DISubprogram(name: "warpSum", scope: !1, file: !1, line: 9, type: !13, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!72 = distinct !DILocation(line: 30, column: 9, scope: !12)
!73 = !DILocation(line: 29, column: 17, scope: !12)
!74 = !DILocation(line: 29, column: 23, scope: !12)
!75 = !DILocation(line: 113, column: 43, scope: !76, inlinedAt: !77)
!76 = distinct !DISubprogram(name: "expf", scope: !49, file: !49, line: 113, type: !13, scopeLine: 113, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!77 = distinct !DILocation(line: 29, column: 12, scope: !12)
!78 = !DILocation(line: 29, column: 9, scope: !12)
!79 = !DILocation(line: 28, column: 41, scope: !12)
!80 = distinct !{!80, !58, !81, !54, !55}
!81 = !DILocation(line: 29, column: 32, scope: !12)
!82 = !DILocation(line: 10, scope: !71, inlinedAt: !72)
!83 = !DILocation(line: 10, column: 32, scope: !71, inlinedAt: !72)
!84 = !DILocation(line: 182, column: 22, scope: !60, inlinedAt: !85)
!85 = distinct !DILocation(line: 11, column: 14, scope: !71, inlinedAt: !72)
!86 = !DILocation(line: 11, column: 11, scope: !71, inlinedAt: !72)
!87 = !DILocation(line: 10, column: 44, scope: !71, inlinedAt: !72)
!88 = distinct !{!88, !70, !89, !54, !55}
!89 = !DILocation(line: 11, column: 56, scope: !71, inlinedAt: !72)
!90 = !DILocation(line: 31, column: 22, scope: !12)
!91 = !DILocation(line: 32, column: 8, scope: !12)
!92 = !DILocation(line: 32, scope: !12)
!93 = !DILocation(line: 32, column: 31, scope: !12)
!94 = !DILocation(line: 32, column: 3, scope: !12)
!95 = !DILocation(line: 33, column: 19, scope: !12)
!96 = !DILocation(line: 33, column: 25, scope: !12)
!97 = !DILocation(line: 113, column: 43, scope: !76, inlinedAt: !98)
!98 = distinct !DILocation(line: 33, column: 14, scope: !12)
!99 = !DILocation(line: 33, column: 36, scope: !12)
!100 = !DILocation(line: 33, column: 5, scope: !12)
!101 = !DILocation(line: 33, column: 12, scope: !12)
!102 = !DILocation(line: 32, column: 41, scope: !12)
!103 = distinct !{!103, !94, !104, !54, !55}
!104 = !DILocation(line: 33, column: 38, scope: !12)
!105 = !DILocation(line: 34, column: 1, scope: !12)
