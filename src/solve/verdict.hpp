#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace rondo::solve {

/// How one attempt at a trajectory went.
struct Verdict {
    bool solved = false;
    bool record_full = false; ///< gave up only because the record for the adjoint outgrew its budget
    double time = 0;          ///< reached
    std::int64_t n_steps = 0;
    std::int64_t n_rhs = 0;
    std::string reason;
};

/// Scales of sensitivities: |p_k| of the active parameters, 1 where that is zero.
/// @param scales  [m] receives them
void parameter_scales(std::span<const double> parameters, std::span<const std::size_t> active,
                      std::span<double> scales);

} // namespace rondo::solve
