# rondo_add_model(name source...): a model in C++ as the shared object lib<name>.so, for a job's `library = "..."`.
# One of the sources includes <rondo/model/functor.hpp> and has the line RONDO_MODEL(Functor).
function(rondo_add_model name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE rondo::model_headers)
  set_target_properties(${name} PROPERTIES
    PREFIX lib SUFFIX .so CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()
