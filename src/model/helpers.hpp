#pragma once

#include <rondo/expression/graph.hpp>
#include <rondo/expression/parse.hpp>
#include <rondo/model/spec.hpp>

#include <vector>

namespace rondo::model {

/// Parse named helper expressions, which may use each other in any order, and put them into the scope.
/// @throws InputError  a text does not parse, or helpers use each other in a circle (the circle is named)
void add_helpers(expression::Graph& graph, expression::Scope& scope, const std::vector<Definition>& helpers);

} // namespace rondo::model
