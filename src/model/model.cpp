#include <rondo/model/model.hpp>

#include <rondo/base/contract.hpp>

#include <array>
#include <utility>

namespace rondo::model {

std::string kernel_source(const System& system, std::span<const expression::Program> programs) {
    constexpr std::array<int, 1> widths{1};
    return expression::generate_source(system.graph, programs, widths);
}

Model make_model(const System& system, const LossSpec& loss, std::span<const std::size_t> active,
                 std::shared_ptr<const expression::Module> module, std::string backend) {
    expects(module != nullptr && module->width() == 1, "a model is given kernels of width 1");
    return {.states = system.states,
            .parameters = system.parameters,
            .covariates = system.covariates,
            .observables = system.observables,
            .active = {active.begin(), active.end()},
            .n_amounts = system.amounts.size(),
            .loss = loss.kind,
            .delta = loss.delta,
            .sigma_from_data = system.sigma_from_data,
            .module = std::move(module),
            .backend = std::move(backend)};
}

Model interpreted_model(const Spec& spec, std::span<const std::size_t> active) {
    System system = build_system(spec);
    const auto programs = derive(system, active);
    return make_model(system, spec.loss, active, expression::interpret(system.graph, programs, 1), "interpreted");
}

} // namespace rondo::model
