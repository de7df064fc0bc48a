#pragma once

#include "aligned.hpp"
#include "core/core.hpp"

#include <rondo/model/model.hpp>
#include <rondo/solve/engine.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rondo::solve {

/// Trajectories to be solved in lanes, and where their results go.
struct LaneList {
    const Request* request = nullptr;
    std::span<const std::int64_t> trajectories;
    std::span<Outcome> outcomes;
    std::span<double> rows;           ///< [k * row_size]
    std::vector<double*> predictions; ///< by trajectory, or empty

    [[nodiscard]] std::size_t size() const { return trajectories.size(); }
    [[nodiscard]] ensemble::Trajectory trajectory(std::size_t which) const {
        return request->ensemble->trajectory(trajectories[which]);
    }
    [[nodiscard]] std::span<double> row(std::size_t which) const {
        const std::size_t size = rows.size() / trajectories.size();
        return rows.subspan(which * size, size);
    }
};

/// Eight lanes' model: the kernels, and the covariates of the trajectories that hold the lanes.
class LaneSet {
public:
    static constexpr std::size_t n_lanes = model::n_lanes;

    /// @param sensitivities  integrate the augmented system
    LaneSet(const model::Model& model, bool sensitivities);

    void begin(std::span<const double> parameters) { system_.parameter = parameters.data(); }
    void place(std::size_t lane, const ensemble::Trajectory& trajectory);

    [[nodiscard]] const LaneSystem& system() const { return system_; }
    [[nodiscard]] LaneArray& covariates() { return covariates_; }

private:
    LaneSystem system_;
    LaneArray covariates_; ///< [C * 8]
};

/// A lane's entries of an array, as a vector; and back.
inline void take_lane(const double* array, std::size_t lane, std::span<double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = array[i * LaneSet::n_lanes + lane];
    }
}
inline void put_lane(std::span<const double> values, std::size_t lane, double* array) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        array[i * LaneSet::n_lanes + lane] = values[i];
    }
}

} // namespace rondo::solve
