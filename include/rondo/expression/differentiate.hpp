#pragma once

#include <rondo/expression/graph.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace rondo::expression {

/// An entry of a sparse matrix of expressions that is not identically zero.
struct Entry {
    std::size_t row = 0;
    std::size_t column = 0;
    NodeId value{};
};

/// The Jacobian of `outputs` with respect to the input nodes `wrt`, by forward propagation on the graph.
/// Only entries that are not identically zero, in column-major order.
///
/// Derivatives at kinks: abs and sign by sign(x) (0 at 0); min and max follow the chosen argument (the first at a tie);
/// comparisons, floor and ceil have derivative 0; select differentiates the branch it takes.
/// x^y with constant y never takes log(x), so x <= 0 is fine there; d(x^y)/dy is 0 where x <= 0.
///
/// Cost    one pass over the graph; a node costs as many terms as its derivatives that are not identically zero.
/// Tests   tests/expression/differentiate_test.cpp: closed forms, complex step, agreement with `vector_jacobian`.
[[nodiscard]] std::vector<Entry> jacobian(Graph& graph, std::span<const NodeId> outputs, std::span<const NodeId> wrt);

/// The vector-Jacobian product: for every input w in `wrt`, the sum over outputs o of seeds[o] * d outputs[o] / dw,
/// by one reverse sweep (cost a small multiple of the outputs themselves, whatever the size of `wrt`).
/// Kinks as in `jacobian`. Infinite derivatives in a branch that is not taken leave no trace.
///
/// Shapes  seeds [outputs.size()]; returns [wrt.size()], the constant 0 where nothing depends on the input.
/// Tests   tests/expression/differentiate_test.cpp
[[nodiscard]] std::vector<NodeId> vector_jacobian(Graph& graph, std::span<const NodeId> outputs,
                                                  std::span<const NodeId> seeds, std::span<const NodeId> wrt);

} // namespace rondo::expression
