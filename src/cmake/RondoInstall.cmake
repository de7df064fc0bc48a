# What `cmake --install` puts where: the program, the headers a model in C++ is written with, the jobs with their data, and a
# CMake package that gives `rondo::model_headers` and `rondo_add_model`. A model needs no library of rondo's.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(rondo_model_headers INTERFACE)
add_library(rondo::model_headers ALIAS rondo_model_headers)
target_sources(rondo_model_headers INTERFACE FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES
  ${PROJECT_SOURCE_DIR}/include/rondo/expression/graph.hpp
  ${PROJECT_SOURCE_DIR}/include/rondo/model/abi.hpp
  ${PROJECT_SOURCE_DIR}/include/rondo/model/functor.hpp
  ${PROJECT_SOURCE_DIR}/include/rondo/model/traced.hpp)
target_compile_features(rondo_model_headers INTERFACE cxx_std_20)
set_target_properties(rondo_model_headers PROPERTIES EXPORT_NAME model_headers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rondo)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/rondo-config.cmake.in ${PROJECT_BINARY_DIR}/rondo-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rondo-config-version.cmake COMPATIBILITY SameMinorVersion)

set_target_properties(rondo PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS rondo RUNTIME)
install(TARGETS rondo_model_headers EXPORT rondo-targets FILE_SET HEADERS)
install(EXPORT rondo-targets NAMESPACE rondo:: DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/rondo-config.cmake ${PROJECT_BINARY_DIR}/rondo-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/RondoAddModel.cmake DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/jobs ${PROJECT_SOURCE_DIR}/data DESTINATION ${CMAKE_INSTALL_DATADIR}/rondo
        USE_SOURCE_PERMISSIONS PATTERN "*.run" EXCLUDE PATTERN "build" EXCLUDE PATTERN "start.sh" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
