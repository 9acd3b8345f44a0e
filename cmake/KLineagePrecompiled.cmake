# Upstream headers are most of the compile time: they are parsed once. Sources
# still include what they use; -DKLINEAGE_PCH=OFF shows where one does not.
option(KLINEAGE_PCH "Precompile the headers of MLIR" ON)
if(NOT KLINEAGE_PCH)
  return()
endif()
set(klineage_pch_source ${PROJECT_BINARY_DIR}/klineage-pch.cpp)
file(CONFIGURE OUTPUT ${klineage_pch_source} CONTENT "")
add_library(klineage-pch OBJECT ${klineage_pch_source})
target_precompile_headers(klineage-pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/Precompiled.h)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_compile_options(klineage-pch PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  # Without the path of the header, which is in the file anyway.
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -Xclang -include-pch -Xclang <PCH_FILE>)
  # The file has paths of this folder in it. By its sum, which ccache takes
  # instead, objects are shared between build folders.
  file(SHA256 ${PROJECT_SOURCE_DIR}/cmake/Precompiled.h klineage_pch_sum)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/CMakeFiles/klineage-pch.dir/cmake_pch.hxx.pch.sum
    CONTENT "${klineage_pch_sum} ${CMAKE_CXX_COMPILER_VERSION} ${LLVM_PACKAGE_VERSION}\n")
endif()
