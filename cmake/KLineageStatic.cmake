# Static linking for the portable tool. Filled by klineage_static_libraries().
message(FATAL_ERROR "KLINEAGE_STATIC is configured in cmake/KLineageStatic.cmake")
