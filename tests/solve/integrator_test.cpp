#include "solve/integrator.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace rondo::solve {
namespace {

using Progress = Integrator::Progress;

/// x' = -k x in every column (k by column), with the integral of the first entry.
class Decay final : public Problem {
public:
    explicit Decay(double k) : k_{k} {}
    void rates(double, const double* y, double* out) override {
        out[0] = -k_ * y[0];
        out[1] = -k_ * y[1];
    }
    void jacobian(double, const double*, double* block) override {
        block[0] = block[3] = -k_;
        block[1] = block[2] = 0;
    }
    void integrand(double, const double* y, double* out) override { out[0] = y[0]; }

private:
    double k_;
};

/// A scalar problem from a function.
class Scalar final : public Problem {
public:
    explicit Scalar(std::function<double(double, double)> rate) : rate_{std::move(rate)} {}
    void rates(double t, const double* y, double* out) override { out[0] = rate_(t, y[0]); }
    void jacobian(double t, const double* y, double* block) override {
        block[0] = (rate_(t, y[0] + 1e-6) - rate_(t, y[0] - 1e-6)) / 2e-6;
    }

private:
    std::function<double(double, double)> rate_;
};

const std::vector<Setting> settings{{Method::bdf, false}, {Method::adams, false}, {Method::bdf, true}};

void set_tolerances(Integrator& integrator, std::size_t size, std::size_t n_integrals, double rtol, double atol) {
    integrator.set_tolerances(rtol, std::vector<double>(size, atol), std::vector<double>(n_integrals, atol));
}

Progress run(Integrator& integrator, double from, double to) {
    integrator.start(from, to);
    Progress progress = Progress::stepped;
    for (int i = 0; i < 100000 && progress == Progress::stepped; ++i) {
        progress = integrator.advance();
    }
    return progress;
}

TEST(Integrator, reaches_the_stop_exactly_with_the_exact_solution) {
    for (const Setting& setting : settings) {
        Decay problem{0.5};
        Integrator integrator{problem, {2, 1}, 1, setting};
        set_tolerances(integrator, 2, 1, 1e-9, 1e-12);
        integrator.state()[0] = 1.0;
        integrator.state()[1] = -3.0;
        integrator.integrals()[0] = 10.0;

        ASSERT_EQ(run(integrator, 0.0, 2.0), Progress::arrived);

        EXPECT_EQ(integrator.time(), 2.0);
        EXPECT_NEAR(integrator.state()[0], std::exp(-1.0), 1e-7);
        EXPECT_NEAR(integrator.state()[1], -3.0 * std::exp(-1.0), 1e-7);
        EXPECT_NEAR(integrator.integrals()[0], 10.0 + 2.0 * (1.0 - std::exp(-1.0)), 1e-7);
    }
}

TEST(Integrator, goes_backward) {
    for (const Setting& setting : settings) {
        Decay problem{0.5};
        Integrator integrator{problem, {2, 1}, 1, setting};
        set_tolerances(integrator, 2, 1, 1e-9, 1e-12);
        integrator.state()[0] = integrator.state()[1] = std::exp(-1.0);

        ASSERT_EQ(run(integrator, 2.0, 0.0), Progress::arrived);

        EXPECT_NEAR(integrator.state()[0], 1.0, 1e-7);
        EXPECT_NEAR(integrator.integrals()[0], -2.0 * (1.0 - std::exp(-1.0)), 1e-7);
    }
}

TEST(Integrator, interpolates_within_the_last_step) {
    Decay problem{0.5};
    Integrator integrator{problem, {2, 1}, 0, {}};
    set_tolerances(integrator, 2, 0, 1e-10, 1e-13);
    integrator.state()[0] = integrator.state()[1] = 1.0;
    integrator.start(0.0, 2.0);
    double before = 0;
    while (integrator.advance() == Progress::stepped) {
        const double middle = 0.5 * (before + integrator.time());
        EXPECT_NEAR(integrator.interpolate(middle)[0], std::exp(-0.5 * middle), 1e-8);
        before = integrator.time();
    }
}

TEST(Integrator, polynomial_of_a_step_is_its_interpolant) {
    for (const Setting& setting : settings) {
        Decay problem{0.5};
        Integrator integrator{problem, {2, 1}, 0, setting};
        set_tolerances(integrator, 2, 0, 1e-10, 1e-13);
        integrator.state()[0] = integrator.state()[1] = 1.0;
        integrator.start(0.0, 2.0);
        while (integrator.advance() == Progress::stepped) {
            std::vector<double> c;
            const double h = integrator.append_polynomial(c);
            const double s = -0.3;
            double value = 0;
            for (std::size_t k = c.size() / 2; k-- > 0;) {
                value = value * s + c[2 * k];
            }
            EXPECT_NEAR(value, integrator.interpolate(integrator.time() + s * h)[0], 1e-14);
        }
    }
}

/// Steps and results of one integration, to the bit.
std::vector<double> trace(Integrator& integrator, double first, double to) {
    std::vector<double> all;
    integrator.state()[0] = first;
    integrator.state()[1] = 2.0 * first;
    integrator.integrals()[0] = 0.0;
    integrator.start(0.0, to);
    Progress progress = Progress::stepped;
    while (progress == Progress::stepped) {
        progress = integrator.advance();
        all.insert(all.end(),
                   {integrator.time(), integrator.state()[0], integrator.state()[1], integrator.integrals()[0]});
    }
    return all;
}

TEST(Integrator, used_again_gives_the_bits_of_a_new_one) {
    for (const Setting& setting : settings) {
        Decay problem{3.0};
        Integrator used{problem, {2, 1}, 1, setting};
        set_tolerances(used, 2, 1, 1e-8, 1e-10);
        (void)trace(used, 100.0, 50.0);
        (void)trace(used, 1e-3, 0.1);
        used.start(0.0, 9.0); // left in the middle
        (void)used.advance();
        (void)used.advance();
        Integrator fresh{problem, {2, 1}, 1, setting};
        set_tolerances(fresh, 2, 1, 1e-8, 1e-10);

        const auto again = trace(used, 1.0, 4.0), first = trace(fresh, 1.0, 4.0);

        EXPECT_EQ(again, first);
    }
}

TEST(Integrator, passes_on_what_the_problem_throws_and_works_afterwards) {
    for (const Setting& setting : settings) {
        bool broken = true;
        Scalar problem{[&broken](double t, double x) {
            if (broken && t > 0.5) {
                throw std::runtime_error{"no power"};
            }
            return -x;
        }};
        Integrator integrator{problem, {1, 1}, 0, setting};
        set_tolerances(integrator, 1, 0, 1e-6, 1e-8);
        integrator.state()[0] = 1.0;

        EXPECT_THROW(
            {
                try {
                    (void)run(integrator, 0.0, 1.0);
                } catch (const std::runtime_error& error) {
                    EXPECT_STREQ(error.what(), "no power");
                    throw;
                }
            },
            std::runtime_error);
        broken = false;
        integrator.state()[0] = 1.0;
        EXPECT_EQ(run(integrator, 0.0, 1.0), Progress::arrived);
        EXPECT_NEAR(integrator.state()[0], std::exp(-1.0), 1e-4);
    }
}

TEST(Integrator, a_rate_that_is_not_finite_for_good_is_a_failure_with_its_name) {
    for (const Setting& setting : settings) {
        Scalar problem{[](double t, double x) { return t > 0.5 ? std::nan("") : -x; }};
        Integrator integrator{problem, {1, 1}, 0, setting};
        set_tolerances(integrator, 1, 0, 1e-6, 1e-8);
        integrator.state()[0] = 1.0;

        EXPECT_EQ(run(integrator, 0.0, 1.0), Progress::failed);

        EXPECT_NE(integrator.failure().find("not finite"), std::string::npos) << integrator.failure();
        EXPECT_NEAR(integrator.time(), 0.5, 1e-3);
    }
}

TEST(Integrator, shortens_the_step_where_a_trial_is_not_finite) {
    for (const Setting& setting : settings) {
        // sqrt of a state that ends at zero: trial steps go below it.
        Scalar problem{[](double, double x) { return -0.1 * std::sqrt(x - 0.5); }};
        Integrator integrator{problem, {1, 1}, 0, setting};
        set_tolerances(integrator, 1, 0, 1e-6, 1e-8);
        integrator.state()[0] = 1.0;

        ASSERT_EQ(run(integrator, 0.0, 10.0), Progress::arrived) << integrator.failure();

        const double root = std::sqrt(0.5) - 0.05 * 10.0;
        EXPECT_NEAR(integrator.state()[0], 0.5 + root * root, 1e-4);
    }
}

TEST(Integrator, says_that_steps_became_too_short_at_a_pole) {
    for (const Setting& setting : settings) {
        Scalar problem{[](double, double x) { return x * x; }};
        Integrator integrator{problem, {1, 1}, 0, setting};
        set_tolerances(integrator, 1, 0, 1e-6, 1e-8);
        integrator.state()[0] = 1.0;

        EXPECT_EQ(run(integrator, 0.0, 2.0), Progress::failed);

        EXPECT_FALSE(integrator.failure().empty());
        EXPECT_NEAR(integrator.time(), 1.0, 1e-2) << integrator.failure();
    }
}

TEST(Integrator, steps_over_a_distance_of_one_rounding) {
    Decay problem{0.5};
    Integrator integrator{problem, {2, 1}, 1, {}};
    set_tolerances(integrator, 2, 1, 1e-6, 1e-8);
    integrator.state()[0] = integrator.state()[1] = 1.0;
    const double t = 1000.0, next = std::nextafter(t, 2000.0);

    ASSERT_EQ(run(integrator, t, next), Progress::arrived);

    EXPECT_EQ(integrator.time(), next);
    EXPECT_NEAR(integrator.state()[0], 1.0, 1e-12);
    EXPECT_NEAR(integrator.integrals()[0], next - t, 1e-16);
}

TEST(Integrator, resolves_a_transient_that_is_faster_than_the_rounding_of_the_time) {
    // The rounding at 1e9 is 1e-7, the transient lasts 1e-8.
    for (const double direction : {1.0, -1.0}) {
        Scalar problem{[direction](double, double x) { return -direction * 1e8 * (x - 3.0); }};
        Integrator integrator{problem, {1, 1}, 0, {}};
        set_tolerances(integrator, 1, 0, 1e-8, 1e-10);
        integrator.state()[0] = 1.0;

        ASSERT_EQ(run(integrator, 1e9, 1e9 + direction), Progress::arrived) << integrator.failure();

        EXPECT_EQ(integrator.time(), 1e9 + direction);
        EXPECT_NEAR(integrator.state()[0], 3.0, 1e-6);
    }
}

TEST(Integrator, prints_nothing) {
    Scalar problem{[](double, double) { return std::nan(""); }};
    Integrator integrator{problem, {1, 1}, 0, {}};
    set_tolerances(integrator, 1, 0, 1e-6, 1e-8);
    ::testing::internal::CaptureStderr();
    ::testing::internal::CaptureStdout();

    EXPECT_EQ(run(integrator, 0.0, 2.0), Progress::failed);

    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
    EXPECT_NE(integrator.failure().find("CV_FIRST_RHSFUNC_ERR"), std::string::npos) << integrator.failure();
}

} // namespace
} // namespace rondo::solve
