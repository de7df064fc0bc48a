#include "model/absorption.hpp"

namespace rondo::model {
namespace {

struct Doubled : Absorbed {
    static constexpr const char* observables[] = {"level", "level"};
};

} // namespace
} // namespace rondo::model

RONDO_MODEL(rondo::model::Doubled)
