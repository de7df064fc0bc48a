#pragma once

#include "events.hpp"
#include "lane_set.hpp"
#include "lane_tape.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace rondo::solve {

/// Differentiates what LaneForward computed, step by step backward: the discrete adjoint. Each lane walks its steps in
/// reverse order, so that the gradient is that of the numbers the forward pass produced, up to rounding; step sizes
/// count as constants. Save points cost nothing but their weights.
///
/// Source  the reverse of an explicit Runge-Kutta step: Hager, "Runge-Kutta methods in optimal control and the
/// transformed
///         adjoint system", Numerische Mathematik 87, 2000.
/// Tests   tests/solve/lanes_test.cpp
class LaneBackward {
public:
    static constexpr std::size_t n_lanes = model::n_lanes;

    LaneBackward(const model::Model& model, const LaneMethod& method);

    /// Add to the rows of all solved trajectories on the tape what their points say of states.
    /// @param set  the one whose steps are on the tape
    void run(const LaneList& list, LaneTape& tape, LaneSet& set);

private:
    using Jump = LaneTape::Jump;

    void jump_back(std::size_t boundary);
    void undo(const Jump& jump);
    void release(std::size_t boundary, unsigned lanes);
    void step_back(std::size_t iteration);
    void replay(std::size_t first, std::size_t last, double* slot);
    void clear_lane(std::size_t lane);
    void undo_events(const Jump& jump, std::span<double> lambda);
    [[nodiscard]] const double* slot_of(std::size_t iteration);
    [[nodiscard]] LaneBack back(const double* time, const double* time_after, const double* h, const double* slot);

    const model::Model& model_;
    const LaneMethod& method_;
    std::size_t n_, m_;
    LaneArray lambda_, carry_, stages_, direct_, gradient_, scratch_;
    std::vector<double> state_, initial_, event_gradient_;
    EventRules events_;
    const LaneList* list_ = nullptr;
    LaneTape* tape_ = nullptr;
    LaneSet* set_ = nullptr;
    std::array<std::int64_t, n_lanes> n_steps_{};
};

} // namespace rondo::solve
