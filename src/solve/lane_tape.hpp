#pragma once

#include "aligned.hpp"
#include "core/core.hpp"
#include "timeline.hpp"

#include <rondo/model/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rondo::solve {

/// What the way back needs of the way forward: each iteration's step in all lanes, the save points within it, and where
/// lanes jumped from one state (or trajectory) to another. Memory is bounded: past `n_slots` iterations only every
/// n_slots-th state is kept, and what lies between is computed again with the very steps that were taken.
///
/// Tests   tests/solve/lanes_test.cpp
class LaneTape {
public:
    static constexpr std::size_t n_lanes = model::n_lanes;

    /// An iteration's times; h is 0 in lanes that did not accept the step.
    struct Times {
        double origin[n_lanes], tau[n_lanes], after[n_lanes], h[n_lanes];
        std::size_t end_of_points = 0; ///< save points of this iteration and all before
        std::size_t end_of_jumps = 0;  ///< jumps before this iteration's step and all before
    };
    /// Before an iteration the state of a lane becomes another.
    struct Jump {
        enum class Kind : std::uint8_t { start, event, finish };
        Kind kind = Kind::start;
        std::size_t lane = 0;
        std::size_t which = 0;      ///< the trajectory's place in the list
        Stop stop;                  ///< whose events happen (start: those at the initial time)
        std::size_t before = 0;     ///< in `numbers`: the state that each event found
        std::size_t after = 0;      ///< in `numbers`: [n] the state that follows
        std::size_t kick = no_kick; ///< in `numbers`: [n] what points at the initial time say of the state
    };
    static constexpr std::size_t no_kick = static_cast<std::size_t>(-1);

    LaneTape(std::size_t n_states, std::size_t slot_size, std::size_t budget_bytes);

    void clear();
    /// True while so little is on the tape that another trajectory may begin.
    [[nodiscard]] bool has_room() const { return times.size() < n_slots_ / 2; }

    /// The slot of the iteration that is about to be taken, and the one after it. Taking a slot past the last keeps its
    /// contents as a checkpoint and begins at the front again.
    [[nodiscard]] double* slot() { return slots_.data() + position_ * slot_size_; }
    [[nodiscard]] double* next_slot() { return slots_.data() + (position_ + 1) * slot_size_; }
    /// The step was taken: go to the next slot.
    void advance(const LaneClock& clock, unsigned accepted);

    void add_point(const double* theta, const double* gx);
    [[nodiscard]] const double* point(std::size_t i) const { return points_.data() + i * (1 + n_states_) * n_lanes; }
    [[nodiscard]] std::size_t n_points() const { return points_.size() / ((1 + n_states_) * n_lanes); }

    /// The slot of iteration i; computed again by `replay` where it is no longer there.
    /// @param replay  replay(first, last, slot of first): fill the slots of iterations first .. last - 1 from the
    /// first's
    template <class Replay>
    [[nodiscard]] const double* slot_of(std::size_t i, Replay&& replay) {
        const std::size_t window = i / n_slots_;
        if (window != window_) {
            window_ = window;
            std::copy_n(checkpoints_.begin() + static_cast<std::ptrdiff_t>(window * slot_size_), slot_size_,
                        slots_.begin());
            replay(window * n_slots_, (window + 1) * n_slots_, slots_.data());
        }
        return slots_.data() + (i - window * n_slots_) * slot_size_;
    }
    [[nodiscard]] std::size_t slot_size() const { return slot_size_; }

    std::vector<Times> times;
    std::vector<Jump> jumps;
    std::vector<double> numbers;

private:
    std::size_t n_states_, slot_size_, n_slots_;
    std::size_t position_ = 0, window_ = 0;
    LaneArray slots_;       ///< [n_slots + 1] slots
    LaneArray checkpoints_; ///< slots of iterations 0, n_slots, 2 n_slots, ...
    LaneArray points_;      ///< theta, then gx [n], of 8 lanes each
};

} // namespace rondo::solve
