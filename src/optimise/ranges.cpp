#include "ranges.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

namespace rondo::optimise {

void require(bool holds, const std::string& where, std::string_view key, double value, std::string_view allowed,
             std::string_view advice) {
    if (!holds) {
        throw InputError{fmt::format("{}: {} = {} is out of range (allowed: {}); {}", where, key, number_text(value),
                                     allowed, advice)};
    }
}

} // namespace rondo::optimise
