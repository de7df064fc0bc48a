#pragma once

#include <rondo/expression/graph.hpp>

#include <optional>

namespace rondo::expression {

/// A simpler node equal to `op` of these arguments for all finite numbers (up to the sign of zero), if one is known.
[[nodiscard]] std::optional<NodeId> simplify(Graph& graph, Op op, NodeId a);
[[nodiscard]] std::optional<NodeId> simplify(Graph& graph, Op op, NodeId a, NodeId b);
[[nodiscard]] std::optional<NodeId> simplify_select(Graph& graph, NodeId condition, NodeId then, NodeId otherwise);

} // namespace rondo::expression
