#include "reorder.hpp"

namespace rondo::ensemble {
namespace {

template <class T>
void append(std::vector<T>& to, std::span<const T> from) {
    to.insert(to.end(), from.begin(), from.end());
}

} // namespace

Ensemble reordered(const Ensemble& ensemble, std::span<const std::int64_t> order) {
    Ensemble result;
    result.covariate_names = ensemble.covariate_names;
    result.columns = ensemble.columns;
    result.offset = {0};
    result.event_offset = {0};
    result.time.reserve(ensemble.time.size());
    result.value.reserve(ensemble.value.size());
    result.sigma.reserve(ensemble.sigma.size());
    for (const std::int64_t i : order) {
        const Trajectory trajectory = ensemble.trajectory(i);
        result.labels.push_back(ensemble.labels[static_cast<std::size_t>(i)]);
        append(result.covariates, trajectory.covariates);
        append(result.time, trajectory.times);
        append(result.value, trajectory.values);
        append(result.sigma, trajectory.sigmas);
        append(result.events, trajectory.events);
        result.offset.push_back(static_cast<std::int64_t>(result.time.size()));
        result.event_offset.push_back(static_cast<std::int64_t>(result.events.size()));
    }
    return result;
}

} // namespace rondo::ensemble
