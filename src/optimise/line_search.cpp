#include "line_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rondo::optimise {
namespace {

constexpr double sufficient_decrease = 1e-4; // c1
constexpr double curvature = 0.9;            // c2
constexpr double most_trials = 20;
constexpr double longest_step = 1e20;

/// Where the cubic through both points with their slopes has its minimum; not a number where it has none.
double cubic_minimum(const LinePoint& a, const LinePoint& b) {
    const double d1 = a.slope + b.slope - 3.0 * (a.loss - b.loss) / (a.step - b.step);
    const double d2 = std::copysign(std::sqrt(d1 * d1 - a.slope * b.slope), b.step - a.step);
    return b.step - (b.step - a.step) * (b.slope + d2 - d1) / (b.slope - a.slope + 2.0 * d2);
}

/// The next step beyond `low`, which falls still: between twice and ten times as long.
double longer_step(const LinePoint& before, const LinePoint& low) {
    const double guess = cubic_minimum(before, low);
    return std::isfinite(guess) && guess > low.step ? std::clamp(guess, 2.0 * low.step, 10.0 * low.step)
                                                    : 4.0 * low.step;
}

/// A step inside the bracket, a tenth of its width away from both ends.
double step_between(const LineSearch& search, bool shrinks_slowly) {
    const double from = search.low.step;
    const double across = search.high.step - from;
    if (search.high_failed) {
        return from + 0.25 * across;
    }
    const double part = (cubic_minimum(search.low, search.high) - from) / across;
    if (shrinks_slowly || !std::isfinite(part)) {
        return from + 0.5 * across;
    }
    return from + std::clamp(part, 0.1, 0.9) * across;
}

} // namespace

LineSearch begin_search(double loss, double slope, double first_trial) {
    const LinePoint origin{0.0, loss, slope};
    LineSearch search;
    search.origin = origin;
    search.low = origin;
    search.trial = first_trial;
    return search;
}

Verdict give_up(const LineSearch& search) {
    return search.low.loss < search.origin.loss ? Verdict::take_low : Verdict::nothing;
}

Verdict feed(LineSearch& search, double loss, double slope, bool failed) {
    const LinePoint fed{search.trial, loss, slope};
    const LinePoint low_before = search.low;
    search.n_trials += 1;
    const bool falls_enough =
        !failed && loss <= search.origin.loss + sufficient_decrease * fed.step * search.origin.slope;
    if (!falls_enough || (search.low.step > 0 && loss >= search.low.loss)) {
        search.high = failed ? LinePoint{fed.step, 0.0, 0.0} : fed;
        search.high_failed = failed;
        search.is_bracketed = true;
    } else {
        // Where the model fails just beyond, the loss may fall up to the edge and no flat place exist: falling is
        // enough.
        const bool is_at_edge = search.is_bracketed && search.high_failed;
        if (std::abs(slope) <= -curvature * search.origin.slope || is_at_edge) {
            return Verdict::take_trial;
        }
        const bool rises_towards_high =
            search.is_bracketed ? slope * (search.high.step - search.low.step) >= 0 : slope >= 0;
        if (rises_towards_high) {
            search.high = search.low;
            search.high_failed = false;
            search.is_bracketed = true;
        }
        search.low = fed;
    }
    const double width = std::abs(search.high.step - search.low.step);
    const bool is_spent = search.n_trials >= most_trials || search.low.step >= longest_step;
    const bool is_flat =
        search.is_bracketed && !search.high_failed &&
        std::abs(search.low.slope) * width <= std::numeric_limits<double>::epsilon() * std::abs(search.low.loss);
    if (is_spent || is_flat) {
        return give_up(search);
    }
    if (search.is_bracketed) {
        const bool shrinks_slowly = search.width > 0 && width > 0.66 * search.width;
        search.trial = step_between(search, shrinks_slowly);
        search.width = width;
    } else {
        search.trial = longer_step(low_before, search.low);
    }
    return Verdict::again;
}

} // namespace rondo::optimise
