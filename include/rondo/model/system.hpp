#pragma once

#include <rondo/expression/graph.hpp>
#include <rondo/expression/program.hpp>
#include <rondo/model/spec.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace rondo::model {

/// A model as one expression graph:
///   dx/dt = rates(t, x, p, c),   x(t0) = initial(p, c),   outputs(t, x, p, c) = [h_1 .. h_O, sigma_1 .. sigma_O],
/// with states x [n], parameters p [P], covariates c [C] (`index` is c_0) and event amounts a(t, p, c) [E].
/// sigma_i is the constant 1 where the loss has no noise expression (none needed, or the data's column is used).
struct System {
    expression::Graph graph;
    std::vector<std::string> states, parameters, covariates, observables;
    std::vector<expression::NodeId> rates, initial, outputs, amounts;
    bool sigma_from_data = false; ///< the loss needs sigma and no expression gives it
};

/// The names a C++ model library declares.
struct LibraryNames {
    std::vector<std::string> states, parameters, covariates, observables;
};

/// Ask a model library for its names, before the job that uses it is complete.
/// @throws InputError  as build_system for libraries
[[nodiscard]] LibraryNames library_names(const std::filesystem::path& file, const std::string& where);

/// Build the graph of a model given as text or as a C++ library.
/// @throws InputError  a name is reserved, doubled, unknown or missing; a text does not parse; `initial` uses a state or t;
///                     an amount uses a state; the library cannot be used
/// Tests   tests/model/system_test.cpp
[[nodiscard]] System build_system(const Spec& spec);

/// The kernels a model has, in the order of the programs that `derive` makes. m = number of active parameters.
enum class KernelKind : std::size_t {
    rates,           ///< out [n]: f
    jacobian,        ///< out [n * n], column-major: df_i/dx_j at [j * n + i]
    tangent,         ///< seed s [m * n]; out [(1 + m) * n]: f, then (df/dx) s_k + df/dp_k
    adjoint_state,   ///< seed lambda [n]; out [n]: (df/dx)^T lambda
    adjoint_parameter, ///< seed lambda [n]; out [m]: (df/dp)^T lambda
    initial,         ///< out [n]: x(t0)
    initial_tangent, ///< out [(1 + m) * n]: x(t0), then dx(t0)/dp_k
    outputs,         ///< out [2 O]
    outputs_adjoint, ///< seed w [2 O]; out [n + m]: set to (d outputs/dx)^T w, added (d outputs/dp)^T w
    amounts,         ///< out [E]
    amounts_tangent, ///< out [(1 + m) * E]: a, then da/dp_k
    adjoint,         ///< seed lambda [n]; out [n + m]: set to (df/dx)^T lambda, added (df/dp)^T lambda
    time_rates,      ///< out [n]: g = df/dt
    time_tangent,    ///< seed s [m * n]; out [(1 + m) * n]: g, then (dg/dx) s_k + dg/dp_k
    time_adjoint,    ///< seed lambda [n]; out [n + m]: set to (dg/dx)^T lambda, added (dg/dp)^T lambda
    second_tangent,  ///< seed s [m * n], u [n]; out [(1 + m) * n]: q = (df/dx) u, then (dq/dx) s_k + dq/dp_k
    second_adjoint,  ///< seed lambda [n], u [n]; out [n + m]: set to (dq/dx)^T lambda, added (dq/dp)^T lambda
};
inline constexpr std::size_t n_kernel_kinds = 17;

/// The programs of all kernels, derivatives taken on the graph with respect to the states and the active parameters.
/// @param active  indices of the parameters that derivatives are taken for, increasing
[[nodiscard]] std::vector<expression::Program> derive(System& system, std::span<const std::size_t> active);

} // namespace rondo::model
