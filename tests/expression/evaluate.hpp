#pragma once

#include <rondo/expression/graph.hpp>

#include <expression/apply.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace rondo::expression {

/// What the inputs of a graph are, by kind and index.
using Inputs = std::map<std::pair<Input, std::uint32_t>, double>;

/// The value of `output`, node by node: the reference for kernels and derivatives.
/// Scalar is double, or any type with an `apply` of its own.
template <class Scalar = double>
Scalar evaluate(const Graph& graph, NodeId output, const std::map<std::pair<Input, std::uint32_t>, Scalar>& inputs) {
    const std::vector<bool> needed = reachable(graph, std::array{output});
    std::vector<Scalar> values(needed.size());
    for (std::size_t i = 0; i < needed.size(); ++i) {
        const Node& node = graph.node(NodeId{static_cast<std::uint32_t>(i)});
        const auto argument = [&](int k) { return values[static_cast<std::size_t>(node.argument[k])]; };
        if (!needed[i]) {
            continue;
        }
        if (node.op == Op::input) {
            values[i] = inputs.at({node.input, node.index});
        } else {
            values[i] =
                node.op == Op::constant ? Scalar{node.value} : apply(node.op, argument(0), argument(1), argument(2));
        }
    }
    return values[static_cast<std::size_t>(output)];
}

/// True if both are NaN, or they differ by at most `tolerance` times max(1, |expected|).
inline bool is_near(double value, double expected, double tolerance) {
    return (std::isnan(value) && std::isnan(expected)) || value == expected ||
           std::fabs(value - expected) <= tolerance * std::fmax(1, std::fabs(expected));
}

} // namespace rondo::expression
