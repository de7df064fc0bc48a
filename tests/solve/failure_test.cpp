// Trajectories that cannot be solved: an outcome with a reason, never a number that looks like a fit.

#include "solve/helpers.hpp"
#include "support/exact_problems.hpp"

#include <stdexcept>

namespace rondo::solve {
namespace {

using ::rondo::testing::make_spec;

const std::vector<Sensitivity> both{Sensitivity::forward, Sensitivity::adjoint};

void expect_failure(const Solution& solution, const std::string& reason, int attempts = 3) {
    EXPECT_FALSE(solution.outcome.solved);
    EXPECT_EQ(solution.outcome.attempts, attempts);
    EXPECT_NE(solution.outcome.reason.find(reason), std::string::npos) << solution.outcome.reason;
    for (const double value : solution.row) {
        EXPECT_EQ(value, 0.0);
    }
}

TEST(Failure, of_a_solution_that_blows_up) {
    const model::Model model =
        model::interpreted_model(make_spec({{"x", "a*x^2", "1"}}, {"a"}), std::vector<std::size_t>{0});
    const auto ensemble = one_trajectory({"x"}, {0.5, 2.0}, {2.0, 3.0});
    for (const Sensitivity sensitivity : both) {
        const Solution solution = solve_once(make_options(Method::bdf, sensitivity), model, ensemble, {1.0});

        expect_failure(solution, "shorter than the rounding of the time (time 0.99");
        EXPECT_NEAR(solution.outcome.time_reached, 1.0, 0.01);
        EXPECT_NEAR(solution.predictions[0], 2.0, 1e-4);
        EXPECT_TRUE(std::isnan(solution.predictions[2]));
    }
}

TEST(Failure, of_max_steps_counts_the_whole_trajectory) {
    // Each save point alone is reached in far fewer steps; events make many segments.
    const auto exact = ::rondo::testing::oscillator();
    const model::Model model = model::interpreted_model(exact.spec, exact.all_parameters());
    std::vector<double> times, values;
    std::vector<ensemble::Event> events;
    for (int i = 1; i <= 50; ++i) {
        times.push_back(i);
        values.insert(values.end(), {0.0, 0.0});
        events.push_back({i - 0.5, 0, ensemble::Action::add, -1, 0.0});
    }
    const auto ensemble = one_trajectory({"x", "v"}, times, values, {}, events);
    Options options = make_options(Method::adams, Sensitivity::forward);
    const Solution free = solve_once(options, model, ensemble, exact.parameters);
    ASSERT_TRUE(free.outcome.solved);
    options.max_steps = free.outcome.n_steps;
    EXPECT_TRUE(solve_once(options, model, ensemble, exact.parameters).outcome.solved);
    options.max_attempts = 1;
    options.max_steps = free.outcome.n_steps - 1;

    const Solution solution = solve_once(options, model, ensemble, exact.parameters);

    expect_failure(solution, "max_steps: " + std::to_string(options.max_steps), 1);
    EXPECT_EQ(solution.outcome.n_steps, options.max_steps);
}

TEST(Failure, of_a_rate_that_is_not_finite_names_the_state) {
    const model::Model model = model::interpreted_model(
        make_spec({{"ok", "0", "1"}, {"bad", "-1 - sqrt(bad)", "k"}}, {"k"}), std::vector<std::size_t>{0});
    const auto ensemble = one_trajectory({"ok", "bad"}, {10.0}, {1.0, 1.0});
    for (const Sensitivity sensitivity : both) {
        const Solution solution = solve_once(make_options(Method::bdf, sensitivity), model, ensemble, {1.0});
        expect_failure(solution, "not finite");
        EXPECT_NE(solution.outcome.reason.find("\"bad\""), std::string::npos) << solution.outcome.reason;
    }
}

TEST(Failure, of_a_model_that_is_never_finite) {
    const model::Model model = scripted_model([](double, double) { return missing; });

    const Solution solution = solve_once(make_options(Method::bdf, Sensitivity::forward), model,
                                         one_trajectory({"x"}, {1.0}, {1.0}), {}, Want::loss);

    expect_failure(solution, "CV_FIRST_RHSFUNC_ERR");
    EXPECT_EQ(solution.outcome.time_reached, 0.0);
}

TEST(Failure, of_an_initial_value_that_is_not_finite) {
    const model::Model model =
        model::interpreted_model(make_spec({{"x", "-x", "log(k)"}}, {"k"}), std::vector<std::size_t>{0});
    for (const Sensitivity sensitivity : both) {
        expect_failure(
            solve_once(make_options(Method::bdf, sensitivity), model, one_trajectory({"x"}, {1.0}, {1.0}), {-1.0}),
            "the initial value of \"x\" is not finite");
    }
}

TEST(Failure, of_a_loss_that_is_not_finite_names_observable_time_and_value) {
    model::Spec spec = make_spec({{"x", "-k", "1"}}, {"k"});
    spec.observables = {{"level", "log(x)", "level"}};
    const model::Model model = model::interpreted_model(spec, std::vector<std::size_t>{0});
    const auto ensemble = one_trajectory({"level"}, {0.5, 1.5}, {0.0, 0.25});
    for (const Sensitivity sensitivity : both) {
        const Solution solution = solve_once(make_options(Method::bdf, sensitivity), model, ensemble, {1.0});
        expect_failure(solution, "observable \"level\" at time 1.5: the loss is not finite (model nan, data 0.25)");
    }
}

TEST(Failure, of_a_noise_that_is_not_positive) {
    model::Spec spec = make_spec({{"x", "-k*x", "1"}}, {"k", "s"});
    spec.loss.kind = model::LossKind::gaussian;
    spec.loss.sigma = "s";
    const model::Model model = model::interpreted_model(spec, std::vector<std::size_t>{0, 1});

    expect_failure(solve_once(make_options(Method::bdf, Sensitivity::forward), model,
                              one_trajectory({"x"}, {1.0}, {1.0}), {1.0, -0.5}),
                   "sigma -0.5");
}

TEST(Failure, of_a_derivative_that_is_not_finite_names_the_parameter) {
    // sqrt(k) at k = 0: the loss is finite, its derivative is not.
    model::Spec spec = make_spec({{"x", "-x", "1"}}, {"k"});
    spec.observables = {{"y", "x + sqrt(k)", "y"}};
    const model::Model model = model::interpreted_model(spec, std::vector<std::size_t>{0});
    for (const Sensitivity sensitivity : both) {
        expect_failure(
            solve_once(make_options(Method::bdf, sensitivity), model, one_trajectory({"y"}, {1.0}, {1.0}), {0.0}),
            "the derivative of the loss by \"k\" is not finite");
    }
}

TEST(Failure, of_an_amount_that_is_not_finite) {
    model::Spec spec = make_spec({{"x", "-x", "1"}}, {"k"});
    spec.amounts = {{"amount", "log(k)", "amount"}};
    const model::Model model = model::interpreted_model(spec, std::vector<std::size_t>{0});
    const auto ensemble = one_trajectory({"x"}, {1.0}, {1.0}, {}, {{0.5, 0, ensemble::Action::add, 0, 0}});

    expect_failure(solve_once(make_options(Method::bdf, Sensitivity::forward), model, ensemble, {-1.0}),
                   "the amount of an event is not finite");
}

TEST(Failure, is_not_reported_where_a_later_attempt_succeeds) {
    // Stiff: Adams cannot do it in these steps, BDF can.
    const model::Model model =
        model::interpreted_model(make_spec({{"x", "-k*(x - cos(t))", "0"}}, {"k"}), std::vector<std::size_t>{0});
    const auto ensemble = one_trajectory({"x"}, {10.0}, {0.0});
    Options options = make_options(Method::adams, Sensitivity::forward);
    options.max_steps = 1000;

    const Solution solution = solve_once(options, model, ensemble, {1e6});

    ASSERT_TRUE(solution.outcome.solved) << solution.outcome.reason;
    EXPECT_EQ(solution.outcome.attempts, 2) << solution.outcome.reason;
    EXPECT_EQ(solution.outcome.method, Method::bdf);
    EXPECT_EQ(solution.outcome.reason, "");
    EXPECT_GT(solution.outcome.n_steps, 1000);
    EXPECT_NEAR(solution.predictions[0], std::cos(10.0), 1e-5);
    options.method = Method::bdf;
    const Solution direct = solve_once(options, model, ensemble, {1e6});
    EXPECT_EQ(direct.outcome.attempts, 1);
    EXPECT_EQ(solution.row, direct.row);
}

TEST(Failure, careful_steps_are_the_last_attempt) {
    Options options = make_options(Method::bdf, Sensitivity::forward);
    const model::Model model =
        model::interpreted_model(make_spec({{"x", "a*x^2", "1"}}, {"a"}), std::vector<std::size_t>{0});
    const auto ensemble = one_trajectory({"x"}, {2.0}, {3.0});
    for (int most = 1; most <= 5; ++most) {
        options.max_attempts = most;
        expect_failure(solve_once(options, model, ensemble, {1.0}), "time", std::min(most, 3));
    }
}

TEST(Failure, that_is_a_bug_in_the_model_is_thrown) {
    int calls = 0;
    const model::Model model = scripted_model([&calls](double, double x) {
        if (++calls > 20) {
            throw std::runtime_error{"the library is broken"};
        }
        return -x;
    });
    for (const Method method : {Method::bdf, Method::adams}) {
        calls = 0;
        try {
            (void)solve_once(make_options(method, Sensitivity::forward), model, one_trajectory({"x"}, {10.0}, {1.0}),
                             {}, Want::loss);
            FAIL() << "no exception";
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "the library is broken");
        }
    }
}

} // namespace
} // namespace rondo::solve
