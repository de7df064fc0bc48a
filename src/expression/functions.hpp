#pragma once

#include <rondo/expression/parse.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::expression {

/// A function that may be called in an expression.
struct Function {
    std::string_view name;
    std::string_view usage; ///< for errors
    std::size_t n_least = 1;
    std::size_t n_most = 1;
    bool is_random = false;
    NodeId (*build)(Graph& graph, Scope& scope, std::span<const NodeId> arguments) = nullptr;
};

/// The function of this name, or null.
[[nodiscard]] const Function* find_function(std::string_view name);

/// Names of all functions, those of random numbers only where they are allowed.
[[nodiscard]] std::vector<std::string> function_names(bool allows_random);

} // namespace rondo::expression
