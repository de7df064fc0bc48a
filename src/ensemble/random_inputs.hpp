#pragma once

#include <rondo/expression/graph.hpp>

#include <span>
#include <vector>

namespace rondo::ensemble {

/// Outputs whose random numbers are read from the array `seed`, which kernels can be given; `kinds[k]` (uniform or
/// normal) says what belongs into seed[k], and is `time` where slot k is not used.
struct WithoutRandom {
    expression::Graph graph;
    std::vector<expression::NodeId> outputs;
    std::vector<expression::Input> kinds;
};

[[nodiscard]] WithoutRandom replace_random_inputs(const expression::Graph& graph,
                                                  std::span<const expression::NodeId> outputs, std::size_t n_random);

} // namespace rondo::ensemble
