# What every target of rondo shares: warnings, contracts, sanitizers, and one library a folder.

add_library(rondo_flags INTERFACE)
target_compile_features(rondo_flags INTERFACE cxx_std_20)
target_compile_options(rondo_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual -Wno-missing-field-initializers -fno-math-errno -ffp-contract=off
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> # g++ 12 is wrong about std::string + (GCC bug 105651)
  $<$<BOOL:${RONDO_WERROR}>:-Werror>
  $<$<BOOL:${RONDO_NATIVE}>:-march=native>)
target_compile_definitions(rondo_flags INTERFACE
  $<$<NOT:$<BOOL:${RONDO_CONTRACTS}>>:RONDO_NO_CONTRACTS>
  $<$<AND:$<BOOL:${RONDO_CONTRACTS}>,$<NOT:$<CONFIG:Release>>>:_GLIBCXX_ASSERTIONS>)
if(RONDO_SANITIZE)
  target_compile_options(rondo_flags INTERFACE -fsanitize=${RONDO_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(rondo_flags INTERFACE -fsanitize=${RONDO_SANITIZE})
endif()

# rondo_add_folder(name [DEPENDS folder...] [PUBLIC target...] [PRIVATE target...]): the library of one folder.
# DEPENDS is the list of folders it may include from; the layer test holds the same rule on the include lines.
function(rondo_add_folder name)
  cmake_parse_arguments(arg "" "" "DEPENDS;PUBLIC;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/rondo/${name}/*.hpp)
  add_library(rondo_${name} STATIC ${sources})
  add_library(rondo::${name} ALIAS rondo_${name})
  list(TRANSFORM arg_DEPENDS PREPEND rondo_)
  target_sources(rondo_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${headers})
  target_link_libraries(rondo_${name} PUBLIC ${arg_DEPENDS} ${arg_PUBLIC} PRIVATE $<BUILD_INTERFACE:rondo_flags> ${arg_PRIVATE})
  set_target_properties(rondo_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
endfunction()
