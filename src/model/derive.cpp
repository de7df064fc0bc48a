#include <rondo/model/system.hpp>

#include <rondo/expression/differentiate.hpp>

#include <cstddef>

namespace rondo::model {
namespace {

using expression::Entry;
using expression::Graph;
using expression::Input;
using expression::NodeId;
using expression::Program;

std::vector<NodeId> inputs(Graph& graph, Input kind, std::size_t n) {
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < n; ++i) {
        nodes.push_back(graph.input(kind, i));
    }
    return nodes;
}

/// All entries of a [rows x columns] matrix, column-major, zeros included.
std::vector<NodeId> dense(Graph& graph, const std::vector<Entry>& entries, std::size_t rows, std::size_t columns) {
    std::vector<NodeId> all(rows * columns, graph.constant(0.0));
    for (const Entry& entry : entries) {
        all[entry.column * rows + entry.row] = entry.value;
    }
    return all;
}

/// What linear combinations of `values` with the seeds lambda depend on: by state, then (added) by parameter.
Program adjoint_program(Graph& graph, const char* name, const std::vector<NodeId>& values,
                        const std::vector<NodeId>& lambda, const std::vector<NodeId>& wrt, std::size_t n_states) {
    return {.name = name, .outputs = vector_jacobian(graph, values, lambda, wrt), .first_added = n_states};
}

/// Values, then their directional derivatives along every sensitivity and its parameter.
Program tangent_program(Graph& graph, const char* name, const std::vector<NodeId>& values,
                        const std::vector<NodeId>& states, const std::vector<NodeId>& parameters) {
    return {.name = name,
            .outputs = values,
            .columns = parameters.size(),
            .matrix = jacobian(graph, values, states),
            .offsets = jacobian(graph, values, parameters)};
}

/// The product of a matrix [n x n] with seeds first, first + 1, ...
std::vector<NodeId> times_seeds(Graph& graph, const std::vector<Entry>& matrix, std::size_t n, std::size_t first) {
    std::vector<NodeId> product(n, graph.constant(0.0));
    for (const Entry& entry : matrix) {
        const NodeId term = graph.multiply(entry.value, graph.input(Input::seed, first + entry.column));
        product[entry.row] = graph.add(product[entry.row], term);
    }
    return product;
}

/// Values, then their derivatives one parameter after the other.
std::vector<NodeId> with_tangents(Graph& graph, const std::vector<NodeId>& values, const std::vector<NodeId>& wrt) {
    std::vector<NodeId> all = values;
    const auto tangents = dense(graph, jacobian(graph, values, wrt), values.size(), wrt.size());
    all.insert(all.end(), tangents.begin(), tangents.end());
    return all;
}

} // namespace

std::vector<Program> derive(System& system, std::span<const std::size_t> active) {
    Graph& graph = system.graph;
    const std::size_t n = system.states.size();
    const auto states = inputs(graph, Input::state, n);
    std::vector<NodeId> parameters;
    for (const std::size_t k : active) {
        parameters.push_back(graph.input(Input::parameter, k));
    }
    const auto lambda = inputs(graph, Input::seed, n);
    const auto weights = inputs(graph, Input::seed, system.outputs.size());
    std::vector<NodeId> states_and_parameters = states;
    states_and_parameters.insert(states_and_parameters.end(), parameters.begin(), parameters.end());

    const auto by_state = jacobian(graph, system.rates, states);
    std::vector<Program> programs;
    programs.push_back({.name = "rates", .outputs = system.rates});
    programs.push_back({.name = "jacobian", .outputs = dense(graph, by_state, n, n)});
    programs.push_back(tangent_program(graph, "tangent", system.rates, states, parameters));
    programs.push_back({.name = "adjoint_state", .outputs = vector_jacobian(graph, system.rates, lambda, states)});
    programs.push_back(
        {.name = "adjoint_parameter", .outputs = vector_jacobian(graph, system.rates, lambda, parameters)});
    programs.push_back({.name = "initial", .outputs = system.initial});
    programs.push_back({.name = "initial_tangent", .outputs = with_tangents(graph, system.initial, parameters)});
    programs.push_back({.name = "outputs", .outputs = system.outputs});
    programs.push_back(adjoint_program(graph, "outputs_adjoint", system.outputs, weights, states_and_parameters, n));
    programs.push_back({.name = "amounts", .outputs = system.amounts});
    programs.push_back({.name = "amounts_tangent", .outputs = with_tangents(graph, system.amounts, parameters)});

    const auto by_time = dense(graph, jacobian(graph, system.rates, inputs(graph, Input::time, 1)), n, 1);
    const auto after_sensitivities = times_seeds(graph, by_state, n, active.size() * n);
    const auto after_lambda = times_seeds(graph, by_state, n, n);
    programs.push_back(adjoint_program(graph, "adjoint", system.rates, lambda, states_and_parameters, n));
    programs.push_back({.name = "time_rates", .outputs = by_time});
    programs.push_back(tangent_program(graph, "time_tangent", by_time, states, parameters));
    programs.push_back(adjoint_program(graph, "time_adjoint", by_time, lambda, states_and_parameters, n));
    programs.push_back(tangent_program(graph, "second_tangent", after_sensitivities, states, parameters));
    programs.push_back(adjoint_program(graph, "second_adjoint", after_lambda, lambda, states_and_parameters, n));
    return programs;
}

} // namespace rondo::model
