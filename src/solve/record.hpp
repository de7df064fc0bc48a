#pragma once

#include "integrator.hpp"

#include <cstddef>
#include <vector>

namespace rondo::solve {

/// The forward solution at all times, for the way back: each step's interpolating polynomial as CVODES has it.
/// So the adjoint sees the very values that the loss saw, and no step is taken twice.
///
/// Tests   tests/solve/record_test.cpp
class Record {
public:
    /// Bytes that one trajectory's record may take, unless said otherwise.
    static constexpr std::size_t default_budget = std::size_t{256} << 20U;

    explicit Record(std::size_t budget_bytes = default_budget) : budget_bytes_{budget_bytes} {}

    void clear(std::size_t n_states);

    /// Steps that follow belong to a new segment: the state may have jumped.
    void begin_segment();
    /// Keep the last step of an integrator.
    /// @return false where the budget is used up
    [[nodiscard]] bool add(Integrator& integrator);

    [[nodiscard]] std::size_t n_segments() const { return segments_.size(); }

    /// Make `at` read this segment.
    void enter(std::size_t segment);
    /// The state at a time of the entered segment (a little outside it, the nearest step's polynomial). [n]
    void at(double t, double* x);

private:
    struct Step {
        double end; ///< its last time
        double h;   ///< its length
        std::size_t first, order;
    };
    struct Segment {
        std::size_t first, last; ///< steps [first, last)
    };

    std::size_t budget_bytes_;
    std::size_t n_ = 0;
    std::vector<Segment> segments_;
    std::vector<Step> steps_;
    std::vector<double> coefficients_;
    std::size_t segment_ = 0, step_ = 0; ///< where `at` looks first
};

} // namespace rondo::solve
