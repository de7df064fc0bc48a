#pragma once

#include <rondo/ensemble/ensemble.hpp>
#include <rondo/model/model.hpp>
#include <rondo/solve/options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace rondo::solve {

/// How much is computed for each trajectory; each includes those before it.
enum class Want : std::uint8_t { loss, gradient, curvature };

/// What a solve reads.
struct Request {
    const model::Model* model = nullptr;
    const ensemble::Ensemble* ensemble = nullptr;
    double initial_time = 0;
    std::span<const double> parameters; ///< [P] natural values of all parameters
    Want want = Want::loss;
};

/// What became of one trajectory. Counts are over all attempts and, for the adjoint, both directions.
struct Outcome {
    bool solved = false;
    int attempts = 0;
    Method method = Method::automatic;  ///< of the last attempt
    std::int64_t n_steps = 0;
    std::int64_t n_rhs = 0;             ///< right-hand sides (an augmented or adjoint one counts as one): the cost
    double time_reached = 0;            ///< how far the last attempt came
    double wall_s = 0;
    std::string reason;                 ///< empty if solved; else the integrator's flag and what it means
};

/// Number of doubles a trajectory's row has: loss; gradient [m]; upper triangle of the curvature by rows [m (m + 1) / 2].
[[nodiscard]] std::size_t row_size(Want want, std::size_t n_active);

/// An engine with its solver state. Not reentrant: one a thread. Solves trajectories of one model.
class Engine {
public:
    virtual ~Engine() = default;

    /// Solve trajectories, each exactly as if it were alone: no number depends on the others or on their order.
    ///
    /// @param trajectories  [k] positions in the ensemble
    /// @param outcomes      [k]
    /// @param rows          [k x row_size] loss, gradient, curvature with respect to the natural values of the active
    ///                      parameters; a failed trajectory's row is all zeros, its outcome says so
    /// @param predictions   nullptr, or for each trajectory in turn its [T x 2 O] model outputs at its times: a row holds
    ///                      the O observables, then their O sigmas (NaN after the time reached by a failed one)
    /// Ranks   local: makes no MPI call
    /// @throws InputError or ContractError only for reasons that are the same on every rank; a trajectory that cannot be
    ///         solved is an outcome, not an exception
    virtual void solve(const Request& request, std::span<const std::int64_t> trajectories, std::span<Outcome> outcomes,
                       std::span<double> rows, double* predictions) = 0;
};

/// What `automatic` means for this model and these options: a pure function, the same on every rank.
[[nodiscard]] Options resolve(const Options& options, const model::Model& model, const ensemble::Ensemble& ensemble);

/// Make the engine that (resolved) options ask for.
[[nodiscard]] std::unique_ptr<Engine> make_engine(const Options& options, const model::Model& model);

} // namespace rondo::solve
