#include "identities.hpp"

#include <cmath>

namespace rondo::expression {
namespace {

using Simpler = std::optional<NodeId>;

Op op_of(const Graph& graph, NodeId id) { return graph.node(id).op; }
NodeId first(const Graph& graph, NodeId id) { return graph.node(id).argument[0]; }
NodeId second(const Graph& graph, NodeId id) { return graph.node(id).argument[1]; }
bool is_negated(const Graph& graph, NodeId id) { return op_of(graph, id) == Op::negate; }

/// Values are 0 and 1 only.
bool is_truth(const Graph& graph, NodeId id) {
    const Op op = op_of(graph, id);
    return graph.is_constant(id, 0) || graph.is_constant(id, 1) || (op >= Op::less && op <= Op::logical_not);
}

NodeId as_truth(Graph& graph, NodeId a) {
    return is_truth(graph, a) ? a : graph.binary(Op::not_equal, a, graph.constant(0));
}

bool are_opposite(const Graph& graph, NodeId a, NodeId b) {
    return (op_of(graph, a) == Op::logical_not && first(graph, a) == b) ||
           (op_of(graph, b) == Op::logical_not && first(graph, b) == a);
}

Simpler simplify_negate(Graph& graph, NodeId a) {
    if (is_negated(graph, a)) {
        return first(graph, a);
    }
    if (op_of(graph, a) == Op::subtract) {
        return graph.subtract(second(graph, a), first(graph, a));
    }
    return std::nullopt;
}

Simpler simplify_add(Graph& graph, NodeId a, NodeId b) {
    if (graph.is_constant(a, 0)) {
        return b;
    }
    if (graph.is_constant(b, 0)) {
        return a;
    }
    if (is_negated(graph, b)) {
        return graph.subtract(a, first(graph, b));
    }
    if (is_negated(graph, a)) {
        return graph.subtract(b, first(graph, a));
    }
    return std::nullopt;
}

Simpler simplify_subtract(Graph& graph, NodeId a, NodeId b) {
    if (a == b) {
        return graph.constant(0);
    }
    if (graph.is_constant(b, 0)) {
        return a;
    }
    if (graph.is_constant(a, 0)) {
        return graph.negate(b);
    }
    if (is_negated(graph, b)) {
        return graph.add(a, first(graph, b));
    }
    if (is_negated(graph, a)) {
        return graph.negate(graph.add(first(graph, a), b));
    }
    return std::nullopt;
}

/// `b` is the argument that may be a constant or a negation.
Simpler simplify_product(Graph& graph, NodeId a, NodeId b) {
    if (graph.is_constant(b, 0)) {
        return graph.constant(0);
    }
    if (graph.is_constant(b, 1)) {
        return a;
    }
    if (graph.is_constant(b, -1)) {
        return graph.negate(a);
    }
    if (is_negated(graph, b) && op_of(graph, a) == Op::constant) {
        return graph.multiply(graph.negate(a), first(graph, b));
    }
    if (is_negated(graph, b)) {
        return graph.negate(graph.multiply(a, first(graph, b)));
    }
    return std::nullopt;
}

Simpler simplify_divide(Graph& graph, NodeId a, NodeId b) {
    if (graph.is_constant(a, 0)) {
        return graph.constant(0);
    }
    if (graph.is_constant(b, 1)) {
        return a;
    }
    if (graph.is_constant(b, -1)) {
        return graph.negate(a);
    }
    if (is_negated(graph, a)) {
        return graph.negate(graph.divide(first(graph, a), b));
    }
    if (is_negated(graph, b) && op_of(graph, a) == Op::constant) {
        return graph.divide(graph.negate(a), first(graph, b));
    }
    if (is_negated(graph, b)) {
        return graph.negate(graph.divide(a, first(graph, b)));
    }
    return std::nullopt;
}

/// Small whole exponents as products, -n as 1 / x^n, one half as a root.
Simpler simplify_power(Graph& graph, NodeId x, NodeId exponent) {
    if (graph.is_constant(x, 1)) {
        return x;
    }
    const Node y = graph.node(exponent);
    if (y.op != Op::constant) {
        return std::nullopt;
    }
    if (y.value == 0) {
        return graph.constant(1);
    }
    if (y.value == 0.5) {
        return graph.unary(Op::square_root, x);
    }
    constexpr double largest = 4;
    if (std::fabs(y.value) > largest || y.value != std::floor(y.value)) {
        return std::nullopt;
    }
    const double n = std::fabs(y.value);
    const NodeId square = n > 1 ? graph.multiply(x, x) : x;
    const NodeId product = n == 3 ? graph.multiply(square, x) : (n == 4 ? graph.multiply(square, square) : square);
    return y.value > 0 ? product : graph.divide(graph.constant(1), product);
}

Simpler simplify_logic(Graph& graph, Op op, NodeId a, NodeId b) {
    const bool is_and = op == Op::logical_and;
    if (a == b) {
        return as_truth(graph, a);
    }
    if (are_opposite(graph, a, b)) {
        return graph.constant(is_and ? 0 : 1);
    }
    for (const auto& [known, other] : {std::pair{a, b}, std::pair{b, a}}) {
        if (op_of(graph, known) == Op::constant) {
            const bool holds = !graph.is_constant(known, 0);
            return holds == is_and ? as_truth(graph, other) : graph.constant(is_and ? 0 : 1);
        }
    }
    return std::nullopt;
}

} // namespace

Simpler simplify(Graph& graph, Op op, NodeId a) {
    if (op == Op::negate) {
        return simplify_negate(graph, a);
    }
    if (op == Op::absolute && is_negated(graph, a)) {
        return graph.unary(Op::absolute, first(graph, a));
    }
    if (op == Op::logical_not && op_of(graph, a) == Op::logical_not) {
        return as_truth(graph, first(graph, a));
    }
    return std::nullopt;
}

Simpler simplify(Graph& graph, Op op, NodeId a, NodeId b) {
    switch (op) {
    case Op::add:
        return simplify_add(graph, a, b);
    case Op::subtract:
        return simplify_subtract(graph, a, b);
    case Op::multiply: {
        const Simpler simpler = simplify_product(graph, a, b);
        return simpler ? simpler : simplify_product(graph, b, a);
    }
    case Op::divide:
        return simplify_divide(graph, a, b);
    case Op::power:
        return simplify_power(graph, a, b);
    case Op::minimum:
    case Op::maximum:
        return a == b ? Simpler{a} : std::nullopt;
    case Op::logical_and:
    case Op::logical_or:
        return simplify_logic(graph, op, a, b);
    default:
        return std::nullopt;
    }
}

Simpler simplify_select(Graph& graph, NodeId condition, NodeId then, NodeId otherwise) {
    if (op_of(graph, condition) == Op::constant) {
        return graph.is_constant(condition, 0) ? otherwise : then;
    }
    if (then == otherwise) {
        return then;
    }
    if (op_of(graph, condition) == Op::logical_not) {
        return graph.select(first(graph, condition), otherwise, then);
    }
    return std::nullopt;
}

} // namespace rondo::expression
