# Finds LLVM/MLIR 22.1 and sets what every target of the project inherits.
# Debian installs it under /usr/lib/llvm-22; any other prefix is given by MLIR_DIR.
if(NOT MLIR_DIR AND EXISTS /usr/lib/llvm-22/lib/cmake/mlir)
  set(MLIR_DIR /usr/lib/llvm-22/lib/cmake/mlir)
endif()
if(KLINEAGE_STATIC)
  set(ZLIB_USE_STATIC_LIBS ON)
endif()
find_package(MLIR 22.1 CONFIG)
if(NOT MLIR_FOUND)
  message(FATAL_ERROR "KLineage needs LLVM and MLIR 22.1: run scripts/setup.sh "
    "(Debian 12 with the security suite), or pass -DMLIR_DIR=<prefix>/lib/cmake/mlir")
endif()
message(STATUS "Using MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
# Debian's package names a lit that it does not ship.
set(LLVM_EXTERNAL_LIT "${LLVM_TOOLS_BINARY_DIR}/lit" CACHE FILEPATH "lit")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# Before any mlir_tablegen call: it reads the directory property.
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
include_directories(${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
separate_arguments(KLINEAGE_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${KLINEAGE_LLVM_DEFINITIONS})

# MLIR headers of a build without assertions do not link against code that was
# compiled with them (TransformDialectExtension), whatever our build type is.
add_compile_definitions(NDEBUG)
if(NOT LLVM_ENABLE_RTTI)
  add_compile_options(-fno-rtti)
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers)
if(KLINEAGE_WERROR)
  add_compile_options(-Werror)
endif()
if(KLINEAGE_SANITIZE)
  add_compile_options(-fsanitize=${KLINEAGE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${KLINEAGE_SANITIZE})
  if(KLINEAGE_SANITIZE MATCHES undefined)
    # vptr needs the type information of libMLIR's own, uninstrumented classes;
    # functions of a driver that dlsym finds have no types that could agree.
    add_compile_options(-fno-sanitize=vptr,function)
  endif()
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1 ${CCACHE_PROGRAM})
endif()

# All MLIR code of the project links the two shared libraries and nothing else:
# one static MLIR archive beside them gives two copies of each TypeID.
add_library(KLineageMLIR INTERFACE)
if(KLINEAGE_STATIC)
  include(KLineageStatic)
else()
  target_link_libraries(KLineageMLIR INTERFACE MLIR LLVM)
endif()
if(KLINEAGE_SANITIZE MATCHES address)
  # A source, not an archive: the runtime has a weak definition of its own.
  target_sources(KLineageMLIR INTERFACE ${CMAKE_CURRENT_LIST_DIR}/SanitizerOptions.cpp)
endif()
