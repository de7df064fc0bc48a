#include <optimise/line_search.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace rondo::optimise {
namespace {

struct Line {
    std::function<double(double)> loss;
    std::function<double(double)> slope;
    double edge = 1e300; ///< steps beyond it fail
};

struct Found {
    Verdict verdict = Verdict::again;
    double step = 0.0;
    int n_trials = 0;
};

Found search_along(const Line& line, double first_trial) {
    LineSearch search = begin_search(line.loss(0), line.slope(0), first_trial);
    Found found;
    while (found.verdict == Verdict::again) {
        found.step = search.trial;
        const bool failed = found.step > line.edge;
        found.verdict =
            feed(search, failed ? 0.0 : line.loss(found.step), failed ? 0.0 : line.slope(found.step), failed);
        ++found.n_trials;
    }
    if (found.verdict == Verdict::take_low) {
        found.step = search.low.step;
    }
    return found;
}

void expect_strong_wolfe(const Line& line, double step) {
    EXPECT_LE(line.loss(step), line.loss(0) + 1e-4 * step * line.slope(0));
    EXPECT_LE(std::abs(line.slope(step)), 0.9 * std::abs(line.slope(0)));
}

// Test functions 1 and 2 of More and Thuente (1994), with their minima at sqrt(2) and 1.6.
const Line rational{[](double a) { return -a / (a * a + 2.0); },
                    [](double a) { return (a * a - 2.0) / ((a * a + 2.0) * (a * a + 2.0)); }};
const Line power{[](double a) { return std::pow(a + 0.004, 5) - 2.0 * std::pow(a + 0.004, 4); },
                 [](double a) { return 5.0 * std::pow(a + 0.004, 4) - 8.0 * std::pow(a + 0.004, 3); }};
const Line waves{[](double a) { return 0.1 * std::sin(8.0 * a) - a + 0.05 * a * a; },
                 [](double a) { return 0.8 * std::cos(8.0 * a) - 1.0 + 0.1 * a; }};

TEST(LineSearch, meets_the_strong_wolfe_conditions_from_any_first_trial) {
    for (const Line* line : {&rational, &power, &waves}) {
        for (const double first : {1e-3, 0.1, 1.0, 10.0, 1000.0}) {
            const Found found = search_along(*line, first);
            EXPECT_EQ(found.verdict, Verdict::take_trial);
            EXPECT_LE(found.n_trials, 15);
            expect_strong_wolfe(*line, found.step);
        }
    }
}

TEST(LineSearch, takes_a_first_trial_that_will_do) {
    const Found found = search_along(rational, 1.4);
    EXPECT_EQ(found.n_trials, 1);
    EXPECT_EQ(found.step, 1.4);
}

TEST(LineSearch, backs_out_of_a_failing_region_and_takes_what_falls) {
    const Line cut{rational.loss, rational.slope, 0.3}; // no step up to 0.3 is flat enough for 0.9 of a tiny slope
    const Found found = search_along(cut, 100.0);
    EXPECT_EQ(found.verdict, Verdict::take_trial);
    EXPECT_LE(found.step, 0.3);
    EXPECT_LT(cut.loss(found.step), cut.loss(0));
}

TEST(LineSearch, gives_up_on_a_line_that_only_rises) {
    const Line rising{[](double a) { return 1.0 + a; }, [](double) { return -1.0; }};
    const Found found = search_along(rising, 1.0);
    EXPECT_EQ(found.verdict, Verdict::nothing);
    EXPECT_LE(found.n_trials, 20);
}

TEST(LineSearch, takes_the_best_step_of_a_line_that_never_stops_falling) {
    const Line falling{[](double a) { return -a; }, [](double) { return -1.0; }};
    const Found found = search_along(falling, 1.0);
    EXPECT_EQ(found.verdict, Verdict::take_low);
    EXPECT_GT(found.step, 1e6);
}

} // namespace
} // namespace rondo::optimise
