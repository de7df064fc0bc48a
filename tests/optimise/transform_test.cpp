#include <rondo/optimise/transform.hpp>

#include <rondo/base/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace rondo::optimise {
namespace {

using ::testing::HasSubstr;

constexpr double inf = std::numeric_limits<double>::infinity();

/// Every combination of scale and bounds, with a few values inside each.
const std::vector<std::pair<Transform, std::vector<double>>> cases{
    {{Scale::linear, -inf, inf}, {-1e300, -2.5, 0.0, 1e-300, 7.0}},
    {{Scale::linear, -1.0, 3.0}, {-0.9, 0.0, 1.0, 2.5, 2.99}},
    {{Scale::linear, 0.0, inf}, {1e-3, 0.5, 1.0, 40.0, 1e12}},
    {{Scale::linear, -inf, 2.0}, {1.999, 0.0, -1.0, -50.0, -1e12}},
    {{Scale::log, -inf, inf}, {1e-5, 0.5, 3.0, 1e5}},
    {{Scale::log, 0.0, inf}, {1e-5, 0.5, 3.0, 1e5}},
    {{Scale::log, 1e-3, 10.0}, {2e-3, 0.1, 0.5, 9.0}},
    {{Scale::log, 1e-3, inf}, {2e-3, 0.1, 0.5, 900.0}},
    {{Scale::log, 0.0, 10.0}, {2e-3, 0.1, 0.5, 9.0}},
    {{Scale::log10, -inf, inf}, {1e-5, 0.5, 3.0, 1e5}},
    {{Scale::log10, 1e-3, 10.0}, {2e-3, 0.1, 0.5, 9.0}},
    {{Scale::log10, -5.0, 10.0}, {2e-3, 0.1, 0.5, 9.0}},
};

TEST(Transform, goes_there_and_back) {
    for (const auto& [transform, values] : cases) {
        for (const double natural : values) {
            const double back = from_coordinate(transform, to_coordinate(transform, natural));
            EXPECT_NEAR(back, natural, 1e-14 * std::max(std::abs(natural), 0.1)) << name_of(transform.scale) << natural;
        }
    }
}

TEST(Transform, is_exactly_the_scaled_value_without_bounds) {
    EXPECT_EQ(to_coordinate({}, 0.1), 0.1);
    EXPECT_EQ(from_coordinate({}, -1e300), -1e300);
    EXPECT_EQ(to_coordinate({.scale = Scale::log}, 0.3), std::log(0.3));
    EXPECT_EQ(to_coordinate({.scale = Scale::log10, .lower = 0.0}, 0.3), std::log10(0.3));
}

TEST(Transform, slopes_agree_with_differences) {
    for (const auto& [transform, values] : cases) {
        for (const double natural : values) {
            if (std::abs(natural) > 1e6 || std::abs(natural) < 1e-200) {
                continue;
            }
            const double c = to_coordinate(transform, natural);
            const double h = 1e-5 * std::max(1.0, std::abs(c));
            const double rise = from_coordinate(transform, c + h) - from_coordinate(transform, c - h);
            const double slope = coordinate_slope(transform, c);
            EXPECT_NEAR(rise / (2 * h), slope, 1e-6 * std::max(std::abs(slope), 1e-3))
                << name_of(transform.scale) << natural;
            EXPECT_DOUBLE_EQ(scaled_slope(transform, c) * scale_slope(transform.scale, from_coordinate(transform, c)),
                             slope);
        }
    }
}

TEST(Transform, has_slope_one_in_the_middle_and_far_from_the_only_bound) {
    EXPECT_DOUBLE_EQ(coordinate_slope({.lower = 1.0, .upper = 3.0}, 2.0), 1.0);
    EXPECT_DOUBLE_EQ(to_coordinate({.lower = 1.0, .upper = 3.0}, 2.0), 2.0);
    EXPECT_DOUBLE_EQ(coordinate_slope({.lower = 0.0}, 50.0), 1.0);
    EXPECT_DOUBLE_EQ(from_coordinate({.lower = 0.0}, 50.0), 50.0);
    EXPECT_DOUBLE_EQ(from_coordinate({.upper = 0.0}, -50.0), -50.0);
}

TEST(Transform, knows_its_closed_forms) {
    EXPECT_DOUBLE_EQ(from_coordinate({.lower = -1.0, .upper = 1.0}, 0.5), std::tanh(0.5));
    EXPECT_DOUBLE_EQ(from_coordinate({.lower = 2.0}, 2.0), 2.0 + std::log(2.0));
    EXPECT_DOUBLE_EQ(from_coordinate({.upper = 2.0}, 2.0), 2.0 - std::log(2.0));
    EXPECT_DOUBLE_EQ(from_coordinate({.scale = Scale::log, .lower = std::exp(-1.0), .upper = std::exp(1.0)}, 0.5),
                     std::exp(std::tanh(0.5)));
}

TEST(Transform, never_leaves_its_bounds_and_its_slope_is_never_nan) {
    for (const auto& [transform, values] : cases) {
        for (const double c : {-inf, -1e308, -800.0, -40.0, 0.0, 40.0, 800.0, 1e308, inf}) {
            const double natural = from_coordinate(transform, c);
            EXPECT_GE(natural, transform.lower);
            EXPECT_LE(natural, transform.upper);
            if (std::isfinite(c)) {
                EXPECT_FALSE(std::isnan(coordinate_slope(transform, c)));
            }
        }
    }
}

TEST(Transform, makes_a_finite_coordinate_of_a_value_on_its_bound) {
    for (const Transform& transform : {Transform{Scale::linear, 1.0, 3.0}, Transform{Scale::linear, 1.0, inf},
                                       Transform{Scale::linear, -inf, 3.0}, Transform{Scale::log, 1.0, 3.0}}) {
        for (const double bound : {transform.lower, transform.upper}) {
            if (std::isfinite(bound)) {
                const double c = to_coordinate(transform, bound);
                EXPECT_TRUE(std::isfinite(c));
                EXPECT_DOUBLE_EQ(from_coordinate(transform, c), bound);
            }
        }
    }
}

TEST(Transform, survives_bounds_near_the_largest_number) {
    const Transform wide{Scale::linear, -1.7e308, 1.7e308};
    EXPECT_DOUBLE_EQ(from_coordinate(wide, to_coordinate(wide, 12.5)), 12.5);
}

TEST(ScaleNames, name_every_scale_once) {
    for (const std::string& name : scale_names()) {
        ASSERT_TRUE(scale_from(name)) << name;
        EXPECT_EQ(name_of(*scale_from(name)), name);
    }
    EXPECT_EQ(scale_from("ln"), std::nullopt);
}

TEST(Scale, slopes_agree_with_differences) {
    for (const Scale scale : {Scale::linear, Scale::log, Scale::log10}) {
        const double s = to_scaled(scale, 0.7);
        const double rise = from_scaled(scale, s + 1e-6) - from_scaled(scale, s - 1e-6);
        EXPECT_NEAR(scale_slope(scale, 0.7), rise / 2e-6, 1e-9);
    }
}

std::string complaint(const Transform& transform, double natural) {
    try {
        validate(transform, natural, "job.toml: [parameters] alpha");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(ValidateTransform, accepts_values_inside) {
    for (const auto& [transform, values] : cases) {
        for (const double natural : values) {
            EXPECT_EQ(complaint(transform, natural), "");
        }
    }
}

TEST(ValidateTransform, names_value_and_range) {
    EXPECT_EQ(complaint({Scale::linear, 0.0, 1.0}, 2.0), "job.toml: [parameters] alpha: initial = 2 is not inside its "
                                                         "bounds (allowed: 0 < initial < 1); move the value or "
                                                         "the bounds");
    EXPECT_THAT(complaint({Scale::linear, 0.0, 1.0}, 1.0), HasSubstr("initial = 1 is not inside its bounds"));
    EXPECT_THAT(complaint({Scale::linear, 0.0, 1.0}, std::nan("")), HasSubstr("initial = nan is not inside"));
    EXPECT_THAT(complaint({Scale::linear, 2.0, 2.0}, 2.0), HasSubstr("lower = 2 and upper = 2 leave no room"));
    EXPECT_THAT(complaint({Scale::log, -inf, inf}, 0.0), HasSubstr("initial = 0 does not go with the scale log"));
    EXPECT_THAT(complaint({Scale::log10, -inf, -1.0}, 1.0),
                HasSubstr("upper = -1 cannot be reached on the scale log10"));
}

} // namespace
} // namespace rondo::optimise
