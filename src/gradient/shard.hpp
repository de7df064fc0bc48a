#pragma once

#include <rondo/gradient/evaluate.hpp>

#include <memory>
#include <span>
#include <vector>

namespace rondo::gradient {

/// Solve `trajectories` with one thread an engine. Which thread solves which is left to chance; the numbers are not.
/// Ranks  local.
[[nodiscard]] Shard solve_shard(const Problem& problem, const Question& question, std::vector<std::int64_t> trajectories,
                                std::span<const std::unique_ptr<solve::Engine>> engines);

} // namespace rondo::gradient
