#pragma once

#include <rondo/expression/graph.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace rondo::expression {

/// The local name of a node in generated code.
[[nodiscard]] std::string name_of(NodeId id);

/// The name of the array that an input is read from, as in Arguments.
[[nodiscard]] std::string_view array_name(Input input);

/// The expression that computes a node from its arguments' names, with the functions of the lane prelude.
[[nodiscard]] std::string definition(const Node& node, std::size_t width);

} // namespace rondo::expression
