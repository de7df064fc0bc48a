#include <rondo/model/loss.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace rondo::model {
namespace {

constexpr std::array point_losses{LossKind::squared, LossKind::gaussian, LossKind::lognormal, LossKind::laplace,
                                  LossKind::huber};
constexpr double delta = 0.5;
const double nan = std::numeric_limits<double>::quiet_NaN();

double value(LossKind kind, double output, double sigma, double datum) {
    return point_loss(kind, delta, output, sigma, datum).value;
}

TEST(LossNames, read_back_as_the_same_kind) {
    ASSERT_EQ(loss_names().size(), 6U);
    for (const std::string& name : loss_names()) {
        ASSERT_TRUE(loss_from(name).has_value());
        EXPECT_EQ(name_of(*loss_from(name)), name);
    }
    EXPECT_EQ(loss_from("huber"), LossKind::huber);
    EXPECT_EQ(loss_from("Gaussian"), std::nullopt);
}

TEST(LossNames, say_which_losses_have_a_noise_scale) {
    for (const std::string& name : loss_names()) {
        EXPECT_EQ(uses_sigma(*loss_from(name)), name == "gaussian" || name == "lognormal" || name == "laplace") << name;
    }
}

TEST(PointLoss, has_the_values_of_the_formulas) {
    const double log_two_pi = std::log(2 * std::numbers::pi);
    EXPECT_DOUBLE_EQ(value(LossKind::squared, 5, nan, 2), 9);
    EXPECT_DOUBLE_EQ(value(LossKind::gaussian, 5, 2, 2), 9.0 / 8 + std::log(2) + log_two_pi / 2);
    EXPECT_DOUBLE_EQ(value(LossKind::lognormal, std::exp(3.0), 2, std::exp(1.0)),
                     4.0 / 8 + std::log(2) + log_two_pi / 2 + 1);
    EXPECT_DOUBLE_EQ(value(LossKind::laplace, 5, 2, 2), 1.5 + std::log(4));
    EXPECT_DOUBLE_EQ(value(LossKind::huber, 2.25, nan, 2), 0.25 * 0.25 / 2);
    EXPECT_DOUBLE_EQ(value(LossKind::huber, -1, nan, 2), 0.5 * (3 - 0.25));
}

TEST(PointLoss, of_a_likelihood_integrates_to_one_over_the_data) {
    for (const LossKind kind : {LossKind::gaussian, LossKind::lognormal, LossKind::laplace}) {
        constexpr int n = 200'000;
        constexpr double low = -20, high = 40;
        constexpr double width = (high - low) / n;
        double total = 0;
        for (int i = 0; i < n; ++i) {
            const double datum = low + (i + 0.5) * width;
            if (kind != LossKind::lognormal || datum > 0) {
                total += width * std::exp(-value(kind, 2.0, 0.4, datum));
            }
        }
        EXPECT_NEAR(total, 1, 1e-7) << name_of(kind);
    }
}

TEST(PointLoss, has_the_derivatives_of_its_value) {
    for (const LossKind kind : point_losses) {
        for (const double output : {0.4, 1.2, 1.6, 3.7}) {
            constexpr double sigma = 0.8, datum = 1.4, h = 1e-6;
            const PointLoss loss = point_loss(kind, delta, output, sigma, datum);
            EXPECT_NEAR(loss.d_output,
                        (value(kind, output + h, sigma, datum) - value(kind, output - h, sigma, datum)) / (2 * h), 1e-8)
                << name_of(kind) << " at " << output;
            EXPECT_NEAR(loss.d_sigma,
                        (value(kind, output, sigma + h, datum) - value(kind, output, sigma - h, datum)) / (2 * h), 1e-8)
                << name_of(kind) << " at " << output;
        }
    }
}

TEST(PointLoss, has_no_slope_where_the_model_meets_the_datum) {
    for (const LossKind kind : point_losses) {
        EXPECT_EQ(point_loss(kind, delta, 1.5, 0.3, 1.5).d_output, 0) << name_of(kind);
    }
}

/// Mean of f(datum) under the density exp(-loss), in the variable u = (datum - output) / sigma (of the logarithms in
/// lognormal).
template <class Integrand>
double expectation(LossKind kind, double output, double sigma, const Integrand& integrand) {
    constexpr int n = 400'000;
    constexpr double reach = 40, width = 2 * reach / n;
    double total = 0;
    for (int i = 0; i < n; ++i) {
        const double u = -reach + (i + 0.5) * width;
        const double density = kind == LossKind::laplace ? std::exp(-std::abs(u)) / 2
                                                         : std::exp(-u * u / 2) / std::sqrt(2 * std::numbers::pi);
        const double datum = kind == LossKind::lognormal ? output * std::exp(sigma * u) : output + sigma * u;
        total += width * density * integrand(point_loss(kind, delta, output, sigma, datum));
    }
    return total;
}

TEST(PointLoss, has_the_fisher_information_of_its_likelihood_as_curvature) {
    constexpr double output = 1.7, sigma = 0.6;
    for (const LossKind kind : {LossKind::gaussian, LossKind::lognormal, LossKind::laplace}) {
        const PointLoss loss = point_loss(kind, delta, output, sigma, 2.0);
        const double by_output =
            expectation(kind, output, sigma, [](const PointLoss& l) { return l.d_output * l.d_output; });
        const double by_sigma =
            expectation(kind, output, sigma, [](const PointLoss& l) { return l.d_sigma * l.d_sigma; });
        EXPECT_NEAR(loss.curvature_output / by_output, 1, 1e-6) << name_of(kind);
        EXPECT_NEAR(loss.curvature_sigma / by_sigma, 1, 1e-6) << name_of(kind);
    }
}

TEST(PointLoss, without_likelihood_has_the_curvature_stated) {
    EXPECT_EQ(point_loss(LossKind::squared, delta, 4, nan, 1).curvature_output, 2);
    EXPECT_EQ(point_loss(LossKind::huber, delta, 1.25, nan, 1).curvature_output, 1);
    EXPECT_DOUBLE_EQ(point_loss(LossKind::huber, delta, 3, nan, 1).curvature_output, 0.25);
    EXPECT_DOUBLE_EQ(point_loss(LossKind::huber, delta, -1, nan, 1).curvature_output, 0.25);
    for (const LossKind kind : {LossKind::squared, LossKind::huber}) {
        EXPECT_EQ(point_loss(kind, delta, 4, nan, 1).d_sigma, 0);
        EXPECT_EQ(point_loss(kind, delta, 4, nan, 1).curvature_sigma, 0);
    }
}

TEST(PointLoss, is_nan_where_it_is_not_defined) {
    for (const LossKind kind : {LossKind::gaussian, LossKind::lognormal, LossKind::laplace}) {
        for (const double sigma : {0.0, -1.0, nan}) {
            EXPECT_TRUE(std::isnan(value(kind, 1, sigma, 2))) << name_of(kind) << " with sigma " << sigma;
        }
    }
    EXPECT_TRUE(std::isnan(value(LossKind::lognormal, 0, 1, 2)));
    EXPECT_TRUE(std::isnan(value(LossKind::lognormal, -1, 1, 2)));
    EXPECT_TRUE(std::isnan(value(LossKind::lognormal, 1, 1, 0)));
    EXPECT_TRUE(std::isnan(value(LossKind::lognormal, 1, 1, -2)));
    for (const LossKind kind : point_losses) {
        EXPECT_TRUE(std::isnan(value(kind, nan, 1, 2))) << name_of(kind) << " of an output that is no number";
    }
}

TEST(CrossEntropy, of_equal_logits_is_the_logarithm_of_their_number) {
    const std::array logits{7.0, 7.0, 7.0, 7.0};
    std::array<double, 4> slope{};
    EXPECT_DOUBLE_EQ(cross_entropy(logits, 2, slope), std::log(4));
    EXPECT_DOUBLE_EQ(slope[0], 0.25);
    EXPECT_DOUBLE_EQ(slope[2], -0.75);
}

TEST(CrossEntropy, has_the_derivatives_of_its_value) {
    std::array logits{0.3, -1.2, 2.0};
    std::array<double, 3> slope{}, unused{};
    static_cast<void>(cross_entropy(logits, 1, slope));
    for (std::size_t i = 0; i < logits.size(); ++i) {
        constexpr double h = 1e-6;
        const double centre = logits[i];
        logits[i] = centre + h;
        const double above = cross_entropy(logits, 1, unused);
        logits[i] = centre - h;
        const double below = cross_entropy(logits, 1, unused);
        logits[i] = centre;
        EXPECT_NEAR(slope[i], (above - below) / (2 * h), 1e-9) << "logit " << i;
    }
}

TEST(CrossEntropy, stays_finite_for_logits_beyond_the_range_of_exp) {
    const std::array logits{1000.0, -1000.0};
    std::array<double, 2> slope{};
    EXPECT_DOUBLE_EQ(cross_entropy(logits, 0, slope), 0);
    EXPECT_DOUBLE_EQ(cross_entropy(logits, 1, slope), 2000);
    EXPECT_DOUBLE_EQ(slope[0], 1);
    EXPECT_DOUBLE_EQ(slope[1], -1);
}

} // namespace
} // namespace rondo::model
