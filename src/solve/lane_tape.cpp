#include "lane_tape.hpp"

#include <algorithm>

namespace rondo::solve {

LaneTape::LaneTape(std::size_t n_states, std::size_t slot_size, std::size_t budget_bytes)
    : n_states_{n_states}, slot_size_{slot_size}, n_slots_{std::max<std::size_t>(
                                                      budget_bytes / (slot_size * sizeof(double)), 2)} {}

void LaneTape::clear() {
    times.clear();
    jumps.clear();
    numbers.clear();
    points_.clear();
    checkpoints_.clear();
    position_ = 0;
    window_ = 0;
    slots_.resize(std::max(slots_.size(), 2 * slot_size_));
}

void LaneTape::advance(const LaneClock& clock, unsigned accepted) {
    Times& entry = times.emplace_back();
    std::copy_n(clock.origin, n_lanes, entry.origin);
    std::copy_n(clock.tau, n_lanes, entry.tau);
    std::copy_n(clock.after, n_lanes, entry.after);
    for (std::size_t l = 0; l < n_lanes; ++l) {
        entry.h[l] = (accepted >> l & 1U) != 0 ? clock.h[l] : 0.0;
    }
    entry.end_of_points = n_points();
    entry.end_of_jumps = jumps.size();
    ++position_;
    if (position_ == n_slots_) {
        if (checkpoints_.empty()) {
            checkpoints_.resize(slot_size_); // the first window's begins with jumps alone
        }
        checkpoints_.insert(checkpoints_.end(), slot(), slot() + slot_size_);
        std::copy_n(slot(), slot_size_, slots_.begin());
        position_ = 0;
        ++window_;
    } else if (slots_.size() < (position_ + 2) * slot_size_) {
        slots_.resize(std::min(2 * slots_.size(), (n_slots_ + 1) * slot_size_));
    }
}

void LaneTape::add_point(const double* theta, const double* gx) {
    points_.insert(points_.end(), theta, theta + n_lanes);
    points_.insert(points_.end(), gx, gx + n_states_ * n_lanes);
}

} // namespace rondo::solve
