#include <rondo/gradient/parameters.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace rondo::gradient {
namespace {

/// One on each scale, with a fixed one between.
std::vector<Parameter> three_and_a_fixed_one() {
    std::vector<Parameter> parameters(4);
    parameters[0] = {.name = "plain", .initial = -3.0, .estimated = true};
    parameters[1] = {.name = "fixed", .initial = 42.0};
    parameters[2] = {.name = "log", .initial = 5.0, .estimated = true, .transform = {.scale = optimise::Scale::log}};
    parameters[3] = {.name = "bounded",
                     .initial = 1.0,
                     .estimated = true,
                     .transform = {.scale = optimise::Scale::log10, .lower = 0.01, .upper = 1000.0}};
    return parameters;
}

TEST(Parameters, estimated_ones_are_the_active_ones) {
    EXPECT_THAT(estimated(three_and_a_fixed_one()), testing::ElementsAre(0U, 2U, 3U));
}

TEST(Parameters, coordinates_of_the_initial_values_lead_back_to_them) {
    const auto parameters = three_and_a_fixed_one();
    const auto coordinates = initial_coordinates(parameters);
    ASSERT_EQ(coordinates.size(), 3U);
    EXPECT_EQ(coordinates[0], -3.0);
    EXPECT_DOUBLE_EQ(coordinates[1], std::log(5.0));
    const auto natural = natural_values(parameters, coordinates);
    EXPECT_THAT(natural, testing::Pointwise(testing::DoubleNear(1e-14), {-3.0, 42.0, 5.0, 1.0}));
}

TEST(Parameters, slopes_are_those_of_the_natural_values) {
    const auto parameters = three_and_a_fixed_one();
    const std::vector<double> at{0.3, -0.7, 1.9};
    const auto slopes = coordinate_slopes(parameters, at);
    const auto active = estimated(parameters);
    for (std::size_t k = 0; k < at.size(); ++k) {
        auto up = at, down = at;
        constexpr double h = 1e-5;
        up[k] += h;
        down[k] -= h;
        const double quotient =
            (natural_values(parameters, up)[active[k]] - natural_values(parameters, down)[active[k]]) / (2 * h);
        EXPECT_NEAR(slopes[k], quotient, 1e-7 * std::abs(quotient)) << "parameter " << k;
    }
}

TEST(Parameters, priors_add_their_loss_and_slope_on_the_parameters_scale) {
    auto parameters = three_and_a_fixed_one();
    parameters[0].prior = optimise::Prior{optimise::PriorKind::normal, {1.0, 2.0}};
    parameters[2].prior = optimise::Prior{optimise::PriorKind::normal, {0.0, 0.5}}; // of log x
    const std::vector<double> natural{-3.0, 42.0, 5.0, 1.0};
    std::vector<double> gradient{10.0, 20.0, 30.0};
    const double loss = add_priors(parameters, natural, gradient);
    const double log5 = std::log(5.0), constant = 0.5 * std::log(2.0 * std::acos(-1.0));
    EXPECT_NEAR(loss, 0.5 * 4.0 + std::log(2.0) + constant + 0.5 * log5 * log5 / 0.25 + std::log(0.5) + constant,
                1e-12);
    EXPECT_THAT(gradient,
                testing::Pointwise(testing::DoubleNear(1e-12), {10.0 - 4.0 / 4.0, 20.0 + log5 / 0.25 / 5.0, 30.0}));
}

TEST(Parameters, without_a_gradient_only_the_loss_of_priors_is_returned) {
    auto parameters = three_and_a_fixed_one();
    parameters[0].prior = optimise::Prior{optimise::PriorKind::laplace, {-3.0, 2.0}};
    EXPECT_NEAR(add_priors(parameters, std::vector<double>{-3.0, 42.0, 5.0, 1.0}, {}), std::log(4.0), 1e-14);
}

} // namespace
} // namespace rondo::gradient
