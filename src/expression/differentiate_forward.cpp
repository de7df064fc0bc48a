#include <rondo/expression/differentiate.hpp>

#include "partial.hpp"

#include <rondo/base/contract.hpp>

#include <algorithm>

namespace rondo::expression {
namespace {

/// A derivative that is not identically zero, with respect to input number `column`.
struct Slope {
    std::size_t column = 0;
    NodeId value{};
};

/// The derivatives of one node, columns ascending.
using Tangent = std::vector<Slope>;

std::size_t position(NodeId id) { return static_cast<std::size_t>(id); }

/// join(a, b) for every column of either; an absent entry is the node 0. Zeros are dropped.
template <class Join>
Tangent merge(Graph& graph, const Tangent& a, const Tangent& b, const Join& join) {
    const NodeId zero = graph.constant(0);
    Tangent merged;
    merged.reserve(a.size() + b.size());
    for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
        const bool use_a = j == b.size() || (i < a.size() && a[i].column <= b[j].column);
        const bool use_b = i == a.size() || (j < b.size() && b[j].column <= a[i].column);
        const std::size_t column = use_a ? a[i].column : b[j].column;
        const NodeId value = join(use_a ? a[i].value : zero, use_b ? b[j].value : zero);
        if (!graph.is_constant(value, 0)) {
            merged.push_back({column, value});
        }
        i += use_a ? 1U : 0U;
        j += use_b ? 1U : 0U;
    }
    return merged;
}

Tangent scaled(Graph& graph, NodeId factor, const Tangent& tangent) {
    Tangent product;
    product.reserve(tangent.size());
    for (const Slope& slope : tangent) {
        const NodeId value = graph.multiply(factor, slope.value);
        if (!graph.is_constant(value, 0)) {
            product.push_back({slope.column, value});
        }
    }
    return product;
}

/// The chain rule at node `id`.
Tangent propagate(Graph& graph, NodeId id, const std::vector<Tangent>& tangents) {
    const Node node = graph.node(id);
    const auto of_argument = [&](int k) -> const Tangent& { return tangents[position(node.argument[k])]; };
    const int n_arguments = arity(node.op);
    if (std::all_of(node.argument, node.argument + n_arguments,
                    [&](NodeId a) { return tangents[position(a)].empty(); })) {
        return {};
    }
    if (is_choice(node.op)) {
        const Choice chosen = choice(graph, id);
        return merge(graph, of_argument(chosen.then), of_argument(chosen.otherwise),
                     [&](NodeId a, NodeId b) { return graph.select(chosen.condition, a, b); });
    }
    Tangent sum;
    for (int k = 0; k < n_arguments; ++k) {
        if (!of_argument(k).empty()) {
            Tangent term = scaled(graph, partial(graph, id, k), of_argument(k));
            sum = sum.empty() ? std::move(term)
                              : merge(graph, sum, term, [&](NodeId a, NodeId b) { return graph.add(a, b); });
        }
    }
    return sum;
}

/// How many nodes and outputs read each node: when none is left, its tangent can go.
std::vector<std::size_t> count_readers(const Graph& graph, const std::vector<bool>& needed,
                                       std::span<const NodeId> outputs) {
    std::vector<std::size_t> readers(needed.size(), 0);
    for (const NodeId output : outputs) {
        ++readers[position(output)];
    }
    for (std::size_t i = 0; i < needed.size(); ++i) {
        const Node& node = graph.node(NodeId{static_cast<std::uint32_t>(i)});
        for (int k = 0; needed[i] && k < arity(node.op); ++k) {
            ++readers[position(node.argument[k])];
        }
    }
    return readers;
}

} // namespace

std::vector<Entry> jacobian(Graph& graph, std::span<const NodeId> outputs, std::span<const NodeId> wrt) {
    const std::vector<bool> needed = reachable(graph, outputs);
    std::vector<std::size_t> readers = count_readers(graph, needed, outputs);
    std::vector<Tangent> tangents(needed.size());
    const NodeId one = graph.constant(1);
    for (std::size_t column = 0; column < wrt.size(); ++column) {
        expects(graph.node(wrt[column]).op == Op::input, "derivatives are taken with respect to inputs");
        tangents[position(wrt[column])].push_back({column, one});
    }
    for (std::size_t i = 0; i < needed.size(); ++i) {
        const NodeId id{static_cast<std::uint32_t>(i)};
        const Node node = graph.node(id);
        if (!needed[i] || arity(node.op) == 0) {
            continue;
        }
        tangents[i] = propagate(graph, id, tangents);
        for (int k = 0; k < arity(node.op); ++k) {
            if (--readers[position(node.argument[k])] == 0) {
                tangents[position(node.argument[k])] = {};
            }
        }
    }
    std::vector<Entry> entries;
    for (std::size_t row = 0; row < outputs.size(); ++row) {
        for (const Slope& slope : tangents[position(outputs[row])]) {
            entries.push_back({row, slope.column, slope.value});
        }
    }
    std::ranges::stable_sort(entries, {}, &Entry::column);
    return entries;
}

} // namespace rondo::expression
