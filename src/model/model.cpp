#include <rondo/model/model.hpp>

#include <rondo/base/cast.hpp>
#include <rondo/base/contract.hpp>
#include <rondo/expression/compile.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace rondo::model {
namespace {

bool is_autonomous(const System& system) {
    return std::none_of(system.rates.begin(), system.rates.end(), [&](expression::NodeId rate) {
        return expression::depends_on(system.graph, rate, expression::Input::time);
    });
}

std::vector<std::size_t> output_parameters(const System& system, std::span<const std::size_t> active) {
    const auto needed = expression::reachable(system.graph, system.outputs);
    std::vector<bool> used(system.parameters.size(), false);
    for (std::size_t id = 0; id < needed.size(); ++id) {
        const expression::Node& node = system.graph.node(expression::NodeId{narrow<std::uint32_t>(id)});
        if (needed[id] && node.op == expression::Op::input && node.input == expression::Input::parameter) {
            used[node.index] = true;
        }
    }
    std::vector<std::size_t> numbers;
    for (std::size_t k = 0; k < active.size(); ++k) {
        if (used[active[k]]) {
            numbers.push_back(k);
        }
    }
    return numbers;
}

} // namespace

std::string kernel_source(const System& system, std::span<const expression::Program> programs) {
    constexpr std::array<int, 2> widths{1, n_lanes};
    return expression::generate_source(system.graph, programs, widths);
}

Kernels interpreted_kernels(const System& system, std::span<const expression::Program> programs) {
    return {expression::interpret(system.graph, programs, 1), expression::interpret(system.graph, programs, n_lanes),
            "interpreted"};
}

Kernels loaded_kernels(std::span<const std::byte> object, std::size_t n_programs) {
    return {expression::load(object, n_programs, 1), expression::load(object, n_programs, n_lanes), "compiled"};
}

Model make_model(const System& system, const LossSpec& loss, std::span<const std::size_t> active, Kernels kernels) {
    expects(kernels.single != nullptr && kernels.single->width() == 1, "a model is given kernels of width 1");
    expects(kernels.lanes != nullptr && kernels.lanes->width() == n_lanes, "a model is given kernels for lanes");
    return {.states = system.states,
            .parameters = system.parameters,
            .covariates = system.covariates,
            .observables = system.observables,
            .active = {active.begin(), active.end()},
            .n_amounts = system.amounts.size(),
            .loss = loss.kind,
            .delta = loss.delta,
            .sigma_from_data = system.sigma_from_data,
            .autonomous = is_autonomous(system),
            .output_parameters = output_parameters(system, active),
            .module = std::move(kernels.single),
            .lanes = std::move(kernels.lanes),
            .backend = std::move(kernels.backend)};
}

Model interpreted_model(const Spec& spec, std::span<const std::size_t> active) {
    System system = build_system(spec);
    const auto programs = derive(system, active);
    return make_model(system, spec.loss, active, interpreted_kernels(system, programs));
}

} // namespace rondo::model
