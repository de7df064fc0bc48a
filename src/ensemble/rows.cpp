#include "rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace rondo::ensemble {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

bool precedes(const Point& a, const Point& b) {
    return a.trajectory != b.trajectory ? a.trajectory < b.trajectory : a.time < b.time;
}

void add_row(Rows& rows, double time, std::size_t n_columns, HasSigma has_sigma) {
    rows.time.push_back(time);
    rows.value.resize(rows.time.size() * n_columns, missing);
    if (has_sigma == HasSigma::yes) {
        rows.sigma.resize(rows.time.size() * n_columns, missing);
    }
}

/// Add the rows of the points of one trajectory and time.
void add_time(Rows& rows, std::span<const Point> points, std::size_t n_columns, HasSigma has_sigma) {
    const std::size_t first_row = rows.time.size();
    add_row(rows, points.front().time, n_columns, has_sigma);
    std::vector<std::size_t> n_given(n_columns, 0);
    for (const Point& point : points) {
        if (std::isnan(point.value)) {
            continue;
        }
        const std::size_t row = first_row + n_given[point.column]++;
        if (row == rows.time.size()) {
            add_row(rows, point.time, n_columns, has_sigma);
        }
        rows.value[row * n_columns + point.column] = point.value;
        if (has_sigma == HasSigma::yes) {
            rows.sigma[row * n_columns + point.column] = point.sigma;
        }
    }
}

} // namespace

Rows group(std::vector<Point> points, std::size_t n_trajectories, std::size_t n_columns, HasSigma has_sigma) {
    if (!std::ranges::is_sorted(points, precedes)) {
        std::ranges::stable_sort(points, precedes);
    }
    Rows rows;
    rows.offset.assign(n_trajectories + 1, 0);
    auto first = points.begin();
    while (first != points.end()) {
        const auto last =
            std::find_if(first, points.end(), [&](const Point& point) { return precedes(*first, point); });
        add_time(rows, {first, last}, n_columns, has_sigma);
        rows.offset[static_cast<std::size_t>(first->trajectory) + 1] = static_cast<std::int64_t>(rows.time.size());
        first = last;
    }
    for (std::size_t i = 1; i < rows.offset.size(); ++i) { // trajectories without rows
        rows.offset[i] = std::max(rows.offset[i], rows.offset[i - 1]);
    }
    return rows;
}

} // namespace rondo::ensemble
