; ModuleID = '/tmp/tmp.a9o7dQQVdE/raw.ll'
source_filename = "experts/heldout/warp_ballot_compact.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @warp_ballot_compact(ptr noundef %0, ptr noundef %1, ptr noundef %2) #0 !dbg !12 {
  %4 = addrspacecast ptr %0 to ptr addrspace(1)
  %5 = addrspacecast ptr %2 to ptr addrspace(1)
  %6 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !15
  %7 = and i32 %6, 31, !dbg !19
  %8 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !20
  %9 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !23
  %10 = mul i32 %8, %9, !dbg !26
  %11 = add i32 %10, %6, !dbg !27
  %12 = sext i32 %11 to i64, !dbg !28
  %13 = getelementptr inbounds float, ptr addrspace(1) %4, i64 %12, !dbg !28
  %14 = load float, ptr addrspace(1) %13, align 4, !dbg !28, !tbaa !29
  %15 = fcmp contract ogt float %14, 0.000000e+00, !dbg !31
  %16 = call noundef i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %15), !dbg !32
  %notmask = shl nsw i32 -1, %7, !dbg !36
  %17 = xor i32 %notmask, -1, !dbg !36
  %18 = and i32 %16, %17, !dbg !37
  %19 = call noundef i32 @__nv_popc(i32 noundef %18) #4, !dbg !38
  br i1 %15, label %20, label %26, !dbg !42

20:                                               ; preds = %3
  %21 = addrspacecast ptr %1 to ptr addrspace(1)
  %22 = sub nsw i32 %11, %7, !dbg !43
  %23 = add nsw i32 %22, %19, !dbg !44
  %24 = sext i32 %23 to i64, !dbg !45
  %25 = getelementptr inbounds float, ptr addrspace(1) %21, i64 %24, !dbg !45
  store float %14, ptr addrspace(1) %25, align 4, !dbg !46, !tbaa !29
  br label %26, !dbg !45

26:                                               ; preds = %20, %3
  %27 = icmp eq i32 %7, 0, !dbg !47
  br i1 %27, label %28, label %33, !dbg !47

28:                                               ; preds = %26
  %29 = call noundef i32 @__nv_popc(i32 noundef %16) #4, !dbg !48
  %30 = sdiv i32 %11, 32, !dbg !50
  %31 = sext i32 %30 to i64, !dbg !51
  %32 = getelementptr inbounds i32, ptr addrspace(1) %5, i64 %31, !dbg !51
  store i32 %29, ptr addrspace(1) %32, align 4, !dbg !52, !tbaa !8
  br label %33, !dbg !51

33:                                               ; preds = %28, %26
  ret void, !dbg !53
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #2

; Function Attrs: convergent nounwind
declare dso_local i32 @__nv_popc(i32 noundef) #3

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #3 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
attributes #4 = { convergent nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "experts/heldout/warp_ballot_compact.cu", directory: ".")
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
!12 = distinct !DISubprogram(name: "warp_ballot_compact", scope: !1, file: !1, line: 2, type: !13, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 53, column: 27, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 53, type: !13, scopeLine: 53, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_builtin_vars.h", directory: "")
!18 = distinct !DILocation(line: 4, column: 14, scope: !12)
!19 = !DILocation(line: 4, column: 26, scope: !12)
!20 = !DILocation(line: 66, column: 27, scope: !21, inlinedAt: !22)
!21 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 66, type: !13, scopeLine: 66, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!22 = distinct !DILocation(line: 5, column: 11, scope: !12)
!23 = !DILocation(line: 79, column: 27, scope: !24, inlinedAt: !25)
!24 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 79, type: !13, scopeLine: 79, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!25 = distinct !DILocation(line: 5, column: 24, scope: !12)
!26 = !DILocation(line: 5, column: 22, scope: !12)
!27 = !DILocation(line: 5, column: 35, scope: !12)
!28 = !DILocation(line: 6, column: 17, scope: !12)
!29 = !{!30, !30, i64 0}
!30 = !{!"float", !10, i64 0}
!31 = !DILocation(line: 7, column: 52, scope: !12)
!32 = !DILocation(line: 211, column: 10, scope: !33, inlinedAt: !35)
!33 = distinct !DISubprogram(name: "__ballot_sync", scope: !34, file: !34, line: 210, type: !13, scopeLine: 210, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!34 = !DIFile(filename: "/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_intrinsics.h", directory: "")
!35 = distinct !DILocation(line: 7, column: 19, scope: !12)
!36 = !DILocation(line: 8, column: 43, scope: !12)
!37 = !DILocation(line: 8, column: 27, scope: !12)
!38 = !DILocation(line: 505, column: 50, scope: !39, inlinedAt: !41)
!39 = distinct !DISubprogram(name: "__popc", scope: !40, file: !40, line: 505, type: !13, scopeLine: 505, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!40 = !DIFile(filename: "/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_device_functions.h", directory: "")
!41 = distinct !DILocation(line: 8, column: 15, scope: !12)
!42 = !DILocation(line: 9, column: 13, scope: !12)
!43 = !DILocation(line: 10, column: 11, scope: !12)
!44 = !DILocation(line: 10, column: 18, scope: !12)
!45 = !DILocation(line: 10, column: 5, scope: !12)
!46 = !DILocation(line: 10, column: 27, scope: !12)
!47 = !DILocation(line: 11, column: 12, scope: !12)
!48 = !DILocation(line: 505, column: 50, scope: !39, inlinedAt: !49)
!49 = distinct !DILocation(line: 12, column: 22, scope: !12)
!50 = !DILocation(line: 12, column: 14, scope: !12)
!51 = !DILocation(line: 12, column: 5, scope: !12)
!52 = !DILocation(line: 12, column: 20, scope: !12)
!53 = !DILocation(line: 13, column: 1, scope: !12)
