; ModuleID = '/tmp/l/histogram.raw.ll'
source_filename = "experts/cuda/histogram.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ9histogramE5local = internal addrspace(3) global [64 x i32] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @histogram(ptr noalias noundef %values, ptr noalias noundef %bins, i32 noundef %count) #0 !dbg !12 {
entry:
  %0 = addrspacecast ptr %values to ptr addrspace(1)
  %1 = addrspacecast ptr %bins to ptr addrspace(1)
  %2 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !15
  br label %for.cond, !dbg !19

for.cond:                                         ; preds = %for.body, %entry
  %i.0 = phi i32 [ %2, %entry ], [ %add, %for.body ], !dbg !20
  %cmp = icmp slt i32 %i.0, 64, !dbg !21
  br i1 %cmp, label %for.body, label %for.end, !dbg !22

for.body:                                         ; preds = %for.cond
  %idxprom = sext i32 %i.0 to i64, !dbg !23
  %arrayidx = getelementptr inbounds i32, ptr addrspace(3) @_ZZ9histogramE5local, i64 %idxprom, !dbg !23
  store i32 0, ptr addrspace(3) %arrayidx, align 4, !dbg !24, !tbaa !8
  %3 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !25
  %add = add i32 %i.0, %3, !dbg !28
  br label %for.cond, !dbg !22, !llvm.loop !29

for.end:                                          ; preds = %for.cond
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !33
  %4 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !34
  %5 = call noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x(), !dbg !36
  %mul = mul i32 %4, %5, !dbg !39
  %6 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !40
  %mul7 = mul i32 %6, %4, !dbg !43
  %add9 = add i32 %mul7, %2, !dbg !44
  br label %for.cond10, !dbg !45

for.cond10:                                       ; preds = %for.body13, %for.end
  %i4.0 = phi i32 [ %add9, %for.end ], [ %add20, %for.body13 ], !dbg !46
  %cmp11 = icmp slt i32 %i4.0, %count, !dbg !47
  br i1 %cmp11, label %for.body13, label %for.end21, !dbg !48

for.body13:                                       ; preds = %for.cond10
  %idxprom14 = sext i32 %i4.0 to i64, !dbg !49
  %arrayidx15 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %idxprom14, !dbg !49
  %7 = load i32, ptr addrspace(1) %arrayidx15, align 4, !dbg !49, !tbaa !8
  %idxprom16 = sext i32 %7 to i64, !dbg !50
  %arrayidx17 = getelementptr inbounds i32, ptr addrspace(3) @_ZZ9histogramE5local, i64 %idxprom16, !dbg !50
  %8 = atomicrmw add ptr addrspace(3) %arrayidx17, i32 1 seq_cst, align 4, !dbg !51
  %add20 = add nsw i32 %i4.0, %mul, !dbg !58
  br label %for.cond10, !dbg !48, !llvm.loop !59

for.end21:                                        ; preds = %for.cond10
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !61
  br label %for.cond24, !dbg !62

for.cond24:                                       ; preds = %for.body27, %for.end21
  %i22.0 = phi i32 [ %2, %for.end21 ], [ %add35, %for.body27 ], !dbg !63
  %cmp25 = icmp slt i32 %i22.0, 64, !dbg !64
  br i1 %cmp25, label %for.body27, label %for.end36, !dbg !65

for.body27:                                       ; preds = %for.cond24
  %idxprom28 = sext i32 %i22.0 to i64, !dbg !66
  %arrayidx29 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %idxprom28, !dbg !66
  %arrayidx31 = getelementptr inbounds i32, ptr addrspace(3) @_ZZ9histogramE5local, i64 %idxprom28, !dbg !67
  %9 = load i32, ptr addrspace(3) %arrayidx31, align 4, !dbg !67, !tbaa !8
  %10 = atomicrmw add ptr addrspace(1) %arrayidx29, i32 %9 seq_cst, align 4, !dbg !68
  %add35 = add i32 %i22.0, %4, !dbg !71
  br label %for.cond24, !dbg !65, !llvm.loop !72

for.end36:                                        ; preds = %for.cond24
  ret void, !dbg !74
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "experts/cuda/histogram.cu", directory: ".")
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
!12 = distinct !DISubprogram(name: "histogram", scope: !1, file: !1, line: 2, type: !13, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 53, column: 27, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 53, type: !13, scopeLine: 53, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_builtin_vars.h", directory: "")
!18 = distinct !DILocation(line: 5, column: 16, scope: !12)
!19 = !DILocation(line: 5, column: 8, scope: !12)
!20 = !DILocation(line: 5, scope: !12)
!21 = !DILocation(line: 5, column: 31, scope: !12)
!22 = !DILocation(line: 5, column: 3, scope: !12)
!23 = !DILocation(line: 6, column: 5, scope: !12)
!24 = !DILocation(line: 6, column: 14, scope: !12)
!25 = !DILocation(line: 79, column: 27, scope: !26, inlinedAt: !27)
!26 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 79, type: !13, scopeLine: 79, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!27 = distinct !DILocation(line: 5, column: 42, scope: !12)
!28 = !DILocation(line: 5, column: 39, scope: !12)
!29 = distinct !{!29, !22, !30, !31, !32}
!30 = !DILocation(line: 6, column: 16, scope: !12)
!31 = !{!"llvm.loop.mustprogress"}
!32 = !{!"llvm.loop.unroll.disable"}
!33 = !DILocation(line: 7, column: 3, scope: !12)
!34 = !DILocation(line: 79, column: 27, scope: !26, inlinedAt: !35)
!35 = distinct !DILocation(line: 8, column: 16, scope: !12)
!36 = !DILocation(line: 92, column: 27, scope: !37, inlinedAt: !38)
!37 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 92, type: !13, scopeLine: 92, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!38 = distinct !DILocation(line: 8, column: 29, scope: !12)
!39 = !DILocation(line: 8, column: 27, scope: !12)
!40 = !DILocation(line: 66, column: 27, scope: !41, inlinedAt: !42)
!41 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 66, type: !13, scopeLine: 66, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!42 = distinct !DILocation(line: 9, column: 16, scope: !12)
!43 = !DILocation(line: 9, column: 27, scope: !12)
!44 = !DILocation(line: 9, column: 40, scope: !12)
!45 = !DILocation(line: 9, column: 8, scope: !12)
!46 = !DILocation(line: 9, scope: !12)
!47 = !DILocation(line: 9, column: 57, scope: !12)
!48 = !DILocation(line: 9, column: 3, scope: !12)
!49 = !DILocation(line: 10, column: 22, scope: !12)
!50 = !DILocation(line: 10, column: 16, scope: !12)
!51 = !DILocation(line: 341, column: 10, scope: !52, inlinedAt: !54)
!52 = distinct !DISubprogram(name: "__iAtomicAdd", scope: !53, file: !53, line: 340, type: !13, scopeLine: 340, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!53 = !DIFile(filename: "/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_device_functions.h", directory: "")
!54 = distinct !DILocation(line: 107, column: 10, scope: !55, inlinedAt: !57)
!55 = distinct !DISubprogram(name: "atomicAdd", scope: !56, file: !56, line: 105, type: !13, scopeLine: 106, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!56 = !DIFile(filename: "/usr/local/include/device_atomic_functions.hpp", directory: "")
!57 = distinct !DILocation(line: 10, column: 5, scope: !12)
!58 = !DILocation(line: 9, column: 68, scope: !12)
!59 = distinct !{!59, !48, !60, !31, !32}
!60 = !DILocation(line: 10, column: 35, scope: !12)
!61 = !DILocation(line: 11, column: 3, scope: !12)
!62 = !DILocation(line: 12, column: 8, scope: !12)
!63 = !DILocation(line: 12, scope: !12)
!64 = !DILocation(line: 12, column: 31, scope: !12)
!65 = !DILocation(line: 12, column: 3, scope: !12)
!66 = !DILocation(line: 13, column: 16, scope: !12)
!67 = !DILocation(line: 13, column: 25, scope: !12)
!68 = !DILocation(line: 341, column: 10, scope: !52, inlinedAt: !69)
!69 = distinct !DILocation(line: 107, column: 10, scope: !55, inlinedAt: !70)
!70 = distinct !DILocation(line: 13, column: 5, scope: !12)
!71 = !DILocation(line: 12, column: 39, scope: !12)
!72 = distinct !{!72, !65, !73, !31, !32}
!73 = !DILocation(line: 13, column: 33, scope: !12)
!74 = !DILocation(line: 14, column: 1, scope: !12)
