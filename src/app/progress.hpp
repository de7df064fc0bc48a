#pragma once

#include <rondo/train/state.hpp>

#include <chrono>
#include <cstdint>

namespace rondo::app {

/// Says how a training goes: a line at updates 1, 2, 5, 10, 20, 50, ... and whenever two seconds have passed, and the
/// last.
class Progress {
public:
    Progress(std::int64_t n_epochs, std::int64_t n_updates, std::int64_t first_update);
    void report(const train::HistoryRow& row);

private:
    using Clock = std::chrono::steady_clock;
    std::int64_t n_epochs_;
    std::int64_t n_updates_;
    std::int64_t n_trajectories_ = 0;
    std::int64_t next_ = 1;
    std::int64_t first_update_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point last_{};
};

} // namespace rondo::app
