#include <rondo/expression/graph.hpp>

#include "apply.hpp"
#include "identities.hpp"

#include <rondo/base/cast.hpp>
#include <rondo/base/contract.hpp>

#include <bit>
#include <utility>

namespace rondo::expression {
namespace {

/// Exactly commutative in floating point, signed zeros included.
bool is_commutative(Op op) {
    return op == Op::add || op == Op::multiply || op == Op::equal || op == Op::not_equal || op == Op::logical_and ||
           op == Op::logical_or;
}

Node operation(Op op, NodeId a, NodeId b = {}, NodeId c = {}) {
    Node node;
    node.op = op;
    node.argument[0] = a;
    node.argument[1] = b;
    node.argument[2] = c;
    return node;
}

/// The finaliser of splitmix64.
std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
}

} // namespace

bool operator==(const Node& a, const Node& b) {
    return a.op == b.op && a.input == b.input && a.index == b.index && a.argument[0] == b.argument[0] &&
           a.argument[1] == b.argument[1] && a.argument[2] == b.argument[2] &&
           std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
}

int arity(Op op) {
    switch (op) {
    case Op::constant:
    case Op::input:
        return 0;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::minimum:
    case Op::maximum:
    case Op::less:
    case Op::less_equal:
    case Op::equal:
    case Op::not_equal:
    case Op::logical_and:
    case Op::logical_or:
        return 2;
    case Op::select:
        return 3;
    default:
        return 1;
    }
}

std::size_t Graph::Hash::operator()(const Node& node) const noexcept {
    const auto word = [](auto value) { return static_cast<std::uint64_t>(value); };
    std::uint64_t h = mix(word(node.op) | (word(node.input) << 8U) | (word(node.index) << 32U));
    h = mix(h ^ (word(node.argument[0]) | (word(node.argument[1]) << 32U)));
    return mix(h + word(node.argument[2]) + std::bit_cast<std::uint64_t>(node.value));
}

NodeId Graph::intern(const Node& node) {
    const NodeId next{narrow<std::uint32_t>(nodes_.size())};
    const auto [place, is_new] = ids_.try_emplace(node, next);
    if (is_new) {
        nodes_.push_back(node);
    }
    return place->second;
}

NodeId Graph::constant(double value) {
    Node node;
    node.value = value;
    return intern(node);
}

NodeId Graph::input(Input kind, std::size_t index) {
    Node node;
    node.op = Op::input;
    node.input = kind;
    node.index = narrow<std::uint32_t>(index);
    return intern(node);
}

NodeId Graph::unary(Op op, NodeId a) {
    expects(arity(op) == 1, "the operation takes one argument");
    const Node x = node(a);
    if (x.op == Op::constant) {
        return constant(apply(op, x.value));
    }
    const auto simpler = simplify(*this, op, a);
    return simpler ? *simpler : intern(operation(op, a));
}

NodeId Graph::binary(Op op, NodeId a, NodeId b) {
    expects(arity(op) == 2, "the operation takes two arguments");
    const Node x = node(a), y = node(b);
    if (x.op == Op::constant && y.op == Op::constant) {
        return constant(apply(op, x.value, y.value));
    }
    if (is_commutative(op) && b < a) {
        std::swap(a, b);
    }
    const auto simpler = simplify(*this, op, a, b);
    return simpler ? *simpler : intern(operation(op, a, b));
}

NodeId Graph::select(NodeId condition, NodeId then, NodeId otherwise) {
    const auto simpler = simplify_select(*this, condition, then, otherwise);
    return simpler ? *simpler : intern(operation(Op::select, condition, then, otherwise));
}

bool Graph::is_constant(NodeId id, double value) const {
    const Node& n = node(id);
    return n.op == Op::constant && n.value == value;
}

std::vector<bool> reachable(const Graph& graph, std::span<const NodeId> outputs) {
    std::vector<bool> needed(graph.size(), false);
    for (const NodeId output : outputs) {
        needed[static_cast<std::size_t>(output)] = true;
    }
    for (std::size_t i = graph.size(); i-- > 0;) {
        if (needed[i]) {
            const Node& node = graph.node(NodeId{static_cast<std::uint32_t>(i)});
            for (int k = 0; k < arity(node.op); ++k) {
                needed[static_cast<std::size_t>(node.argument[k])] = true;
            }
        }
    }
    return needed;
}

bool depends_on(const Graph& graph, NodeId output, Input kind) {
    const std::vector<bool> needed = reachable(graph, std::span{&output, 1});
    for (std::size_t i = 0; i < needed.size(); ++i) {
        const Node& node = graph.node(NodeId{static_cast<std::uint32_t>(i)});
        if (needed[i] && node.op == Op::input && node.input == kind) {
            return true;
        }
    }
    return false;
}

} // namespace rondo::expression
