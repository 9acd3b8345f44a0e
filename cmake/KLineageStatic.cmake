# Static linking for the portable tool (preset `portable`).
#
# Every archive of LLVM and MLIR is named and lld takes the members that are
# referenced, in whatever order; no target of LLVM's export set is used, because
# each MLIRFoo target pulls in the shared libLLVM beside its archive. What
# registers itself in a constructor alone is not linked: registration is by
# explicit calls (lib/Register, the NVPTX and X86 initializers).
if(NOT CMAKE_EXE_LINKER_FLAGS MATCHES "fuse-ld=lld")
  message(FATAL_ERROR "KLINEAGE_STATIC needs lld (-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld): "
    "other linkers want the archives in order")
endif()

file(GLOB KLINEAGE_ARCHIVES CONFIGURE_DEPENDS
  ${LLVM_LIBRARY_DIRS}/libMLIR*.a ${LLVM_LIBRARY_DIRS}/libLLVM*.a)
if(NOT KLINEAGE_ARCHIVES)
  message(FATAL_ERROR "no static archives of LLVM and MLIR in ${LLVM_LIBRARY_DIRS}")
endif()

find_library(KLINEAGE_ZSTD NAMES libzstd.a)
find_library(KLINEAGE_ZLIB NAMES libz.a)
foreach(library ZSTD ZLIB)
  if(NOT KLINEAGE_${library})
    message(FATAL_ERROR "KLINEAGE_STATIC needs the static ${library}: install libzstd-dev and zlib1g-dev")
  endif()
endforeach()

add_compile_options(-ffunction-sections -fdata-sections)
target_link_libraries(KLineageMLIR INTERFACE
  ${KLINEAGE_ARCHIVES} ${KLINEAGE_ZSTD} ${KLINEAGE_ZLIB} pthread dl m)
target_link_options(KLineageMLIR INTERFACE
  -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,--as-needed -Wl,-s)
