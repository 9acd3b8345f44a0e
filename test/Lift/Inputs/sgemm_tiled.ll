; ModuleID = '/tmp/l/sgemm_tiled.raw.ll'
source_filename = "experts/cuda/sgemm_tiled.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ11sgemm_tiledE5tileA = internal addrspace(3) global [16 x [16 x float]] undef, align 4
@_ZZ11sgemm_tiledE5tileB = internal addrspace(3) global [16 x [16 x float]] undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @sgemm_tiled(i32 noundef %m, i32 noundef %n, i32 noundef %k, ptr noalias noundef %a, ptr noalias noundef %b, ptr noalias noundef %c) #0 !dbg !12 {
entry:
  %0 = addrspacecast ptr %a to ptr addrspace(1)
  %1 = addrspacecast ptr %b to ptr addrspace(1)
  %2 = addrspacecast ptr %c to ptr addrspace(1)
  %3 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !15
  %4 = call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y(), !dbg !19
  %5 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y(), !dbg !22
  %mul = shl nuw nsw i32 %5, 4, !dbg !25
  %add = add nuw nsw i32 %mul, %4, !dbg !26
  %6 = call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !27
  %mul4 = shl i32 %6, 4, !dbg !30
  %add5 = add i32 %mul4, %3, !dbg !31
  br label %for.cond, !dbg !32

for.cond:                                         ; preds = %cond.end27, %entry
  %sum.0 = phi float [ 0.000000e+00, %entry ], [ %add46.15, %cond.end27 ], !dbg !33
  %base.0 = phi i32 [ 0, %entry ], [ %add48, %cond.end27 ], !dbg !34
  %cmp = icmp slt i32 %base.0, %k, !dbg !35
  br i1 %cmp, label %for.body, label %for.end49, !dbg !36

for.body:                                         ; preds = %for.cond
  %cmp6 = icmp slt i32 %add, %m, !dbg !37
  %add7 = add nuw nsw i32 %base.0, %3
  %cmp8 = icmp slt i32 %add7, %k
  %or.cond = select i1 %cmp6, i1 %cmp8, i1 false, !dbg !38
  br i1 %or.cond, label %cond.true, label %cond.end, !dbg !38

cond.true:                                        ; preds = %for.body
  %mul9 = mul nsw i32 %add, %k, !dbg !39
  %add10 = add nsw i32 %mul9, %base.0, !dbg !40
  %add11 = add nsw i32 %add10, %3, !dbg !41
  %idxprom = sext i32 %add11 to i64, !dbg !42
  %arrayidx = getelementptr inbounds float, ptr addrspace(1) %0, i64 %idxprom, !dbg !42
  %7 = load float, ptr addrspace(1) %arrayidx, align 4, !dbg !42, !tbaa !43
  br label %cond.end, !dbg !45

cond.end:                                         ; preds = %for.body, %cond.true
  %cond = phi float [ %7, %cond.true ], [ 0.000000e+00, %for.body ], !dbg !45
  %idxprom12 = zext nneg i32 %4 to i64, !dbg !46
  %arrayidx13 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) @_ZZ11sgemm_tiledE5tileA, i64 %idxprom12, !dbg !46
  %idxprom14 = zext nneg i32 %3 to i64, !dbg !46
  %arrayidx15 = getelementptr inbounds nuw float, ptr addrspace(3) %arrayidx13, i64 %idxprom14, !dbg !46
  store float %cond, ptr addrspace(3) %arrayidx15, align 4, !dbg !47, !tbaa !43
  %add16 = add nuw nsw i32 %base.0, %4, !dbg !48
  %cmp17 = icmp slt i32 %add16, %k, !dbg !49
  %cmp19 = icmp slt i32 %add5, %n
  %or.cond33 = and i1 %cmp17, %cmp19, !dbg !50
  br i1 %or.cond33, label %cond.true20, label %cond.end27, !dbg !50

cond.true20:                                      ; preds = %cond.end
  %mul22 = mul nsw i32 %add16, %n, !dbg !51
  %add23 = add nsw i32 %mul22, %add5, !dbg !52
  %idxprom24 = sext i32 %add23 to i64, !dbg !53
  %arrayidx25 = getelementptr inbounds float, ptr addrspace(1) %1, i64 %idxprom24, !dbg !53
  %8 = load float, ptr addrspace(1) %arrayidx25, align 4, !dbg !53, !tbaa !43
  br label %cond.end27, !dbg !54

cond.end27:                                       ; preds = %cond.end, %cond.true20
  %cond28 = phi float [ %8, %cond.true20 ], [ 0.000000e+00, %cond.end ], !dbg !54
  %arrayidx30 = getelementptr inbounds nuw [16 x float], ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 %idxprom12, !dbg !55
  %arrayidx32 = getelementptr inbounds nuw float, ptr addrspace(3) %arrayidx30, i64 %idxprom14, !dbg !55
  store float %cond28, ptr addrspace(3) %arrayidx32, align 4, !dbg !56, !tbaa !43
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !57
  %9 = load float, ptr addrspace(3) %arrayidx13, align 4, !dbg !58, !tbaa !43
  %arrayidx44 = getelementptr inbounds nuw float, ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 %idxprom14, !dbg !59
  %10 = load float, ptr addrspace(3) %arrayidx44, align 4, !dbg !59, !tbaa !43
  %mul45 = fmul contract float %9, %10, !dbg !60
  %add46 = fadd contract float %sum.0, %mul45, !dbg !61
  %arrayidx40.1 = getelementptr inbounds nuw i8, ptr addrspace(3) %arrayidx13, i64 4, !dbg !58
  %11 = load float, ptr addrspace(3) %arrayidx40.1, align 4, !dbg !58, !tbaa !43
  %arrayidx44.1 = getelementptr inbounds nuw float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 64), i64 %idxprom14, !dbg !59
  %12 = load float, ptr addrspace(3) %arrayidx44.1, align 4, !dbg !59, !tbaa !43
  %mul45.1 = fmul contract float %11, %12, !dbg !60
  %add46.1 = fadd contract float %add46, %mul45.1, !dbg !61
  %arrayidx40.2 = getelementptr inbounds nuw i8, ptr addrspace(3) %arrayidx13, i64 8, !dbg !58
  %13 = load float, ptr addrspace(3) %arrayidx40.2, align 4, !dbg !58, !tbaa !43
  %arrayidx44.2 = getelementptr inbounds nuw float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 128), i64 %idxprom14, !dbg !59
  %14 = load float, ptr addrspace(3) %arrayidx44.2, align 4, !dbg !59, !tbaa !43
  %mul45.2 = fmul contract float %13, %14, !dbg !60
  %add46.2 = fadd contract float %add46.1, %mul45.2, !dbg !61
  %arrayidx40.3 = getelementptr inbounds nuw i8, ptr addrspace(3) %arrayidx13, i64 12, !dbg !58
  %15 = load float, ptr addrspace(3) %arrayidx40.3, align 4, !dbg !58, !tbaa !43
  %arrayidx44.3 = getelementptr inbounds nuw float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 192), i64 %idxprom14, !dbg !59
  %16 = load float, ptr addrspace(3) %arrayidx44.3, align 4, !dbg !59, !tbaa !43
  %mul45.3 = fmul contract float %15, %16, !dbg !60
  %add46.3 = fadd contract float %add46.2, %mul45.3, !dbg !61
  %arrayidx40.4 = getelementptr inbounds nuw i8, ptr addrspace(3) %arrayidx13, i64 16, !dbg !58
  %17 = load float, ptr addrspace(3) %arrayidx40.4, align 4, !dbg !58, !tbaa !43
  %arrayidx44.4 = getelementptr inbounds nuw float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 256), i64 %idxprom14, !dbg !59
  %18 = load float, ptr addrspace(3) %arrayidx44.4, align 4, !dbg !59, !tbaa !43
  %mul45.4 = fmul contract float %17, %18, !dbg !60
  %add46.4 = fadd contract float %add46.3, %mul45.4, !dbg !61
  %arrayidx40.5 = getelementptr inbounds nuw i8, ptr addrspace(3) %arrayidx13, i64 20, !dbg !58
  %19 = load float, ptr addrspace(3) %arrayidx40.5, align 4, !dbg !58, !tbaa !43
  %arrayidx44.5 = getelementptr inbounds nuw float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 320), i64 %idxprom14, !dbg !59
  %20 = load float, ptr addrspace(3) %arrayidx44.5, align 4, !dbg !59, !tbaa !43
  %mul45.5 = fmul contract float %19, %20, !dbg !60
  %add46.5 = fadd contract float %add46.4, %mul45.5, !dbg !61
  %arrayidx40.6 = getelementptr inbounds nuw i8, ptr addrspace(3) %arrayidx13, i64 24, !dbg !58
  %21 = load float, ptr addrspace(3) %arrayidx40.6, align 4, !dbg !58, !tbaa !43
  %arrayidx44.6 = getelementptr inbounds nuw float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 384), i64 %idxprom14, !dbg !59
  %22 = load float, ptr addrspace(3) %arrayidx44.6, align 4, !dbg !59, !tbaa !43
  %mul45.6 = fmul contract float %21, %22, !dbg !60
  %add46.6 = fadd contract float %add46.5, %mul45.6, !dbg !61
  %arrayidx40.7 = getelementptr inbounds nuw i8, ptr addrspace(3) %arrayidx13, i64 28, !dbg !58
  %23 = load float, ptr addrspace(3) %arrayidx40.7, align 4, !dbg !58, !tbaa !43
  %arrayidx44.7 = getelementptr inbounds nuw float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 448), i64 %idxprom14, !dbg !59
  %24 = load float, ptr addrspace(3) %arrayidx44.7, align 4, !dbg !59, !tbaa !43
  %mul45.7 = fmul contract float %23, %24, !dbg !60
  %add46.7 = fadd contract float %add46.6, %mul45.7, !dbg !61
  %arrayidx40.8 = getelementptr inbounds nuw i8, ptr addrspace(3) %arrayidx13, i64 32, !dbg !58
  %25 = load float, ptr addrspace(3) %arrayidx40.8, align 4, !dbg !58, !tbaa !43
  %arrayidx44.8 = getelementptr inbounds nuw float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 512), i64 %idxprom14, !dbg !59
  %26 = load float, ptr addrspace(3) %arrayidx44.8, align 4, !dbg !59, !tbaa !43
  %mul45.8 = fmul contract float %25, %26, !dbg !60
  %add46.8 = fadd contract float %add46.7, %mul45.8, !dbg !61
  %arrayidx40.9 = getelementptr inbounds nuw i8, ptr addrspace(3) %arrayidx13, i64 36, !dbg !58
  %27 = load float, ptr addrspace(3) %arrayidx40.9, align 4, !dbg !58, !tbaa !43
  %arrayidx44.9 = getelementptr inbounds nuw float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 576), i64 %idxprom14, !dbg !59
  %28 = load float, ptr addrspace(3) %arrayidx44.9, align 4, !dbg !59, !tbaa !43
  %mul45.9 = fmul contract float %27, %28, !dbg !60
  %add46.9 = fadd contract float %add46.8, %mul45.9, !dbg !61
  %arrayidx40.10 = getelementptr inbounds nuw i8, ptr addrspace(3) %arrayidx13, i64 40, !dbg !58
  %29 = load float, ptr addrspace(3) %arrayidx40.10, align 4, !dbg !58, !tbaa !43
  %arrayidx44.10 = getelementptr inbounds nuw float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 640), i64 %idxprom14, !dbg !59
  %30 = load float, ptr addrspace(3) %arrayidx44.10, align 4, !dbg !59, !tbaa !43
  %mul45.10 = fmul contract float %29, %30, !dbg !60
  %add46.10 = fadd contract float %add46.9, %mul45.10, !dbg !61
  %arrayidx40.11 = getelementptr inbounds nuw i8, ptr addrspace(3) %arrayidx13, i64 44, !dbg !58
  %31 = load float, ptr addrspace(3) %arrayidx40.11, align 4, !dbg !58, !tbaa !43
  %arrayidx44.11 = getelementptr inbounds nuw float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 704), i64 %idxprom14, !dbg !59
  %32 = load float, ptr addrspace(3) %arrayidx44.11, align 4, !dbg !59, !tbaa !43
  %mul45.11 = fmul contract float %31, %32, !dbg !60
  %add46.11 = fadd contract float %add46.10, %mul45.11, !dbg !61
  %arrayidx40.12 = getelementptr inbounds nuw i8, ptr addrspace(3) %arrayidx13, i64 48, !dbg !58
  %33 = load float, ptr addrspace(3) %arrayidx40.12, align 4, !dbg !58, !tbaa !43
  %arrayidx44.12 = getelementptr inbounds nuw float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 768), i64 %idxprom14, !dbg !59
  %34 = load float, ptr addrspace(3) %arrayidx44.12, align 4, !dbg !59, !tbaa !43
  %mul45.12 = fmul contract float %33, %34, !dbg !60
  %add46.12 = fadd contract float %add46.11, %mul45.12, !dbg !61
  %arrayidx40.13 = getelementptr inbounds nuw i8, ptr addrspace(3) %arrayidx13, i64 52, !dbg !58
  %35 = load float, ptr addrspace(3) %arrayidx40.13, align 4, !dbg !58, !tbaa !43
  %arrayidx44.13 = getelementptr inbounds nuw float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 832), i64 %idxprom14, !dbg !59
  %36 = load float, ptr addrspace(3) %arrayidx44.13, align 4, !dbg !59, !tbaa !43
  %mul45.13 = fmul contract float %35, %36, !dbg !60
  %add46.13 = fadd contract float %add46.12, %mul45.13, !dbg !61
  %arrayidx40.14 = getelementptr inbounds nuw i8, ptr addrspace(3) %arrayidx13, i64 56, !dbg !58
  %37 = load float, ptr addrspace(3) %arrayidx40.14, align 4, !dbg !58, !tbaa !43
  %arrayidx44.14 = getelementptr inbounds nuw float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 896), i64 %idxprom14, !dbg !59
  %38 = load float, ptr addrspace(3) %arrayidx44.14, align 4, !dbg !59, !tbaa !43
  %mul45.14 = fmul contract float %37, %38, !dbg !60
  %add46.14 = fadd contract float %add46.13, %mul45.14, !dbg !61
  %arrayidx40.15 = getelementptr inbounds nuw i8, ptr addrspace(3) %arrayidx13, i64 60, !dbg !58
  %39 = load float, ptr addrspace(3) %arrayidx40.15, align 4, !dbg !58, !tbaa !43
  %arrayidx44.15 = getelementptr inbounds nuw float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @_ZZ11sgemm_tiledE5tileB, i64 960), i64 %idxprom14, !dbg !59
  %40 = load float, ptr addrspace(3) %arrayidx44.15, align 4, !dbg !59, !tbaa !43
  %mul45.15 = fmul contract float %39, %40, !dbg !60
  %add46.15 = fadd contract float %add46.14, %mul45.15, !dbg !61
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !dbg !62
  %add48 = add nuw nsw i32 %base.0, 16, !dbg !63
  br label %for.cond, !dbg !36, !llvm.loop !64

for.end49:                                        ; preds = %for.cond
  %cmp50 = icmp slt i32 %add, %m, !dbg !68
  %cmp52 = icmp slt i32 %add5, %n
  %or.cond34 = and i1 %cmp50, %cmp52, !dbg !69
  br i1 %or.cond34, label %if.then, label %if.end, !dbg !69

if.then:                                          ; preds = %for.end49
  %mul53 = mul nsw i32 %add, %n, !dbg !70
  %add54 = add nsw i32 %mul53, %add5, !dbg !71
  %idxprom55 = sext i32 %add54 to i64, !dbg !72
  %arrayidx56 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %idxprom55, !dbg !72
  store float %sum.0, ptr addrspace(1) %arrayidx56, align 4, !dbg !73, !tbaa !43
  br label %if.end, !dbg !72

if.end:                                           ; preds = %if.then, %for.end49
  ret void, !dbg !74
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "nvvm.maxntid"="256" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { convergent nocallback nounwind }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}
!llvm.ident = !{!7}
!llvm.errno.tbaa = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "experts/cuda/sgemm_tiled.cu", directory: ".")
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
!12 = distinct !DISubprogram(name: "sgemm_tiled", scope: !1, file: !1, line: 5, type: !13, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = !DISubroutineType(types: !14)
!14 = !{}
!15 = !DILocation(line: 53, column: 27, scope: !16, inlinedAt: !18)
!16 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 53, type: !13, scopeLine: 53, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!17 = !DIFile(filename: "/usr/lib/llvm-22/lib/clang/22/include/__clang_cuda_builtin_vars.h", directory: "")
!18 = distinct !DILocation(line: 9, column: 12, scope: !12)
!19 = !DILocation(line: 54, column: 27, scope: !20, inlinedAt: !21)
!20 = distinct !DISubprogram(name: "__fetch_builtin_y", scope: !17, file: !17, line: 54, type: !13, scopeLine: 54, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!21 = distinct !DILocation(line: 9, column: 30, scope: !12)
!22 = !DILocation(line: 67, column: 27, scope: !23, inlinedAt: !24)
!23 = distinct !DISubprogram(name: "__fetch_builtin_y", scope: !17, file: !17, line: 67, type: !13, scopeLine: 67, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!24 = distinct !DILocation(line: 10, column: 13, scope: !12)
!25 = !DILocation(line: 10, column: 24, scope: !12)
!26 = !DILocation(line: 10, column: 32, scope: !12)
!27 = !DILocation(line: 66, column: 27, scope: !28, inlinedAt: !29)
!28 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !17, file: !17, line: 66, type: !13, scopeLine: 66, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!29 = distinct !DILocation(line: 11, column: 13, scope: !12)
!30 = !DILocation(line: 11, column: 24, scope: !12)
!31 = !DILocation(line: 11, column: 32, scope: !12)
!32 = !DILocation(line: 13, column: 8, scope: !12)
!33 = !DILocation(line: 12, column: 9, scope: !12)
!34 = !DILocation(line: 13, scope: !12)
!35 = !DILocation(line: 13, column: 27, scope: !12)
!36 = !DILocation(line: 13, column: 3, scope: !12)
!37 = !DILocation(line: 14, column: 25, scope: !12)
!38 = !DILocation(line: 14, column: 29, scope: !12)
!39 = !DILocation(line: 14, column: 54, scope: !12)
!40 = !DILocation(line: 14, column: 58, scope: !12)
!41 = !DILocation(line: 14, column: 65, scope: !12)
!42 = !DILocation(line: 14, column: 48, scope: !12)
!43 = !{!44, !44, i64 0}
!44 = !{!"float", !10, i64 0}
!45 = !DILocation(line: 14, column: 21, scope: !12)
!46 = !DILocation(line: 14, column: 5, scope: !12)
!47 = !DILocation(line: 14, column: 19, scope: !12)
!48 = !DILocation(line: 15, column: 26, scope: !12)
!49 = !DILocation(line: 15, column: 31, scope: !12)
!50 = !DILocation(line: 15, column: 35, scope: !12)
!51 = !DILocation(line: 15, column: 62, scope: !12)
!52 = !DILocation(line: 15, column: 66, scope: !12)
!53 = !DILocation(line: 15, column: 48, scope: !12)
!54 = !DILocation(line: 15, column: 21, scope: !12)
!55 = !DILocation(line: 15, column: 5, scope: !12)
!56 = !DILocation(line: 15, column: 19, scope: !12)
!57 = !DILocation(line: 16, column: 5, scope: !12)
!58 = !DILocation(line: 19, column: 14, scope: !12)
!59 = !DILocation(line: 19, column: 29, scope: !12)
!60 = !DILocation(line: 19, column: 27, scope: !12)
!61 = !DILocation(line: 19, column: 11, scope: !12)
!62 = !DILocation(line: 20, column: 5, scope: !12)
!63 = !DILocation(line: 13, column: 37, scope: !12)
!64 = distinct !{!64, !36, !65, !66, !67}
!65 = !DILocation(line: 21, column: 3, scope: !12)
!66 = !{!"llvm.loop.mustprogress"}
!67 = !{!"llvm.loop.unroll.disable"}
!68 = !DILocation(line: 22, column: 11, scope: !12)
!69 = !DILocation(line: 22, column: 15, scope: !12)
!70 = !DILocation(line: 23, column: 11, scope: !12)
!71 = !DILocation(line: 23, column: 15, scope: !12)
!72 = !DILocation(line: 23, column: 5, scope: !12)
!73 = !DILocation(line: 23, column: 22, scope: !12)
!74 = !DILocation(line: 24, column: 1, scope: !12)
