#pragma once

#include "forward.hpp"

namespace rondo::solve {

/// Integrates the adjoint of trajectories backward over a forward solution. With lambda(t) = dL/dx(t):
///   d lambda/dt = -(df/dx)^T lambda between stops; lambda += gx at points; the events' rules at events;
///   dL/dp = sum gp + integral lambda^T df/dp dt + (dx0/dp)^T lambda(t0) + what the events say.
/// Both are error controlled: rtol, and atol times the largest |gx| (so that the result scales with the loss), for the
/// integral of parameter k over |p_k|.
class Backward {
public:
    Backward(const model::Model& model, const Setting& setting);

    /// @param forward   has just solved the same case with Purpose::adjoint
    /// @param gradient  [m] holds sum gp; added to
    [[nodiscard]] Verdict solve(const Case& task, Forward& forward, std::int64_t steps_taken,
                                std::span<double> gradient);

private:
    [[nodiscard]] bool travel(std::size_t segment, double from, double to);

    std::size_t n_, m_;
    const Field* field_ = nullptr;
    Record* record_ = nullptr;
    AdjointProblem problem_;
    Integrator integrator_;
    EventRules events_;
    std::vector<double> atol_, integral_atol_, scales_, initial_;
    const Case* task_ = nullptr;
    std::int64_t steps_left_ = 0;
    Verdict verdict_;
};

} // namespace rondo::solve
