#include <rondo/optimise/prior.hpp>

#include <rondo/base/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace rondo::optimise {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> texts{"normal(0.3, 1.7)",     "laplace(-1, 0.5)",  "cauchy(0.2, 2)",
                                     "student_t(3, 1, 0.7)", "uniform(-1, 2.5)",  "lognormal(0, 1)",
                                     "gamma(2.5, 1.5)",      "gamma(1, 3)",       "lognormal(0.5, 0.25)",
                                     "gamma(0.5, 2)",        "student_t(1, 0, 1)"};

/// The integral of the density over the whole line, by the trapezoidal rule in u with x = a + sinh(pi/2 sinh u), which
/// resolves the place a and reaches far into the tails. Kinks and edges sit at a.
double total_probability(const Prior& prior, double a, double sign) {
    constexpr double half_pi = std::numbers::pi / 2;
    constexpr double h = 1.0 / 256;
    double sum = 0;
    for (int k = -1100; k <= 1100; ++k) {
        const double u = h * k;
        const double distance = std::exp(half_pi * std::sinh(u)); // from 0 to infinity
        const double x = a + sign * distance;
        const double density = std::exp(-negative_log(prior, x));
        sum += density > 0 ? h * density * distance * half_pi * std::cosh(u) : 0.0;
    }
    return sum;
}

TEST(Prior, smooth_densities_integrate_to_one) {
    for (const std::string& text : texts) {
        const Prior prior = parse_prior(text, "test");
        if (prior.kind == PriorKind::uniform) {
            continue;
        }
        const bool is_positive = prior.kind == PriorKind::gamma || prior.kind == PriorKind::lognormal;
        const double place = prior.arguments[prior.kind == PriorKind::student_t ? 1 : 0];
        const double total = is_positive ? total_probability(prior, 0.0, 1.0)
                                         : total_probability(prior, place, 1.0) + total_probability(prior, place, -1.0);
        EXPECT_NEAR(total, 1.0, 1e-9) << text;
    }
}

TEST(Prior, uniform_is_flat_inside_and_impossible_outside) {
    const Prior prior = parse_prior("uniform(-1, 3)", "test");
    EXPECT_DOUBLE_EQ(negative_log(prior, 0.5), std::log(4.0));
    EXPECT_DOUBLE_EQ(negative_log(prior, 3.0), std::log(4.0));
    EXPECT_EQ(negative_log(prior, 3.1), std::numeric_limits<double>::infinity());
    EXPECT_EQ(negative_log_slope(prior, 0.5), 0.0);
    EXPECT_EQ(negative_log_slope(prior, 3.1), 0.0);
}

TEST(Prior, knows_closed_forms) {
    EXPECT_DOUBLE_EQ(negative_log(parse_prior("normal(0, 1)", ""), 0.0), 0.5 * std::log(2 * std::numbers::pi));
    EXPECT_DOUBLE_EQ(negative_log(parse_prior("normal(1, 2)", ""), 5.0),
                     2.0 + std::log(2.0 * std::sqrt(2 * std::numbers::pi)));
    EXPECT_DOUBLE_EQ(negative_log(parse_prior("laplace(1, 2)", ""), 5.0), 2.0 + std::log(4.0));
    EXPECT_DOUBLE_EQ(negative_log(parse_prior("cauchy(0, 1)", ""), 1.0), std::log(2 * std::numbers::pi));
    EXPECT_DOUBLE_EQ(negative_log(parse_prior("gamma(1, 3)", ""), 2.0), 6.0 - std::log(3.0));
    EXPECT_NEAR(negative_log(parse_prior("student_t(1, 0.5, 2)", ""), 3.0),
                negative_log(parse_prior("cauchy(0.5, 2)", ""), 3.0), 1e-14);
}

TEST(Prior, slopes_agree_with_differences) {
    for (const std::string& text : texts) {
        const Prior prior = parse_prior(text, "test");
        for (const double x : {-0.9, -0.2, 0.1, 0.6, 1.3, 2.4}) {
            const double h = 1e-6;
            if (!std::isfinite(negative_log(prior, x))) {
                EXPECT_EQ(negative_log_slope(prior, x), 0.0);
                continue;
            }
            const double rise = negative_log(prior, x + h) - negative_log(prior, x - h);
            EXPECT_NEAR(negative_log_slope(prior, x), rise / (2 * h), 1e-6) << text << " at " << x;
        }
    }
    EXPECT_EQ(negative_log_slope(parse_prior("laplace(1, 2)", ""), 1.0), 0.0);
}

TEST(ParsePrior, reads_blanks_signs_and_exponents) {
    EXPECT_EQ(parse_prior("normal(0, 1)", ""), (Prior{PriorKind::normal, {0.0, 1.0}}));
    EXPECT_EQ(parse_prior("  student_t ( 4,-1e-3 ,\t2.5 ) ", ""), (Prior{PriorKind::student_t, {4.0, -1e-3, 2.5}}));
}

TEST(PriorNames, name_every_kind_in_order) {
    for (std::size_t i = 0; i < prior_names().size(); ++i) {
        EXPECT_EQ(name_of(static_cast<PriorKind>(i)), prior_names()[i]);
    }
    EXPECT_EQ(name_of(PriorKind::gamma), "gamma");
}

std::string complaint(std::string_view text) {
    try {
        static_cast<void>(parse_prior(text, "job.toml: [parameters] alpha"));
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(ParsePrior, refuses_another_form) {
    for (const char* text : {"", "normal", "normal(0, 1", "normal 0, 1", "normal(0, 1) x"}) {
        EXPECT_THAT(complaint(text), HasSubstr("is not of the form name(number, number)")) << text;
    }
}

TEST(ParsePrior, refuses_an_unknown_name_and_knows_the_nearest) {
    EXPECT_EQ(
        complaint("nromal(0, 1)"),
        "job.toml: [parameters] alpha: prior \"nromal(0, 1)\" names an unknown distribution \"nromal\" (known: cauchy, "
        "gamma, laplace, lognormal, normal, student_t, uniform); did you mean \"normal\"?");
}

TEST(ParsePrior, refuses_a_wrong_count_of_arguments) {
    EXPECT_THAT(complaint("normal(0)"), HasSubstr("has 1 argument where 2 are needed; write normal(mean, sigma)"));
    EXPECT_THAT(complaint("normal()"), HasSubstr("has 0 arguments where 2 are needed"));
    EXPECT_THAT(complaint("student_t(1, 2)"), HasSubstr("write student_t(freedom, location, scale)"));
    EXPECT_THAT(complaint("gamma(1, 2, 3)"), HasSubstr("has 3 arguments where 2 are needed"));
}

TEST(ParsePrior, refuses_what_is_not_a_number) {
    EXPECT_THAT(complaint("normal(0, one)"), HasSubstr("has \"one\" as sigma, which is not a number"));
    EXPECT_THAT(complaint("normal(, 1)"), HasSubstr("has \"\" as mean, which is not a number"));
    EXPECT_THAT(complaint("normal(nan, 1)"), HasSubstr("has \"nan\" as mean"));
}

TEST(ParsePrior, refuses_scales_that_are_not_positive_and_empty_intervals) {
    for (const char* text : {"normal(0, 0)", "laplace(0, -1)", "cauchy(0, 0)", "student_t(1, 0, 0)", "lognormal(0, 0)",
                             "gamma(1, 0)", "gamma(0, 1)", "student_t(0, 0, 1)"}) {
        EXPECT_THAT(complaint(text), HasSubstr("which is not positive")) << text;
    }
    EXPECT_THAT(complaint("uniform(1, 1)"), HasSubstr("write uniform(lower, upper) with lower < upper"));
}

} // namespace
} // namespace rondo::optimise
