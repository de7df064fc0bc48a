#pragma once

namespace rondo::optimise {

/// Loss and its slope along the line, at a step from the accepted point.
struct LinePoint {
    double step = 0.0;
    double loss = 0.0;
    double slope = 0.0;
};

/// A search on a line for a step that meets the strong Wolfe conditions
///
///     loss(step) <= loss(0) + c1 step slope(0),   |slope(step)| <= c2 |slope(0)|,   c1 = 1e-4, c2 = 0.9,
///
/// fed one trial at a time. Until `is_bracketed`, steps grow; afterwards such a step lies between `low` and `high`.
///
/// Source  Nocedal and Wright, Numerical optimization, 2006, algorithms 3.5 and 3.6, equation 3.59.
/// Tests   tests/optimise/line_search_test.cpp
struct LineSearch {
    LinePoint origin;          ///< step 0
    LinePoint low;             ///< the lowest loss so far that falls enough; at first the origin
    LinePoint high;            ///< the other end of the bracket
    double trial = 0.0;        ///< the step to evaluate next
    double width = 0.0;        ///< of the bracket before the last trial; 0 before there was one
    double n_trials = 0.0;     ///< trials fed
    bool is_bracketed = false; ///< `high` holds
    bool high_failed = false;  ///< the evaluation at `high` failed: only its step is known
};

/// What one trial tells.
enum class Verdict {
    again,      ///< evaluate at `trial`
    take_trial, ///< the step just fed is the one
    take_low,   ///< give up; `low` is the best step found, and its loss falls enough
    nothing     ///< give up; no step with a lower loss was found
};

[[nodiscard]] LineSearch begin_search(double loss, double slope, double first_trial);

/// What is left where the search cannot go on: `low` if its loss is lower than the origin's.
[[nodiscard]] Verdict give_up(const LineSearch& search);

/// Feed the evaluation at `search.trial`. After Verdict::again, `search.low.step` is the step just fed where that was
/// the best so far.
[[nodiscard]] Verdict feed(LineSearch& search, double loss, double slope, bool failed);

} // namespace rondo::optimise
