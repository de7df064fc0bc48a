#include <rondo/base/contract.hpp>
#include <rondo/ensemble/ensemble.hpp>

#include <algorithm>
#include <cmath>

namespace rondo::ensemble {
namespace {

template <class T>
std::span<const T> part(const std::vector<T>& all, std::size_t from, std::size_t to) {
    return std::span<const T>{all}.subspan(from, to - from);
}

} // namespace

Trajectory Ensemble::trajectory(std::int64_t i) const {
    expects(i >= 0 && i < size(), "a trajectory of the ensemble");
    const auto at = static_cast<std::size_t>(i);
    const auto first = static_cast<std::size_t>(offset[at]), last = static_cast<std::size_t>(offset[at + 1]);
    const std::size_t n_covariates = covariate_names.size();
    Trajectory view;
    view.index = i;
    view.covariates = part(covariates, at * n_covariates, (at + 1) * n_covariates);
    view.times = part(time, first, last);
    view.values = part(value, first * n_columns(), last * n_columns());
    if (!sigma.empty()) {
        view.sigmas = part(sigma, first * n_columns(), last * n_columns());
    }
    if (!event_offset.empty()) {
        view.events =
            part(events, static_cast<std::size_t>(event_offset[at]), static_cast<std::size_t>(event_offset[at + 1]));
    }
    return view;
}

std::int64_t Ensemble::n_points() const {
    return std::ranges::count_if(value, [](double v) { return !std::isnan(v); });
}

} // namespace rondo::ensemble
