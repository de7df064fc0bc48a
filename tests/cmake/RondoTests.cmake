# How tests are declared.

# Environment of every mpirun test: root is allowed (containers), more ranks than cores yield, nothing is bound, one host.
set(RONDO_MPI_ENVIRONMENT
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_tcp_if_include=lo
  OMPI_MCA_oob_tcp_if_include=lo ASAN_OPTIONS=detect_leaks=0)

# rondo_add_tests(folder [LINK target...] [RANKS 1 2 3 4] [TIMEOUT s]): all tests/<folder>/*_test.cpp as one binary.
# Without RANKS every case is a ctest of its own; with RANKS the whole binary runs once at each count, under mpirun,
# with the MPI main of tests/support. The target serial_tests builds those without RANKS, which carry the label `serial`.
function(rondo_add_tests folder)
  cmake_parse_arguments(arg "" "TIMEOUT;NAME" "LINK;RANKS;SOURCES" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  if(NOT arg_NAME)
    set(arg_NAME ${folder})
  endif()
  if(NOT arg_SOURCES)
    file(GLOB arg_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp)
  endif()
  set(target rondo_test_${arg_NAME})
  add_executable(${target} ${arg_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${target} PRIVATE
    RONDO_SHARED_DATA="${PROJECT_SOURCE_DIR}/../shared/data" RONDO_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(arg_RANKS)
    target_link_libraries(${target} PRIVATE rondo_flags ${arg_LINK} rondo_mpi_main GTest::gtest GTest::gmock)
    foreach(ranks ${arg_RANKS})
      add_test(NAME ${arg_NAME}.ranks_${ranks} COMMAND ${MPIEXEC_EXECUTABLE} -n ${ranks} $<TARGET_FILE:${target}>)
      set_tests_properties(${arg_NAME}.ranks_${ranks} PROPERTIES
        TIMEOUT ${arg_TIMEOUT} PROCESSORS ${ranks} ENVIRONMENT "${RONDO_MPI_ENVIRONMENT}" LABELS mpi)
    endforeach()
  else()
    target_link_libraries(${target} PRIVATE rondo_flags ${arg_LINK} GTest::gtest_main GTest::gmock)
    add_dependencies(serial_tests ${target})
    gtest_discover_tests(${target} TEST_PREFIX ${arg_NAME}. DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                         PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS serial)
  endif()
endfunction()
