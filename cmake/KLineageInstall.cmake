# `cmake --install`: tool, plugin, libraries, headers (generated ones, too), .td
# files, skills, and a package for find_package(KLineage). Only a build that uses
# the shared MLIR is installed: its consumers link the same two libraries.
if(KLINEAGE_STATIC OR KLINEAGE_SANITIZE)
  return()
endif()
include(CMakePackageConfigHelpers)
set(package lib/cmake/KLineage)

get_property(libraries GLOBAL PROPERTY KLINEAGE_LIBS)
install(TARGETS ${libraries} KLineageMLIR EXPORT KLineageTargets ARCHIVE DESTINATION lib)
install(EXPORT KLineageTargets NAMESPACE KLineage:: DESTINATION ${package})
install(DIRECTORY include/KLineage ${PROJECT_BINARY_DIR}/include/KLineage
  DESTINATION include
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc" PATTERN "CMakeFiles" EXCLUDE)
install(DIRECTORY skills skills_approximate DESTINATION share/klineage)

configure_package_config_file(cmake/KLineageConfig.cmake.in
  ${PROJECT_BINARY_DIR}/KLineageConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/KLineageConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/KLineageConfig.cmake
  ${PROJECT_BINARY_DIR}/KLineageConfigVersion.cmake DESTINATION ${package})
