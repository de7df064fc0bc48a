#include "methods.hpp"

namespace rondo::solve::RONDO_ISA {

#define RONDO_TEXT(name) #name
#define RONDO_TEXT_OF(name) RONDO_TEXT(name)

/// What core.cpp chooses among.
extern const Core table;
constinit const Core table = {RONDO_TEXT_OF(RONDO_ISA), &tsit5, &rodas5p};

} // namespace rondo::solve::RONDO_ISA
