; ModuleID = '/tmp/l/sgemm_naive.raw.ll'
source_filename = "experts/cuda/sgemm_naive.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @sgemm_naive(i32 noundef %m, i32 noundef %n, i32 noundef %k, ptr noalias noundef %a, ptr noalias noundef %b, ptr noalias noundef %c) #0 !dbg !12 {
entry:
  %0 = addrspacecast ptr %a to ptr addrspace(1)
  %1 = addrspacecast ptr %b to ptr addrspace(1)
  %2 = addrspacecast ptr %c to ptr addrspace(1)
  %3 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y(), !dbg !15
  %4 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y(), !dbg !19
  %mul = mul nuw nsw i32 %3, %4, !dbg !22
  %5 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y(), !dbg !23
  %add = add nuw nsw i32 %mul, %5, !dbg !26
  %6 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !27
  %7 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !30
  %mul5 = mul i32 %6, %7, !dbg !33
  %8 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !34
  %add7 = add i32 %mul5, %8, !dbg !37
  %cmp = icmp sge i32 %add, %m, !dbg !38
  %cmp8 = icmp sge i32 %add7, %n
  %or.cond = or i1 %cmp, %cmp8, !dbg !39
  br i1 %or.cond, label %cleanup.cont, label %for.cond.preheader, !dbg !39

for.cond.preheader:                               ; preds = %entry
  br label %for.cond, !dbg !40

for.cond:                                         ; preds = %for.cond.preheader, %for.body
  %sum.0 = phi float [ %add17, %for.body ], [ 0.000000e+00, %for.cond.preheader ], !dbg !41
  %i.0 = phi i32 [ %inc, %for.body ], [ 0, %for.cond.preheader ], !dbg !42
  %cmp9 = icmp slt i32 %i.0, %k, !dbg !43
  br i1 %cmp9, label %for.body, label %for.end, !dbg !40

for.body:                                         ; preds = %for.cond
  %mul10 = mul nsw i32 %add, %k, !dbg !44
  %add11 = add nsw i32 %mul10, %i.0, !dbg !45
  %idxprom = sext i32 %add11 to i64, !dbg !46
  %arrayidx = getelementptr inbounds float, ptr addrspace(1) %0, i64 %idxprom, !dbg !46
  %9 = load float, ptr addrspace(1) %arrayidx, align 4, !dbg !46, !tbaa !47
  %mul12 = mul nsw i32 %i.0, %n, !dbg !49
  %add13 = add nsw i32 %mul12, %add7, !dbg !50
  %idxprom14 = sext i32 %add13 to i64, !dbg !51
  %arrayidx15 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %idxprom14, !dbg !51
  %10 = load float, ptr addrspace(1) %arrayidx15, align 4, !dbg !51, !tbaa !47
  %mul16 = fmul contract float %9, %10, !dbg !52
  %add17 = fadd contract float %sum.0, %mul16, !dbg !53
  %inc = add nuw nsw i32 %i.0, 1, !dbg !54
  br label %for.cond, !dbg !40, !llvm.loop !55

for.end:                                          ; preds = %for.cond
  %mul18 = mul nsw i32 %add, %n, !dbg !59
  %add19 = add nsw i32 %mul18, %add7, !dbg !60
  %idxprom20 = sext i32 %add19 to i64, !dbg !61
  %arrayidx21 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %idxprom20, !dbg !61
  store float %sum.0, ptr addrspace(1) %arrayidx21, align 4, !dbg !62, !tbaa !47
  br label %cleanup.cont, !dbg !63

cleanup.cont:                                     ; preds = %for.end, %entry
  ret void, !dbg !63
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "experts/cuda/sgemm_naive.cu", directory: ".")
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
!12 = distinct !DISubprogram(name: "sgemm_naive", scope: !1, file: !1, line: 2, type: !13, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 67, column: 27, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "__fetch_builtin_y", scope: !17, file: !17, line: 67, type: !13, scopeLine: 67, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_builtin_vars.h", directory: "")
!18 = distinct !DILocation(line: 6, column: 13, scope: !12)
!19 = !DILocation(line: 80, column: 27, scope: !20, inlinedAt: !21)
!20 = distinct !DISubprogram(name: "__fetch_builtin_y", scope: !17, file: !17, line: 80, type: !13, scopeLine: 80, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!21 = distinct !DILocation(line: 6, column: 26, scope: !12)
!22 = !DILocation(line: 6, column: 24, scope: !12)
!23 = !DILocation(line: 54, column: 27, scope: !24, inlinedAt: !25)
!24 = distinct !DISubprogram(name: "__fetch_builtin_y", scope: !17, file: !17, line: 54, type: !13, scopeLine: 54, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!25 = distinct !DILocation(line: 6, column: 39, scope: !12)
!26 = !DILocation(line: 6, column: 37, scope: !12)
!27 = !DILocation(line: 66, column: 27, scope: !28, inlinedAt: !29)
!28 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 66, type: !13, scopeLine: 66, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!29 = distinct !DILocation(line: 7, column: 13, scope: !12)
!30 = !DILocation(line: 79, column: 27, scope: !31, inlinedAt: !32)
!31 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 79, type: !13, scopeLine: 79, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!32 = distinct !DILocation(line: 7, column: 26, scope: !12)
!33 = !DILocation(line: 7, column: 24, scope: !12)
!34 = !DILocation(line: 53, column: 27, scope: !35, inlinedAt: !36)
!35 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 53, type: !13, scopeLine: 53, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!36 = distinct !DILocation(line: 7, column: 39, scope: !12)
!37 = !DILocation(line: 7, column: 37, scope: !12)
!38 = !DILocation(line: 8, column: 11, scope: !12)
!39 = !DILocation(line: 8, column: 16, scope: !12)
!40 = !DILocation(line: 11, column: 3, scope: !12)
!41 = !DILocation(line: 0, scope: !12)
!42 = !DILocation(line: 11, scope: !12)
!43 = !DILocation(line: 11, column: 21, scope: !12)
!44 = !DILocation(line: 12, column: 18, scope: !12)
!45 = !DILocation(line: 12, column: 22, scope: !12)
!46 = !DILocation(line: 12, column: 12, scope: !12)
!47 = !{!48, !48, i64 0}
!48 = !{!"float", !10, i64 0}
!49 = !DILocation(line: 12, column: 33, scope: !12)
!50 = !DILocation(line: 12, column: 37, scope: !12)
!51 = !DILocation(line: 12, column: 29, scope: !12)
!52 = !DILocation(line: 12, column: 27, scope: !12)
!53 = !DILocation(line: 12, column: 9, scope: !12)
!54 = !DILocation(line: 11, column: 26, scope: !12)
!55 = distinct !{!55, !40, !56, !57, !58}
!56 = !DILocation(line: 12, column: 42, scope: !12)
!57 = !{!"llvm.loop.mustprogress"}
!58 = !{!"llvm.loop.unroll.disable"}
!59 = !DILocation(line: 13, column: 9, scope: !12)
!60 = !DILocation(line: 13, column: 13, scope: !12)
!61 = !DILocation(line: 13, column: 3, scope: !12)
!62 = !DILocation(line: 13, column: 20, scope: !12)
!63 = !DILocation(line: 14, column: 1, scope: !12)
