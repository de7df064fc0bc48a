#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rondo::ensemble {

/// What an event does to a state: x += amount, x *= amount, x = amount.
enum class Action : std::uint8_t { add, multiply, replace };

/// A change of one state at a known time. Its size is `value`, or the model's amount expression number `amount` if >=
/// 0.
struct Event {
    double time = 0;
    std::int32_t state = 0;
    Action action = Action::add;
    std::int32_t amount = -1;
    double value = 0;
};

/// One trajectory's part of an Ensemble, as views.
struct Trajectory {
    std::int64_t index = 0;             ///< position in the ensemble, from 0
    std::span<const double> covariates; ///< [C], covariates[0] = index + 1
    std::span<const double> times;      ///< [T] non-decreasing, all >= the model's initial time
    std::span<const double> values;     ///< [T x D] row-major, NaN where nothing was observed
    std::span<const double> sigmas;     ///< [T x D] or empty
    std::span<const Event> events;      ///< by time (ties: order given), all >= the initial time
};

/// All trajectories with their data: flat arrays with offsets, N trajectories, R rows (one a trajectory and time),
/// D data columns (the model's observables; for cross entropy the one column `label`), C covariates.
/// Repeated times are replicate measurements.
struct Ensemble {
    std::vector<std::string> labels;          ///< [N] unique
    std::vector<std::string> covariate_names; ///< [C], the first is "index"
    std::vector<double> covariates;           ///< [N x C] row-major
    std::vector<std::string> columns;         ///< [D]
    std::vector<std::int64_t> offset;         ///< [N + 1] into rows
    std::vector<double> time;                 ///< [R]
    std::vector<double> value;                ///< [R x D]
    std::vector<double> sigma;                ///< [R x D] or empty
    std::vector<std::int64_t> event_offset;   ///< [N + 1] into events
    std::vector<Event> events;

    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(labels.size()); }
    [[nodiscard]] std::size_t n_columns() const { return columns.size(); }
    [[nodiscard]] Trajectory trajectory(std::int64_t i) const;
    /// Number of values that are not NaN.
    [[nodiscard]] std::int64_t n_points() const;
};

} // namespace rondo::ensemble
