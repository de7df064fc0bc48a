#pragma once

#include "core.hpp"
#include "lanes.hpp"

namespace rondo::solve::RONDO_ISA {

/// The proportional-integral controller of the step size of a method of order `order` with an error estimate of order
/// `order - 1`.
///
/// Source  Gustafsson, "Control-theoretic techniques for stepsize selection in explicit Runge-Kutta methods", ACM TOMS
///         17, 1991; the exponents 0.7 / order and 0.4 / order are those of Hairer, Norsett and Wanner, section II.4.
template <int order>
unsigned judge(LaneClock& clock, unsigned active) {
    constexpr double safety = 0.9, least = 0.2, most = 10.0;
    constexpr double smallest = -13.3; // log2(1e-4)
    const V error = load(clock.error);
    const V before = load(clock.before); // log2 of it
    const Mask good = error <= 1.0;      // false for NaN
    const V bounded = maximum(choose(error < 1e300, error, splat(1e300)), splat(1e-12));
    const V now = rough_log2(bounded);
    const V exponent = choose(good, (0.4 / order) * before - (0.7 / order) * now, (-1.0 / order) * now);
    const V factor = minimum(maximum(safety * rough_exp2(maximum(exponent, splat(-100.0))), splat(least)), splat(most));
    const Mask mine = mask_of(active);
    store(clock.wish, choose(mine, load(clock.h) * factor, load(clock.wish)));
    store(clock.before, choose(mine & good, maximum(now, splat(smallest)), before));
    return bits(good & mine);
}

/// The last step of a segment ends exactly at its end; the one before it leaves no sliver.
inline void plan(LaneClock& clock, unsigned active) {
    const Mask mine = mask_of(active);
    const V tau = load(clock.tau), way = load(clock.way), wish = load(clock.wish);
    const V left = way - tau;
    const Mask arrives = wish >= left * (1.0 - 1e-10);
    const Mask halves = wish > 0.5 * left;
    const V h = choose(arrives, left, choose(halves, 0.5 * left, wish));
    store(clock.h, choose(mine, h, splat(0.0)));
    store(clock.after, choose(mine, choose(arrives, way, tau + h), tau));
}

/// The worst column's norm of `error` [size * W], relative to the tolerances at y and y_next.
RONDO_ALWAYS_INLINE V error_norm(const LaneSystem& system, const LaneTolerance& tolerance, const double* error,
                                 const double* y, const double* y_next) {
    const V rtol = splat(tolerance.rtol);
    V worst = splat(0.0);
    for (std::size_t c = 0; c < system.columns; ++c) {
        const V atol = splat(tolerance.atol[c]);
        V sum = splat(0.0);
        for (std::size_t i = 0; i < system.rows; ++i) {
            const std::size_t at = (c * system.rows + i) * W;
            const V size = maximum(absolute(load(y + at)), absolute(load(y_next + at)));
            const V ratio = load(error + at) * rough_inverse(rtol * size + atol);
            sum += ratio * ratio;
        }
        worst = choose(sum <= worst, worst, sum); // keeps NaN
    }
    return square_root(worst * splat(1.0 / static_cast<double>(system.rows)));
}

/// A first step from y and its rate `rate`: Hairer's, from the sizes of the state, of the rate and of the rate's change
/// over a tiny Euler step. `probe` and `probe_rate` are scratch [size * W].
///
/// Source  Hairer, Norsett and Wanner, "Solving ordinary differential equations I", section II.4.
template <int order, class Rates>
RONDO_ALWAYS_INLINE V first_step(const LaneSystem& system, const LaneTolerance& tolerance, const V way, const double* y,
                                 const double* rate, double* probe, double* probe_rate, Rates&& rates) {
    const V state_size = error_norm(system, tolerance, y, y, y);
    const V rate_size = error_norm(system, tolerance, rate, y, y);
    const Mask tiny = (state_size < 1e-5) | (rate_size < 1e-5);
    const V guess = minimum(choose(tiny, splat(1e-6), 0.01 * state_size / rate_size), way);
    const std::size_t size = system.size();
    for (std::size_t i = 0; i < size; ++i) {
        store(probe + i * W, load(y + i * W) + guess * load(rate + i * W));
    }
    rates(guess, probe, probe_rate);
    for (std::size_t i = 0; i < size; ++i) {
        store(probe_rate + i * W, load(probe_rate + i * W) - load(rate + i * W));
    }
    const V change_size = error_norm(system, tolerance, probe_rate, y, y) / guess;
    const V larger = maximum(rate_size, change_size);
    const V bounded = minimum(maximum(larger, splat(1e-15)), splat(1e200));
    const V fine = choose(larger <= 1e-15, maximum(splat(1e-6), 1e-3 * guess),
                          rough_exp2((1.0 / order) * rough_log2(splat(0.01) / bounded)));
    const V h = minimum(100.0 * guess, fine);
    return minimum(choose(h > 0.0, h, guess), way); // not a number: the guess
}

} // namespace rondo::solve::RONDO_ISA
