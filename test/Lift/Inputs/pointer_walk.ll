; ModuleID = '/tmp/tmp.pZ7CAwQtl3/raw.ll'
source_filename = "experts/heldout/pointer_walk.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @pointer_walk(ptr noundef %0, ptr noundef %1, i32 noundef %2, i32 noundef %3) #0 !dbg !12 {
  %5 = addrspacecast ptr %1 to ptr addrspace(1)
  %6 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !15
  %7 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !19
  %8 = mul i32 %6, %7, !dbg !22
  %9 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !23
  %10 = add i32 %8, %9, !dbg !26
  %.not = icmp slt i32 %10, %2, !dbg !27
  br i1 %.not, label %11, label %26, !dbg !27

11:                                               ; preds = %4
  %12 = addrspacecast ptr %0 to ptr addrspace(1)
  %13 = mul nsw i32 %10, %3, !dbg !28
  %14 = sext i32 %13 to i64, !dbg !29
  %15 = getelementptr inbounds float, ptr addrspace(1) %12, i64 %14, !dbg !29
  %16 = sext i32 %3 to i64, !dbg !30
  %17 = getelementptr inbounds float, ptr addrspace(1) %15, i64 %16, !dbg !30
  %18 = load float, ptr addrspace(1) %15, align 4, !dbg !31, !tbaa !32
  br label %19, !dbg !34

19:                                               ; preds = %20, %11
  %.pn = phi ptr addrspace(1) [ %15, %11 ], [ %.018, %20 ]
  %.0 = phi float [ %18, %11 ], [ %.1, %20 ], !dbg !35
  %.018 = getelementptr inbounds nuw i8, ptr addrspace(1) %.pn, i64 4, !dbg !35
  %.not19 = icmp eq ptr addrspace(1) %.018, %17, !dbg !36
  br i1 %.not19, label %23, label %20, !dbg !34

20:                                               ; preds = %19
  %21 = load float, ptr addrspace(1) %.018, align 4, !dbg !37, !tbaa !32
  %22 = fcmp contract ogt float %21, %.0, !dbg !38
  %.1 = select i1 %22, float %21, float %.0, !dbg !38
  br label %19, !dbg !34, !llvm.loop !39

23:                                               ; preds = %19
  %24 = sext i32 %10 to i64, !dbg !43
  %25 = getelementptr inbounds float, ptr addrspace(1) %5, i64 %24, !dbg !43
  store float %.0, ptr addrspace(1) %25, align 4, !dbg !44, !tbaa !32
  br label %26, !dbg !45

26:                                               ; preds = %23, %4
  ret void, !dbg !45
}

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
!1 = !DIFile(filename: "experts/heldout/pointer_walk.cu", directory: ".")
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
!12 = distinct !DISubprogram(name: "pointer_walk", scope: !1, file: !1, line: 2, type: !13, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 66, column: 27, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 66, type: !13, scopeLine: 66, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_builtin_vars.h", directory: "")
!18 = distinct !DILocation(line: 4, column: 13, scope: !12)
!19 = !DILocation(line: 79, column: 27, scope: !20, inlinedAt: !21)
!20 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 79, type: !13, scopeLine: 79, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!21 = distinct !DILocation(line: 4, column: 26, scope: !12)
!22 = !DILocation(line: 4, column: 24, scope: !12)
!23 = !DILocation(line: 53, column: 27, scope: !24, inlinedAt: !25)
!24 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 53, type: !13, scopeLine: 53, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!25 = distinct !DILocation(line: 4, column: 39, scope: !12)
!26 = !DILocation(line: 4, column: 37, scope: !12)
!27 = !DILocation(line: 5, column: 11, scope: !12)
!28 = !DILocation(line: 7, column: 29, scope: !12)
!29 = !DILocation(line: 7, column: 23, scope: !12)
!30 = !DILocation(line: 8, column: 24, scope: !12)
!31 = !DILocation(line: 9, column: 16, scope: !12)
!32 = !{!33, !33, i64 0}
!33 = !{!"float", !10, i64 0}
!34 = !DILocation(line: 10, column: 3, scope: !12)
!35 = !DILocation(line: 0, scope: !12)
!36 = !DILocation(line: 10, column: 12, scope: !12)
!37 = !DILocation(line: 11, column: 9, scope: !12)
!38 = !DILocation(line: 11, column: 12, scope: !12)
!39 = distinct !{!39, !34, !40, !41, !42}
!40 = !DILocation(line: 14, column: 3, scope: !12)
!41 = !{!"llvm.loop.mustprogress"}
!42 = !{!"llvm.loop.unroll.disable"}
!43 = !DILocation(line: 15, column: 3, scope: !12)
!44 = !DILocation(line: 15, column: 12, scope: !12)
!45 = !DILocation(line: 16, column: 1, scope: !12)
