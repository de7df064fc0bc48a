#pragma once

#include <rondo/expression/program.hpp>
#include <rondo/model/system.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace rondo::model {

/// What one trajectory obeys, ready to be evaluated: names, sizes, loss, and kernels for one trajectory at a time.
/// A value: copies share the kernels' code. Evaluation is reentrant.
struct Model {
    std::vector<std::string> states, parameters, covariates, observables;
    std::vector<std::size_t> active; ///< indices of the m parameters with derivatives, increasing
    std::size_t n_amounts = 0;
    LossKind loss = LossKind::squared;
    double delta = 1.0;
    bool sigma_from_data = false;
    std::shared_ptr<const expression::Module> module; ///< width 1
    std::string backend;                              ///< "compiled" or "interpreted"

    [[nodiscard]] std::size_t n_states() const { return states.size(); }
    [[nodiscard]] std::size_t n_active() const { return active.size(); }
    [[nodiscard]] std::size_t n_observables() const { return observables.size(); }
    [[nodiscard]] expression::Kernel kernel(KernelKind kind) const { return module->kernel(static_cast<std::size_t>(kind)); }
};

/// Source of the model's kernels for the compiler; see expression::generate_source.
[[nodiscard]] std::string kernel_source(const System& system, std::span<const expression::Program> programs);

/// Put names and kernels together. `module` holds the programs of `derive` in their order.
[[nodiscard]] Model make_model(const System& system, const LossSpec& loss, std::span<const std::size_t> active,
                               std::shared_ptr<const expression::Module> module, std::string backend);

/// The model with interpreted kernels: no compiler needed. For tests, and where there is none.
[[nodiscard]] Model interpreted_model(const Spec& spec, std::span<const std::size_t> active);

} // namespace rondo::model
