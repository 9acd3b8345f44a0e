# klineage_add_library(NAME sources... LINK libraries...)
# One folder, one library. Every library waits for all generated headers, which
# keeps parallel builds correct without per-library bookkeeping.
function(klineage_add_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(KLineage::${name} ALIAS ${name})
  klineage_use_precompiled(${name})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:include>)
  target_link_libraries(${name} PUBLIC ${ARG_LINK} KLineageMLIR)
  add_dependencies(${name} klineage-headers)
  set_property(GLOBAL APPEND PROPERTY KLINEAGE_LIBS ${name})
endfunction()

# Executables have -fPIC like the libraries, or they could not share the headers.
function(klineage_use_precompiled name)
  if(TARGET klineage-pch)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIC)
    target_precompile_headers(${name} REUSE_FROM klineage-pch)
  endif()
endfunction()

# klineage_tablegen(SOURCE.td output generator... ): one generated file, in the
# binary folder that mirrors include/KLineage.
macro(klineage_tablegen output)
  mlir_tablegen(${output} ${ARGN})
endmacro()

# klineage_add_unittest(NAME sources... LINK libraries...): one GoogleTest binary, one ctest.
function(klineage_add_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  klineage_use_precompiled(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main)
  add_dependencies(${name} klineage-headers)
  add_test(NAME unit-${name} COMMAND ${name})
endfunction()
