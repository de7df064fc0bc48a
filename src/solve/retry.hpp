#pragma once

#include "integrator.hpp"

namespace rondo::solve {

/// The ladder: how attempt `attempt` (0, 1, 2, ...) at a trajectory is made. As asked; then by the other method; then
/// by BDF with a tiny first step, short steps and a strict nonlinear solver. Never with other tolerances. Tests
/// tests/solve/options_test.cpp
[[nodiscard]] Setting setting_of(Method asked, int attempt);

/// Attempts that differ.
inline constexpr int n_settings = 3;

} // namespace rondo::solve
