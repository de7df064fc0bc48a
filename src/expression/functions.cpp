#include "functions.hpp"

namespace rondo::expression {
namespace {

using Nodes = std::span<const NodeId>;

template <Op op>
NodeId unary(Graph& graph, Scope&, Nodes a) {
    return graph.unary(op, a[0]);
}

template <Op op>
NodeId fold(Graph& graph, Scope&, Nodes a) {
    NodeId result = a[0];
    for (const NodeId next : a.subspan(1)) {
        result = graph.binary(op, result, next);
    }
    return result;
}

NodeId condition(Graph& graph, Scope&, Nodes a) { return graph.select(a[0], a[1], a[2]); }

/// (1 + tanh(x / width)) / 2
NodeId smooth_step(Graph& graph, Scope&, Nodes a) {
    const NodeId tanh = graph.unary(Op::tanh, graph.divide(a[0], a[1]));
    return graph.multiply(graph.constant(0.5), graph.add(graph.constant(1), tanh));
}

/// low + (high - low) U
NodeId uniform(Graph& graph, Scope& scope, Nodes a) {
    const NodeId u = graph.input(Input::uniform, scope.n_random++);
    return graph.add(a[0], graph.multiply(graph.subtract(a[1], a[0]), u));
}

/// mean + sd Z
NodeId normal(Graph& graph, Scope& scope, Nodes a) {
    const NodeId z = graph.input(Input::normal, scope.n_random++);
    return graph.add(a[0], graph.multiply(a[1], z));
}

NodeId lognormal(Graph& graph, Scope& scope, Nodes a) { return graph.unary(Op::exp, normal(graph, scope, a)); }

constexpr std::size_t any_number = static_cast<std::size_t>(-1);

constexpr Function functions[] = {
    {"exp", "exp(x)", 1, 1, false, unary<Op::exp>},
    {"log", "log(x)", 1, 1, false, unary<Op::log>},
    {"log10", "log10(x)", 1, 1, false, unary<Op::log10>},
    {"sqrt", "sqrt(x)", 1, 1, false, unary<Op::square_root>},
    {"sin", "sin(x)", 1, 1, false, unary<Op::sin>},
    {"cos", "cos(x)", 1, 1, false, unary<Op::cos>},
    {"tan", "tan(x)", 1, 1, false, unary<Op::tan>},
    {"asin", "asin(x)", 1, 1, false, unary<Op::asin>},
    {"acos", "acos(x)", 1, 1, false, unary<Op::acos>},
    {"atan", "atan(x)", 1, 1, false, unary<Op::atan>},
    {"sinh", "sinh(x)", 1, 1, false, unary<Op::sinh>},
    {"cosh", "cosh(x)", 1, 1, false, unary<Op::cosh>},
    {"tanh", "tanh(x)", 1, 1, false, unary<Op::tanh>},
    {"abs", "abs(x)", 1, 1, false, unary<Op::absolute>},
    {"sign", "sign(x)", 1, 1, false, unary<Op::sign>},
    {"floor", "floor(x)", 1, 1, false, unary<Op::floor>},
    {"ceil", "ceil(x)", 1, 1, false, unary<Op::ceil>},
    {"expm1", "expm1(x)", 1, 1, false, unary<Op::expm1>},
    {"log1p", "log1p(x)", 1, 1, false, unary<Op::log1p>},
    {"min", "min(a, b, ...)", 2, any_number, false, fold<Op::minimum>},
    {"max", "max(a, b, ...)", 2, any_number, false, fold<Op::maximum>},
    {"pow", "pow(x, y)", 2, 2, false, fold<Op::power>},
    {"if", "if(condition, a, b)", 3, 3, false, condition},
    {"step", "step(x, width)", 2, 2, false, smooth_step},
    {"uniform", "uniform(low, high)", 2, 2, true, uniform},
    {"normal", "normal(mean, sd)", 2, 2, true, normal},
    {"lognormal", "lognormal(mu, sigma)", 2, 2, true, lognormal},
};

} // namespace

const Function* find_function(std::string_view name) {
    for (const Function& function : functions) {
        if (function.name == name) {
            return &function;
        }
    }
    return nullptr;
}

std::vector<std::string> function_names(bool allows_random) {
    std::vector<std::string> names;
    for (const Function& function : functions) {
        if (allows_random || !function.is_random) {
            names.emplace_back(function.name);
        }
    }
    return names;
}

bool is_reserved(std::string_view name) {
    return find_function(name) != nullptr || name == "t" || name == "index" || name == "and" || name == "or" ||
           name == "not";
}

} // namespace rondo::expression
