#pragma once

#include <rondo/expression/program.hpp>
#include <rondo/model/system.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rondo::model {

/// Trajectories side by side in the kernels of the vectorised engines, on every machine: the compiler makes of eight
/// doubles one register (AVX-512), two (AVX2) or four (SSE2, NEON).
inline constexpr int n_lanes = 8;

/// What one trajectory obeys, ready to be evaluated: names, sizes, loss, and kernels for one trajectory and for lanes.
/// A value: copies share the kernels' code. Evaluation is reentrant.
struct Model {
    std::vector<std::string> states, parameters, covariates, observables;
    std::vector<std::size_t> active; ///< indices of the m parameters with derivatives, increasing
    std::size_t n_amounts = 0;
    LossKind loss = LossKind::squared;
    double delta = 1.0;
    bool sigma_from_data = false;
    bool autonomous = false;                    ///< rates do not depend on time
    std::vector<std::size_t> output_parameters; ///< numbers k (0 .. m - 1) of the active parameters outputs depend on
    std::shared_ptr<const expression::Module> module; ///< width 1
    std::shared_ptr<const expression::Module> lanes;  ///< width n_lanes
    std::string backend;                              ///< "compiled" or "interpreted"

    [[nodiscard]] std::size_t n_states() const { return states.size(); }
    [[nodiscard]] std::size_t n_active() const { return active.size(); }
    [[nodiscard]] std::size_t n_observables() const { return observables.size(); }
    [[nodiscard]] expression::Kernel kernel(KernelKind kind) const {
        return module->kernel(static_cast<std::size_t>(kind));
    }
    [[nodiscard]] expression::Kernel lane_kernel(KernelKind kind) const {
        return lanes->kernel(static_cast<std::size_t>(kind));
    }
};

/// Source of the model's kernels for the compiler; see expression::generate_source.
[[nodiscard]] std::string kernel_source(const System& system, std::span<const expression::Program> programs);

/// The programs of `derive` in their order, for one trajectory and for lanes.
struct Kernels {
    std::shared_ptr<const expression::Module> single; ///< width 1
    std::shared_ptr<const expression::Module> lanes;  ///< width n_lanes
    std::string backend;                              ///< "compiled" or "interpreted"
};

/// Kernels that need no compiler.
[[nodiscard]] Kernels interpreted_kernels(const System& system, std::span<const expression::Program> programs);

/// Kernels from an object that was compiled from `kernel_source`.
/// @throws StoreError  the object cannot be loaded
[[nodiscard]] Kernels loaded_kernels(std::span<const std::byte> object, std::size_t n_programs);

/// Put names and kernels together.
[[nodiscard]] Model make_model(const System& system, const LossSpec& loss, std::span<const std::size_t> active,
                               Kernels kernels);

/// The model with interpreted kernels: no compiler needed. For tests, and where there is none.
[[nodiscard]] Model interpreted_model(const Spec& spec, std::span<const std::size_t> active);

} // namespace rondo::model
