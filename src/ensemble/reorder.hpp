#pragma once

#include <rondo/ensemble/ensemble.hpp>

#include <cstdint>
#include <span>

namespace rondo::ensemble {

/// The trajectories of `ensemble` in another order: `order[i]` is the present number of the new trajectory i.
[[nodiscard]] Ensemble reordered(const Ensemble& ensemble, std::span<const std::int64_t> order);

} // namespace rondo::ensemble
