#pragma once

#include <cstddef>
#include <cstdint>

/// What the shared object of a model in C++ hands to rondo: plain C data, so that the object needs nothing of rondo's
/// library and neither side depends on the other's compiler.
namespace rondo::model::abi {

/// Raised when the layout below or the numbers of expression::Op and expression::Input change.
inline constexpr std::uint32_t version = 1;

/// One node of the traced graph; arguments are positions of earlier nodes.
struct TracedNode {
    std::uint8_t op;
    std::uint8_t input;
    std::uint32_t index;
    std::uint32_t argument[3];
    double value;
};

/// Names, as an array of C strings.
struct Names {
    const char* const* names;
    std::size_t n;
};

/// Positions of nodes.
struct Positions {
    const std::uint32_t* nodes;
    std::size_t n;
};

struct TracedModel {
    std::uint32_t version;
    Names states, parameters, covariates, observables;
    const TracedNode* nodes;
    std::size_t n_nodes;
    Positions rates, initial, observed;
};

/// Name of the one function that the shared object exports: `const TracedModel* rondo_model()`.
inline constexpr const char* entry_point = "rondo_model";

} // namespace rondo::model::abi
