// Forward = adjoint = differences = closed form.

#include "solve/helpers.hpp"
#include "support/exact_problems.hpp"

#include <rondo/model/loss.hpp>

namespace rondo::solve {
namespace {

using ensemble::Action;
using ensemble::Event;
using model::LossKind;
using ::rondo::testing::ExactProblem;

const std::vector<Method> methods{Method::bdf, Method::adams, Method::tsit5};
const std::vector<Sensitivity> both{Sensitivity::forward, Sensitivity::adjoint};

std::string name(Method method, Sensitivity sensitivity) {
    return std::string{name_of(method)} + ", " + std::string{name_of(sensitivity)};
}

// ---- closed forms

class ExactTest : public ::testing::TestWithParam<int> {
protected:
    static ExactProblem problem() {
        switch (GetParam()) {
        case 0:
            return ::rondo::testing::decay();
        case 1:
            return ::rondo::testing::logistic();
        default:
            return ::rondo::testing::oscillator();
        }
    }
};

TEST_P(ExactTest, loss_and_gradient_are_the_closed_form) {
    const ExactProblem exact = problem();
    const std::size_t m = exact.parameters.size(), n = exact.spec.states.size();
    const model::Model model = model::interpreted_model(exact.spec, exact.all_parameters());
    const std::vector<double> times{0.0, 0.3, 0.9, 1.0, 2.5, 4.0};
    std::vector<double> data;
    double loss = 0;
    std::vector<double> gradient(m, 0.0);
    for (std::size_t row = 0; row < times.size(); ++row) {
        for (std::size_t i = 0; i < n; ++i) {
            const double x = exact.state(i, times[row], exact.parameters);
            const double residual = 0.1 * static_cast<double>(1 + row) - 0.3 * static_cast<double>(i);
            data.push_back(x - residual);
            loss += residual * residual;
            for (std::size_t k = 0; k < m; ++k) {
                gradient[k] += 2.0 * residual * exact.sensitivity(i, k, times[row], exact.parameters);
            }
        }
    }
    const auto ensemble = one_trajectory(exact.spec.states, times, data);
    for (const Method method : methods) {
        for (const Sensitivity sensitivity : both) {
            const Solution solution =
                solve_once(make_options(method, sensitivity, 1e-10, 1e-12), model, ensemble, exact.parameters);

            ASSERT_TRUE(solution.outcome.solved) << solution.outcome.reason;
            EXPECT_NEAR(solution.loss(), loss, 1e-7 * loss) << name(method, sensitivity);
            expect_near(solution.gradient(m), gradient, 2e-7, name(method, sensitivity));
            for (std::size_t row = 0; row < times.size(); ++row) {
                EXPECT_NEAR(solution.predictions[row * 2 * n], exact.state(0, times[row], exact.parameters), 1e-7);
            }
        }
    }
}

TEST_P(ExactTest, curvature_is_the_closed_form_of_gauss_and_newton) {
    const ExactProblem exact = problem();
    const std::size_t m = exact.parameters.size(), n = exact.spec.states.size();
    const model::Model model = model::interpreted_model(exact.spec, exact.all_parameters());
    const std::vector<double> times{0.5, 1.5, 1.5};
    const auto ensemble = one_trajectory(exact.spec.states, times, std::vector<double>(times.size() * n, 0.1));
    std::vector<double> expected;
    for (std::size_t k = 0; k < m; ++k) {
        for (std::size_t l = k; l < m; ++l) {
            double sum = 0;
            for (const double t : times) {
                for (std::size_t i = 0; i < n; ++i) {
                    sum += 2.0 * exact.sensitivity(i, k, t, exact.parameters) *
                           exact.sensitivity(i, l, t, exact.parameters);
                }
            }
            expected.push_back(sum);
        }
    }

    const Solution solution = solve_once(make_options(Method::bdf, Sensitivity::forward, 1e-10, 1e-12), model, ensemble,
                                         exact.parameters, Want::curvature);

    ASSERT_TRUE(solution.outcome.solved) << solution.outcome.reason;
    expect_near({solution.row.data() + 1 + m, expected.size()}, expected, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Problems, ExactTest, ::testing::Values(0, 1, 2));

// ---- every loss, against differences

/// A predator-prey model observed through functions of its states, with a noise that depends on parameter and state.
model::Spec observed_pair(LossKind loss, bool sigma_from_data) {
    model::Spec spec =
        ::rondo::testing::make_spec({{"u", "a*u - b*u*v + 0.05*sin(t)", "u0*c"}, {"v", "b*u*v - d*v", "0.5 + 0.1*a"}},
                                    {"a", "b", "d", "u0", "s", "g"});
    spec.covariates = {"index", "c"};
    spec.observables = {{"first", "u + g*v", "first"}, {"second", "exp(-g)*v + 0.1*t", "second"}};
    spec.loss.kind = loss;
    spec.loss.delta = 0.2;
    if (model::uses_sigma(loss) && !sigma_from_data) {
        spec.loss.sigma = "s*(1 + 0.1*u)";
    }
    if (loss == LossKind::cross_entropy) {
        spec.observables.push_back({"third", "u*v - g", "third"});
    }
    return spec;
}

const std::vector<double> pair_parameters{1.1, 0.7, 0.9, 1.2, 0.4, 0.3};
const std::vector<std::size_t> pair_active{0, 1, 2, 3, 4, 5};

/// Points at the start time, missing values, replicates.
ensemble::Ensemble pair_data(LossKind loss, bool sigma_from_data, std::vector<Event> events = {}) {
    const std::vector<double> times{0.0, 0.0, 0.5, 1.0, 1.0, 2.0, 3.0};
    ensemble::Ensemble data;
    if (loss == LossKind::cross_entropy) {
        data = one_trajectory({"label"}, times, {0, 2, 1, missing, 1, 0, 2}, {}, std::move(events));
    } else {
        data = one_trajectory({"first", "second"}, times,
                              {1.1, missing, 1.3, 0.4, 1.9, 0.7, missing, missing, 2.0, 1.1, 1.5, missing, 0.9, 0.8},
                              sigma_from_data ? std::vector<double>{0.3, missing, 0.2, 0.5, 0.4, 0.3, missing, missing,
                                                                    0.1, 0.2, 0.6, missing, 0.3, 0.2}
                                              : std::vector<double>{},
                              std::move(events));
    }
    data.covariate_names = {"index", "c"};
    data.covariates = {1.0, 1.3};
    return data;
}

void expect_methods_agree(const model::Model& model, const ensemble::Ensemble& ensemble,
                          const std::vector<double>& parameters, double initial_time = 0, double tolerance = 2e-6) {
    const std::vector<double> expected = differences(model, ensemble, parameters, initial_time);
    for (const Method method : methods) {
        for (const Sensitivity sensitivity : both) {
            const Solution solution = solve_once(make_options(method, sensitivity, 1e-10, 1e-12), model, ensemble,
                                                 parameters, Want::gradient, initial_time);
            ASSERT_TRUE(solution.outcome.solved) << solution.outcome.reason;
            EXPECT_EQ(solution.outcome.attempts, 1);
            expect_near(solution.gradient(model.n_active()), expected, tolerance, name(method, sensitivity));
        }
    }
}

struct LossCase {
    LossKind kind;
    bool sigma_from_data;
};

class LossTest : public ::testing::TestWithParam<LossCase> {};

TEST_P(LossTest, forward_adjoint_and_differences_agree) {
    const auto [kind, sigma_from_data] = GetParam();
    const model::Model model = model::interpreted_model(observed_pair(kind, sigma_from_data), pair_active);
    ASSERT_EQ(model.sigma_from_data, sigma_from_data);

    expect_methods_agree(model, pair_data(kind, sigma_from_data), pair_parameters);
}

TEST_P(LossTest, curvature_is_the_differences_of_the_outputs) {
    const auto [kind, sigma_from_data] = GetParam();
    if (kind == LossKind::cross_entropy) {
        return; // refused: see SingleTest
    }
    const model::Model model = model::interpreted_model(observed_pair(kind, sigma_from_data), pair_active);
    const ensemble::Ensemble data = pair_data(kind, sigma_from_data);
    const std::size_t m = model.n_active(), n_rows = data.time.size(), n_outputs = 4;
    const Options tight = make_options(Method::bdf, Sensitivity::forward, 1e-11, 1e-13);
    const auto engine = make_engine(tight, model);
    const Solution here = solve_with(*engine, model, data, pair_parameters, Want::curvature);
    std::vector<std::vector<double>> slopes;
    for (std::size_t k = 0; k < m; ++k) {
        std::vector<double> up = pair_parameters, down = pair_parameters;
        up[k] += 1e-4;
        down[k] -= 1e-4;
        const auto above = solve_with(*engine, model, data, up, Want::loss).predictions;
        const auto below = solve_with(*engine, model, data, down, Want::loss).predictions;
        slopes.emplace_back();
        for (std::size_t i = 0; i < above.size(); ++i) {
            slopes.back().push_back((above[i] - below[i]) / 2e-4);
        }
    }
    std::vector<double> expected;
    for (std::size_t k = 0; k < m; ++k) {
        for (std::size_t l = k; l < m; ++l) {
            double sum = 0;
            for (std::size_t row = 0; row < n_rows; ++row) {
                for (std::size_t i = 0; i < 2; ++i) {
                    const double datum = data.value[row * 2 + i];
                    if (std::isnan(datum)) {
                        continue;
                    }
                    const std::size_t at = row * n_outputs + i;
                    const double sigma = sigma_from_data ? data.sigma[row * 2 + i] : here.predictions[at + 2];
                    const auto point = model::point_loss(kind, 0.2, here.predictions[at], sigma, datum);
                    sum += point.curvature_output * slopes[k][at] * slopes[l][at];
                    if (!sigma_from_data) {
                        sum += point.curvature_sigma * slopes[k][at + 2] * slopes[l][at + 2];
                    }
                }
            }
            expected.push_back(sum);
        }
    }

    ASSERT_TRUE(here.outcome.solved) << here.outcome.reason;
    expect_near({here.row.data() + 1 + m, expected.size()}, expected, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Losses, LossTest,
                         ::testing::Values(LossCase{LossKind::squared, false}, LossCase{LossKind::gaussian, false},
                                           LossCase{LossKind::gaussian, true}, LossCase{LossKind::lognormal, false},
                                           LossCase{LossKind::lognormal, true}, LossCase{LossKind::laplace, false},
                                           LossCase{LossKind::laplace, true}, LossCase{LossKind::huber, false},
                                           LossCase{LossKind::cross_entropy, false}));

// ---- events

class EventTest : public ::testing::TestWithParam<Action> {};

model::Model pair_with_amounts() {
    model::Spec spec = observed_pair(LossKind::squared, false);
    spec.amounts = {{"amount 1", "g*c + 0.2*t", "amount 1"}, {"amount 2", "0.5 + a*u0", "amount 2"}};
    return model::interpreted_model(spec, pair_active);
}

TEST_P(EventTest, sensitivities_pass_through) {
    const Action action = GetParam();
    const std::vector<Event> events{{0.7, 0, action, 0, 0}, {1.4, 1, action, 1, 0}, {2.5, 0, action, -1, 1.5}};

    expect_methods_agree(pair_with_amounts(), pair_data(LossKind::squared, false, events), pair_parameters);
}

TEST_P(EventTest, may_be_at_points_and_at_the_start_and_at_one_time) {
    const Action action = GetParam();
    const std::vector<Event> events{{0.0, 0, action, 1, 0},      {0.0, 1, Action::multiply, 0, 0},
                                    {1.0, 1, action, 0, 0},      {2.0, 0, action, -1, 0.6},
                                    {2.0, 0, Action::add, 1, 0}, {3.0, 0, action, -1, 1e9},
                                    {4.0, 0, action, -1, 1e9}};

    expect_methods_agree(pair_with_amounts(), pair_data(LossKind::squared, false, events), pair_parameters);
}

INSTANTIATE_TEST_SUITE_P(Actions, EventTest, ::testing::Values(Action::add, Action::multiply, Action::replace));

TEST(Events, are_after_the_points_of_their_time) {
    const ExactProblem exact = ::rondo::testing::decay();
    const model::Model model = model::interpreted_model(exact.spec, exact.all_parameters());
    const auto ensemble = one_trajectory({"x"}, {0.0, 1.0, 2.0}, {0, 0, 0}, {},
                                         {{0.0, 0, Action::replace, -1, 7.0}, {1.0, 0, Action::add, -1, 1.0}});

    const Solution solution =
        solve_once(make_options(Method::bdf, Sensitivity::forward, 1e-10, 1e-12), model, ensemble, exact.parameters);

    const double decay = std::exp(-exact.parameters[0]);
    EXPECT_EQ(solution.predictions[0], exact.parameters[1]);
    EXPECT_NEAR(solution.predictions[2], 7.0 * decay, 1e-7);
    EXPECT_NEAR(solution.predictions[4], (7.0 * decay + 1.0) * decay, 1e-7);
}

// ---- other shapes

TEST(Gradient, of_some_of_the_parameters_is_that_part) {
    const model::Model whole = model::interpreted_model(observed_pair(LossKind::gaussian, false), pair_active);
    const std::vector<std::size_t> some{1, 4};
    const model::Model part = model::interpreted_model(observed_pair(LossKind::gaussian, false), some);
    const auto data = pair_data(LossKind::gaussian, false);
    for (const Sensitivity sensitivity : both) {
        const Options options = make_options(Method::bdf, sensitivity, 1e-10, 1e-12);
        const auto all = solve_once(options, whole, data, pair_parameters).gradient(6);
        const auto two = solve_once(options, part, data, pair_parameters).gradient(2);
        expect_near(two, std::vector<double>{all[1], all[4]}, 1e-7);
    }
}

TEST(Gradient, without_active_parameters_is_empty) {
    const model::Model model = model::interpreted_model(observed_pair(LossKind::squared, false), {});
    const auto data = pair_data(LossKind::squared, false);
    for (const Sensitivity sensitivity : both) {
        const Solution solution = solve_once(make_options(Method::bdf, sensitivity), model, data, pair_parameters);
        EXPECT_TRUE(solution.outcome.solved);
        EXPECT_EQ(solution.row.size(), 1U);
        EXPECT_GT(solution.loss(), 0.0);
    }
}

TEST(Gradient, with_an_initial_time_that_is_not_zero) {
    const model::Model model = model::interpreted_model(observed_pair(LossKind::squared, false), pair_active);

    expect_methods_agree(model, pair_data(LossKind::squared, false), pair_parameters, -1.5);
}

TEST(Gradient, with_a_parameter_that_is_zero) {
    const model::Model model = model::interpreted_model(observed_pair(LossKind::squared, false), pair_active);
    std::vector<double> parameters = pair_parameters;
    parameters[5] = 0.0;
    const auto data = pair_data(LossKind::squared, false);
    const auto forward =
        solve_once(make_options(Method::bdf, Sensitivity::forward, 1e-10, 1e-12), model, data, parameters);
    const auto adjoint =
        solve_once(make_options(Method::bdf, Sensitivity::adjoint, 1e-10, 1e-12), model, data, parameters);

    expect_near(adjoint.gradient(6), forward.gradient(6), 1e-6);
    EXPECT_NE(forward.gradient(6)[5], 0.0);
}

TEST(Gradient, of_a_perfect_fit_is_zero_and_needs_no_way_back) {
    const ExactProblem exact = ::rondo::testing::decay();
    const model::Model model = model::interpreted_model(exact.spec, exact.all_parameters());
    const auto empty = one_trajectory({"x"}, {0.0, 1.0}, {missing, missing});

    const Solution solution =
        solve_once(make_options(Method::bdf, Sensitivity::adjoint), model, empty, exact.parameters);

    EXPECT_TRUE(solution.outcome.solved);
    EXPECT_EQ(solution.row, (std::vector<double>{0, 0, 0}));
    EXPECT_NEAR(solution.predictions[2], exact.state(0, 1.0, exact.parameters), 1e-4);
}

TEST(Gradient, meets_the_tolerances_when_the_loss_is_scaled) {
    // The same problem in units a million times smaller: the adjoint's tolerances have to follow the loss.
    model::Spec spec = observed_pair(LossKind::squared, false);
    spec.observables = {{"first", "1e-6*(u + g*v)", "first"}, {"second", "1e-6*v", "second"}};
    const model::Model model = model::interpreted_model(spec, pair_active);
    ensemble::Ensemble data = pair_data(LossKind::squared, false);
    for (double& value : data.value) {
        value *= 1e-6;
    }
    const auto reference =
        solve_once(make_options(Method::bdf, Sensitivity::forward, 1e-12, 1e-14), model, data, pair_parameters);
    const auto adjoint =
        solve_once(make_options(Method::bdf, Sensitivity::adjoint, 1e-7, 1e-9), model, data, pair_parameters);

    expect_near(adjoint.gradient(6), reference.gradient(6), 2e-5);
}

} // namespace
} // namespace rondo::solve
