#include "solve/helpers.hpp"
#include "solve/observe.hpp"
#include "support/exact_problems.hpp"

namespace rondo::solve {
namespace {

/// x observed twice: z = [x, k x] with noise s.
model::Model observed(model::LossKind loss, bool noise) {
    model::Spec spec = ::rondo::testing::make_spec({{"x", "-k*x", "1"}}, {"k", "s"});
    spec.observables = {{"plain", "x", "plain"}, {"times_k", "k*x", "times_k"}};
    spec.loss.kind = loss;
    spec.loss.sigma = noise ? "s" : "";
    return model::interpreted_model(spec, std::vector<std::size_t>{0, 1});
}

const std::vector<double> parameters{3.0, 0.5};
const std::vector<double> covariates{1.0};
const double x = 2.0;

struct Fixture {
    model::Model model;
    ensemble::Ensemble data;
    ensemble::Trajectory trajectory = data.trajectory(0);
    std::vector<Stop> stops = stops_of(trajectory);
    Field field{model, parameters, covariates};
    Observer observer;
};

TEST(Observer, sums_points_of_one_time_and_their_derivatives) {
    Fixture f{observed(model::LossKind::squared, false),
              one_trajectory({"plain", "times_k"}, {1.0, 1.0, 2.0}, {1.0, 5.0, 3.0, missing, 0.0, 0.0})};
    f.observer.begin(f.field, f.trajectory, Want::gradient, nullptr);

    ASSERT_TRUE(f.observer.take(f.stops[0], &x));

    // residuals 1, -1 of x and 1 of k x
    EXPECT_EQ(f.observer.loss(), 3.0);
    ASSERT_TRUE(f.observer.has_gradient());
    EXPECT_EQ(f.observer.gx()[0], 2.0 - 2.0 + 2.0 * 3.0);
    EXPECT_EQ(f.observer.gp()[0], 2.0 * 2.0);
    EXPECT_EQ(f.observer.gp()[1], 0.0);
}

TEST(Observer, adds_the_share_of_the_noise) {
    Fixture f{observed(model::LossKind::gaussian, true), one_trajectory({"plain", "times_k"}, {1.0}, {1.0, missing})};
    f.observer.begin(f.field, f.trajectory, Want::gradient, nullptr);

    ASSERT_TRUE(f.observer.take(f.stops[0], &x));

    EXPECT_NEAR(f.observer.gx()[0], 1.0 / 0.25, 1e-14);
    EXPECT_NEAR(f.observer.gp()[1], (1.0 - 4.0) / 0.5, 1e-14);
}

TEST(Observer, has_no_gradient_without_points_or_without_the_wish) {
    Fixture f{observed(model::LossKind::squared, false),
              one_trajectory({"plain", "times_k"}, {1.0}, {missing, missing})};
    f.observer.begin(f.field, f.trajectory, Want::gradient, nullptr);
    ASSERT_TRUE(f.observer.take(f.stops[0], &x));
    EXPECT_FALSE(f.observer.has_gradient());
    EXPECT_EQ(f.observer.loss(), 0.0);

    Fixture g{observed(model::LossKind::squared, false), one_trajectory({"plain", "times_k"}, {1.0}, {1.0, 1.0})};
    g.observer.begin(g.field, g.trajectory, Want::loss, nullptr);
    ASSERT_TRUE(g.observer.take(g.stops[0], &x));
    EXPECT_FALSE(g.observer.has_gradient());
    EXPECT_EQ(g.observer.loss(), 1.0 + 25.0);
}

TEST(Observer, writes_values_and_sigmas_of_every_row) {
    Fixture f{observed(model::LossKind::gaussian, true),
              one_trajectory({"plain", "times_k"}, {1.0, 1.0, 2.0}, std::vector<double>(6, missing))};
    std::vector<double> predictions(12, -1.0);
    f.observer.begin(f.field, f.trajectory, Want::loss, predictions.data());
    EXPECT_TRUE(std::isnan(predictions[0]));

    ASSERT_TRUE(f.observer.take(f.stops[0], &x));

    const std::vector<double> row{2.0, 6.0, 0.5, 0.5};
    EXPECT_EQ(std::vector<double>(predictions.begin(), predictions.begin() + 4), row);
    EXPECT_EQ(std::vector<double>(predictions.begin() + 4, predictions.begin() + 8), row);
    EXPECT_TRUE(std::isnan(predictions[8]));
}

TEST(Observer, cross_entropy_is_the_mean_over_the_labels_there_are) {
    Fixture f{observed(model::LossKind::cross_entropy, false),
              one_trajectory({"label"}, {1.0, 2.0, 3.0}, {0.0, missing, 1.0})};
    f.observer.begin(f.field, f.trajectory, Want::gradient, nullptr);
    for (const Stop& stop : f.stops) {
        ASSERT_TRUE(f.observer.take(stop, &x));
    }

    const double total = std::log(std::exp(2.0) + std::exp(6.0));
    EXPECT_NEAR(f.observer.loss(), 0.5 * (total - 2.0) + 0.5 * (total - 6.0), 1e-12);
}

TEST(Observer, says_which_point_has_no_loss) {
    Fixture f{observed(model::LossKind::lognormal, true), one_trajectory({"plain", "times_k"}, {1.5}, {missing, 0.25})};
    const double negative = -2.0;
    f.observer.begin(f.field, f.trajectory, Want::gradient, nullptr);

    EXPECT_FALSE(f.observer.take(f.stops[0], &negative));

    EXPECT_EQ(f.observer.reason(),
              "observable \"times_k\" at time 1.5: the loss is not finite (model -6, sigma 0.5, data 0.25)");
    EXPECT_FALSE(f.observer.has_gradient());
}

} // namespace
} // namespace rondo::solve
