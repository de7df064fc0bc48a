#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::optimise {

/// The enum value whose name stands at its own index in `names`.
template <class Enum>
[[nodiscard]] std::optional<Enum> value_named(const std::vector<std::string>& names, std::string_view name) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) {
            return static_cast<Enum>(i);
        }
    }
    return std::nullopt;
}

} // namespace rondo::optimise
