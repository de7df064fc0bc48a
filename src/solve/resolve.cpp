#include <rondo/solve/engine.hpp>

#include <cmath>
#include <cstddef>

namespace rondo::solve {
namespace {

/// Mean number of different times a trajectory has.
double mean_times(const ensemble::Ensemble& ensemble) {
    std::size_t count = 0;
    for (std::int64_t i = 0; i < ensemble.size(); ++i) {
        const auto times = ensemble.trajectory(i).times;
        for (std::size_t row = 0; row < times.size(); ++row) {
            count += row == 0 || times[row] != times[row - 1] ? 1 : 0;
        }
    }
    return ensemble.size() > 0 ? static_cast<double>(count) / static_cast<double>(ensemble.size()) : 0.0;
}

/// True where the adjoint is expected to take less than half the time of the augmented system.
///
/// In microseconds a step, as measured for n = 2 .. 40 states, m = 6 .. 200 parameters and T = 1 .. 100 times (BDF): a
/// step of the augmented system costs 0.5 + 0.015 n (1 + m); one with the adjoint 1 + 0.01 (n + m), and there are 1 +
/// 0.7 sqrt(T) times as many of them, because each time restarts the way back. Half, because forward sensitivities meet
/// the tolerances one by one, which the adjoint's gradient does not.
bool prefers_adjoint(double n, double m, double n_times) {
    const double augmented = 0.5 + 0.015 * n * (1.0 + m);
    const double adjoint = (1.0 + 0.01 * (n + m)) * (1.0 + 0.7 * std::sqrt(n_times));
    return augmented > 2.0 * adjoint;
}

} // namespace

Options resolve(const Options& options, const model::Model& model, const ensemble::Ensemble& ensemble) {
    Options resolved = options;
    if (resolved.engine == EngineKind::automatic) {
        resolved.engine = EngineKind::single;
    }
    if (resolved.method == Method::automatic) {
        resolved.method = Method::bdf;
    }
    if (resolved.sensitivity == Sensitivity::automatic) {
        const bool adjoint = prefers_adjoint(static_cast<double>(model.n_states()),
                                             static_cast<double>(model.n_active()), mean_times(ensemble));
        resolved.sensitivity = adjoint ? Sensitivity::adjoint : Sensitivity::forward;
    }
    return resolved;
}

} // namespace rondo::solve
