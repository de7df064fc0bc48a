#pragma once

#include <array>
#include <span>

namespace rondo::bench {

/// A Lotka-Volterra trajectory: hare' = alpha hare - beta hare lynx, lynx' = delta hare lynx - gamma lynx.
struct LotkaVolterra {
    std::array<double, 6> parameters{}; ///< alpha, beta, gamma, delta, hare(0), lynx(0)
    std::span<const double> times;      ///< increasing, after 0
    std::span<const double> data;       ///< [T x 2]
};

/// Sum of squares and its gradient.
struct LossGradient {
    double loss = 0;
    std::array<double, 6> gradient{};
};

/// How the sensitivity module of CVODES goes about its corrector.
enum class Corrector { simultaneous, staggered, staggered_one_by_one };

/// The same trajectory by SUNDIALS as it comes: serial vectors, dense matrix, its forward sensitivity module with error
/// control, hand-written derivatives, a new solver for each trajectory.
class SundialsAlone {
public:
    SundialsAlone(Corrector corrector, double rtol, double atol) : corrector_{corrector}, rtol_{rtol}, atol_{atol} {}
    [[nodiscard]] LossGradient solve(const LotkaVolterra& task) const;

private:
    Corrector corrector_;
    double rtol_, atol_;
};

} // namespace rondo::bench
