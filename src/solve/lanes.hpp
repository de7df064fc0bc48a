#pragma once

#include "lane_backward.hpp"
#include "lane_forward.hpp"
#include "single.hpp"

#include <memory>

namespace rondo::solve {

/// Eight trajectories side by side, one in each SIMD lane, by a one-step method: explicit (Tsit5) or Rosenbrock
/// (Rodas5P). A trajectory's bits depend neither on its neighbours nor on the lane it sits in. One that fails is solved
/// alone by `Single`, on the rungs of the ladder that follow.
///
/// With Method::automatic each trajectory begins with Tsit5 and goes to Rodas5P when it shows itself stiff.
///
/// Tests   tests/solve/lanes_test.cpp
class Lanes final : public Engine {
public:
    Lanes(const Options& options, const model::Model& model, std::size_t tape_budget_bytes = default_budget);
    void solve(const Request& request, std::span<const std::int64_t> trajectories, std::span<Outcome> outcomes,
               std::span<double> rows, double* predictions) override;

    /// Bytes of a thread's tape of states; the adjoint recomputes what does not fit.
    static constexpr std::size_t default_budget = std::size_t{2} << 20U;

private:
    using Purpose = LaneForward::Purpose;

    /// Forward and, where the gradient is the adjoint's, backward.
    struct Solver {
        std::unique_ptr<LaneForward> forward;
        std::unique_ptr<LaneBackward> backward;
    };
    void solve_by(Method method, Purpose purpose, const LaneList& list);
    [[nodiscard]] Solver& solver(Method method, Purpose purpose);
    void solve_alone(const LaneList& list, std::size_t which);

    Options options_;
    const model::Model& model_;
    std::size_t budget_bytes_;
    std::array<std::array<Solver, 3>, 2> solvers_; ///< by method and purpose
    std::unique_ptr<Single> single_;
};

} // namespace rondo::solve
