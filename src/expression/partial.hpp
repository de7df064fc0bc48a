#pragma once

#include <rondo/expression/graph.hpp>

namespace rondo::expression {

/// The derivative of node `id` with respect to its argument number `k`, where it is one number times the argument's
/// change: every operation but those that choose an argument (see `choice`). Constant 0 where it is zero everywhere.
[[nodiscard]] NodeId partial(Graph& graph, NodeId id, int k);

/// How a node passes on one of two arguments.
struct Choice {
    NodeId condition{}; ///< 1 or 0
    int then = 0;       ///< argument that is passed on where it holds
    int otherwise = 0;  ///< argument that is passed on elsewhere
};

/// True for select, minimum and maximum.
[[nodiscard]] bool is_choice(Op op);

/// Which argument `id` (a choice) passes on.
[[nodiscard]] Choice choice(Graph& graph, NodeId id);

} // namespace rondo::expression
