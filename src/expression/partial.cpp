#include "partial.hpp"

#include <rondo/base/contract.hpp>

#include <numbers>

namespace rondo::expression {
namespace {

NodeId square(Graph& graph, NodeId x) { return graph.multiply(x, x); }
NodeId inverse(Graph& graph, NodeId x) { return graph.divide(graph.constant(1), x); }

/// 1 / sqrt(1 - x^2)
NodeId arcsine_slope(Graph& graph, NodeId x) {
    return inverse(graph, graph.unary(Op::square_root, graph.subtract(graph.constant(1), square(graph, x))));
}

/// d(x^y)/dy = x^y log(x), and 0 where x <= 0 (the limit at x = 0 for y > 0).
NodeId exponent_slope(Graph& graph, NodeId x, NodeId power) {
    const NodeId zero = graph.constant(0);
    return graph.select(graph.binary(Op::less, zero, x), graph.multiply(power, graph.unary(Op::log, x)), zero);
}

} // namespace

NodeId partial(Graph& graph, NodeId id, int k) {
    const Node node = graph.node(id);
    const NodeId x = node.argument[0], y = node.argument[1], one = graph.constant(1);
    switch (node.op) {
    case Op::add:
        return one;
    case Op::subtract:
        return k == 0 ? one : graph.constant(-1);
    case Op::multiply:
        return k == 0 ? y : x;
    case Op::divide:
        return k == 0 ? inverse(graph, y) : graph.negate(graph.divide(id, y));
    case Op::negate:
        return graph.constant(-1);
    case Op::power:
        return k == 1 ? exponent_slope(graph, x, id)
                      : graph.multiply(y, graph.binary(Op::power, x, graph.subtract(y, one)));
    case Op::absolute:
        return graph.unary(Op::sign, x);
    case Op::square_root:
        return graph.divide(graph.constant(0.5), id);
    case Op::exp:
        return id;
    case Op::log:
        return inverse(graph, x);
    case Op::log10:
        return graph.divide(graph.constant(1 / std::numbers::ln10), x);
    case Op::sin:
        return graph.unary(Op::cos, x);
    case Op::cos:
        return graph.negate(graph.unary(Op::sin, x));
    case Op::tan:
        return graph.add(one, square(graph, id));
    case Op::asin:
        return arcsine_slope(graph, x);
    case Op::acos:
        return graph.negate(arcsine_slope(graph, x));
    case Op::atan:
        return inverse(graph, graph.add(one, square(graph, x)));
    case Op::sinh:
        return graph.unary(Op::cosh, x);
    case Op::cosh:
        return graph.unary(Op::sinh, x);
    case Op::tanh:
        return graph.subtract(one, square(graph, id));
    case Op::expm1:
        return graph.unary(Op::exp, x);
    case Op::log1p:
        return inverse(graph, graph.add(one, x));
    case Op::sign:
    case Op::floor:
    case Op::ceil:
    case Op::less:
    case Op::less_equal:
    case Op::equal:
    case Op::not_equal:
    case Op::logical_and:
    case Op::logical_or:
    case Op::logical_not:
        return graph.constant(0);
    case Op::constant:
    case Op::input:
    case Op::minimum:
    case Op::maximum:
    case Op::select:
        break;
    }
    expects(false, "the operation has a partial derivative");
    return graph.constant(0);
}

bool is_choice(Op op) { return op == Op::select || op == Op::minimum || op == Op::maximum; }

Choice choice(Graph& graph, NodeId id) {
    const Node node = graph.node(id);
    const NodeId a = node.argument[0], b = node.argument[1];
    if (node.op == Op::minimum) {
        return {graph.binary(Op::less, b, a), 1, 0};
    }
    if (node.op == Op::maximum) {
        return {graph.binary(Op::less, a, b), 1, 0};
    }
    expects(node.op == Op::select, "the operation chooses an argument");
    return {graph.binary(Op::logical_or, a, graph.constant(0)), 1, 2};
}

} // namespace rondo::expression
