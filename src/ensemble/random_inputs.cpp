#include "random_inputs.hpp"

#include <rondo/base/contract.hpp>

#include <cstddef>

namespace rondo::ensemble {
namespace {

using expression::Graph;
using expression::Input;
using expression::Node;
using expression::NodeId;
using expression::Op;

NodeId copy_input(const Node& node, WithoutRandom& copy) {
    if (node.input == Input::uniform || node.input == Input::normal) {
        expects(node.index < copy.kinds.size(), "a random number of the scope");
        copy.kinds[node.index] = node.input;
        return copy.graph.input(Input::seed, node.index);
    }
    return copy.graph.input(node.input, node.index);
}

NodeId copy_node(const Node& node, std::span<const NodeId> copied, WithoutRandom& copy) {
    const auto argument = [&](int k) { return copied[static_cast<std::size_t>(node.argument[k])]; };
    switch (expression::arity(node.op)) {
    case 0:
        return node.op == Op::constant ? copy.graph.constant(node.value) : copy_input(node, copy);
    case 1:
        return copy.graph.unary(node.op, argument(0));
    case 2:
        return copy.graph.binary(node.op, argument(0), argument(1));
    default:
        return copy.graph.select(argument(0), argument(1), argument(2));
    }
}

} // namespace

WithoutRandom replace_random_inputs(const Graph& graph, std::span<const NodeId> outputs, std::size_t n_random) {
    const std::vector<bool> needed = expression::reachable(graph, outputs);
    WithoutRandom copy;
    copy.kinds.assign(n_random, Input::time);
    std::vector<NodeId> copied(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) { // arguments come before the nodes that use them
        if (needed[i]) {
            copied[i] = copy_node(graph.node(NodeId{static_cast<std::uint32_t>(i)}), copied, copy);
        }
    }
    for (const NodeId output : outputs) {
        copy.outputs.push_back(copied[static_cast<std::size_t>(output)]);
    }
    return copy;
}

} // namespace rondo::ensemble
