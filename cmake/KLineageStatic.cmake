# Static linking for the portable tool: everything but libc and libm.
#
# The exported MLIR archives name the shared libLLVM in their interfaces. It is
# replaced by the archives of the parts that the tool uses, with two targets:
# X86 (the simt executor's JIT) and NVPTX. No plugin can be loaded into such a
# tool: the plugin would bring a second copy of MLIR.

llvm_map_components_to_libnames(components
  analysis asmparser bitreader bitwriter codegen core executionengine
  frontendopenmp ipo irreader linker mc object orcjit passes support target
  targetparser transformutils
  nvptxcodegen nvptxdesc nvptxinfo x86asmparser x86codegen x86desc x86info)
add_library(KLineageLLVM INTERFACE)
target_link_libraries(KLineageLLVM INTERFACE ${components})

# klineage_replace_link(TARGET OLD NEW): in what an imported target passes on.
function(klineage_replace_link target old new)
  get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
  if(links)
    set(replaced)
    foreach(link ${links})
      if(link STREQUAL old OR link STREQUAL "$<LINK_ONLY:${old}>")
        set(link ${new})
      endif()
      list(APPEND replaced "${link}")
    endforeach()
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${replaced}")
  endif()
endfunction()

foreach(target ${MLIR_EXPORTED_TARGETS})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY" OR type STREQUAL "INTERFACE_LIBRARY")
    klineage_replace_link(${target} LLVM KLineageLLVM)
  endif()
endforeach()
foreach(target ${LLVM_AVAILABLE_LIBS})
  if(TARGET ${target} AND TARGET zstd::libzstd_static)
    klineage_replace_link(${target} zstd::libzstd_shared zstd::libzstd_static)
  endif()
endforeach()

# All dialects and conversions are offered to the linker; it takes the members
# that the registration code asks for.
set(archives)
foreach(kind DIALECT CONVERSION EXTENSION TRANSLATION)
  get_property(some GLOBAL PROPERTY MLIR_${kind}_LIBS)
  list(APPEND archives ${some})
endforeach()
list(FILTER archives EXCLUDE REGEX "Test")
target_link_libraries(KLineageMLIR INTERFACE MLIROptLib ${archives} KLineageLLVM)

# No identical-code folding: "all" folds functions whose addresses are compared,
# and Debian's archives carry no address table for "safe".
add_link_options(-static-libstdc++ -static-libgcc
  -Wl,--gc-sections -Wl,--as-needed -Wl,-s)
