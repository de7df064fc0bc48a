#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rondo::ensemble {

/// One value as a table gives it. NaN: nothing was observed, but the time is wanted.
struct Point {
    std::int64_t trajectory = 0;
    double time = 0;
    std::size_t column = 0;
    double value = 0;
    double sigma = 0;
};

/// Points put together: one row a trajectory, time and replicate, as in Ensemble.
struct Rows {
    std::vector<std::int64_t> offset; ///< [N + 1]
    std::vector<double> time;         ///< [R]
    std::vector<double> value;        ///< [R x D]
    std::vector<double> sigma;        ///< [R x D] or empty
};

enum class HasSigma : bool { no, yes };

/// Sort points by trajectory and time and put those of one time into one row; the k-th value of a column at one time
/// goes to the k-th row of this time.
[[nodiscard]] Rows group(std::vector<Point> points, std::size_t n_trajectories, std::size_t n_columns,
                         HasSigma has_sigma);

} // namespace rondo::ensemble
