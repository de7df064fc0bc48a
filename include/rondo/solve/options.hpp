#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::solve {

/// Which engine solves; `automatic` is decided by `resolve`.
enum class EngineKind : std::uint8_t { automatic, single, block, lanes };
/// Integration method: multistep (of `single` and `block`), or one-step (of `lanes`): explicit, or Rosenbrock.
enum class Method : std::uint8_t { automatic, adams, bdf, tsit5, rodas5p };
/// How gradients are made.
enum class Sensitivity : std::uint8_t { automatic, forward, adjoint };

[[nodiscard]] const std::vector<std::string>& engine_names();
[[nodiscard]] std::optional<EngineKind> engine_from(std::string_view name);
[[nodiscard]] std::string_view name_of(EngineKind kind);
[[nodiscard]] const std::vector<std::string>& method_names();
[[nodiscard]] std::optional<Method> method_from(std::string_view name);
[[nodiscard]] std::string_view name_of(Method method);
[[nodiscard]] const std::vector<std::string>& sensitivity_names();
[[nodiscard]] std::optional<Sensitivity> sensitivity_from(std::string_view name);
[[nodiscard]] std::string_view name_of(Sensitivity sensitivity);

/// The job's `[solver]`.
struct Options {
    EngineKind engine = EngineKind::automatic;
    Method method = Method::automatic;
    Sensitivity sensitivity = Sensitivity::automatic;
    double rtol = 1e-6;               ///< relative tolerance of states and sensitivities
    double atol = 1e-8;               ///< absolute tolerance, in the units of the states
    std::int64_t max_steps = 100000;  ///< steps of one trajectory, all segments together
    int max_attempts = 3;             ///< first try and the retries of the ladder
    std::int64_t block_size = 64;     ///< trajectories that share their steps in `block`; a multiple of model::n_lanes
};

} // namespace rondo::solve
