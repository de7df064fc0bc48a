#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace rondo::expression {

/// Operations of a graph node. Comparisons and logic give 1 or 0; `select` takes (condition, then, otherwise).
enum class Op : std::uint8_t {
    constant, input,
    add, subtract, multiply, divide, negate, power,
    minimum, maximum, absolute, sign,
    square_root, exp, log, log10, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh,
    expm1, log1p, floor, ceil,
    less, less_equal, equal, not_equal, logical_and, logical_or, logical_not,
    select
};

/// What an input node reads. `seed` is the vector a product is taken with (sensitivity, adjoint or weight);
/// `uniform` and `normal` are random numbers, which only ensemble covariates may use.
enum class Input : std::uint8_t { time, state, parameter, covariate, seed, uniform, normal };

/// A node of one Graph. Equal nodes have equal ids (shared subterms by construction).
enum class NodeId : std::uint32_t {};

/// One operation with at most three arguments; `value` for constants, (`input`, `index`) for inputs.
struct Node {
    Op op = Op::constant;
    Input input = Input::time;
    std::uint32_t index = 0;
    NodeId argument[3] = {};
    double value = 0;

    friend bool operator==(const Node&, const Node&);
};

/// Number of arguments `op` takes: 0 to 3.
[[nodiscard]] int arity(Op op);

/// A directed acyclic graph of operations. Nodes are only added; arguments precede the nodes that use them, so ascending
/// ids are an order of evaluation. Every builder folds constants, applies identities that hold for all finite numbers
/// (x + 0, x * 1, x * 0 = 0, --x, x^1, x^2 = x*x) and returns the existing node where there is one.
///
/// Tests   tests/expression/graph_test.cpp
class Graph {
public:
    NodeId constant(double value);
    NodeId input(Input kind, std::size_t index = 0);
    NodeId unary(Op op, NodeId a);
    NodeId binary(Op op, NodeId a, NodeId b);
    NodeId select(NodeId condition, NodeId then, NodeId otherwise);

    NodeId add(NodeId a, NodeId b) { return binary(Op::add, a, b); }
    NodeId subtract(NodeId a, NodeId b) { return binary(Op::subtract, a, b); }
    NodeId multiply(NodeId a, NodeId b) { return binary(Op::multiply, a, b); }
    NodeId divide(NodeId a, NodeId b) { return binary(Op::divide, a, b); }
    NodeId negate(NodeId a) { return unary(Op::negate, a); }

    [[nodiscard]] const Node& node(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] bool is_constant(NodeId id, double value) const;

private:
    NodeId intern(const Node& node);

    struct Hash {
        std::size_t operator()(const Node& node) const noexcept;
    };
    std::vector<Node> nodes_;
    std::unordered_map<Node, NodeId, Hash> ids_;
};

/// True for each node (indexed by id) that some output needs.
[[nodiscard]] std::vector<bool> reachable(const Graph& graph, std::span<const NodeId> outputs);

/// True where `output` depends on an input of this kind.
[[nodiscard]] bool depends_on(const Graph& graph, NodeId output, Input kind);

} // namespace rondo::expression
