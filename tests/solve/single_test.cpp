// What the engine promises beside numbers: bits, order, threads, shapes.

#include "solve/helpers.hpp"
#include "solve/single.hpp"
#include "support/exact_problems.hpp"

#include <rondo/base/error.hpp>

#include <thread>

namespace rondo::solve {
namespace {

using ensemble::Action;

/// Predators and prey with initial values by trajectory, doses in some.
model::Model pair() {
    model::Spec spec =
        ::rondo::testing::make_spec({{"u", "a*u - b*u*v", "c*u0"}, {"v", "b*u*v - d*v", "u0"}}, {"a", "b", "d", "u0"});
    spec.covariates = {"index", "c"};
    const std::vector<std::size_t> active{0, 1, 2, 3};
    return model::interpreted_model(spec, active);
}

const std::vector<double> parameters{1.1, 0.7, 0.9, 1.2};

/// Trajectories of different length, size and stiffness.
ensemble::Ensemble several() {
    ensemble::Ensemble all;
    all.covariate_names = {"index", "c"};
    all.columns = {"u", "v"};
    all.offset = {0};
    all.event_offset = {0};
    for (std::size_t i = 0; i < 12; ++i) {
        all.labels.push_back(std::to_string(i));
        all.covariates.insert(all.covariates.end(),
                              {static_cast<double>(i + 1), 0.2 + 0.3 * static_cast<double>(i % 5)});
        for (std::size_t row = 0; row < 3 + i; ++row) {
            all.time.push_back(static_cast<double>(row) * 0.7);
            all.value.insert(all.value.end(), {1.0 + 0.1 * static_cast<double>(row), 0.5});
        }
        if (i % 3 == 0) {
            all.events.push_back({1.0, 0, Action::add, -1, 0.5 * static_cast<double>(i)});
        }
        all.offset.push_back(static_cast<std::int64_t>(all.time.size()));
        all.event_offset.push_back(static_cast<std::int64_t>(all.events.size()));
    }
    return all;
}

struct Batch {
    std::vector<Outcome> outcomes;
    std::vector<double> rows, predictions;
};

Batch solve_batch(Engine& engine, const model::Model& model, const ensemble::Ensemble& ensemble,
                  const std::vector<std::int64_t>& order, Want want = Want::gradient) {
    const Request request{&model, &ensemble, 0.0, parameters, want};
    Batch batch;
    batch.outcomes.resize(order.size());
    batch.rows.resize(order.size() * row_size(want, model.n_active()));
    std::size_t n_rows = 0;
    for (const std::int64_t i : order) {
        n_rows += ensemble.trajectory(i).times.size();
    }
    batch.predictions.resize(n_rows * 2 * model.n_observables());
    engine.solve(request, order, batch.outcomes, batch.rows, batch.predictions.data());
    return batch;
}

class SingleTest : public ::testing::TestWithParam<std::pair<Method, Sensitivity>> {
protected:
    static Options options() { return make_options(GetParam().first, GetParam().second); }
};

TEST_P(SingleTest, a_used_engine_gives_the_bits_of_a_new_one_in_any_order) {
    const model::Model model = pair();
    const ensemble::Ensemble ensemble = several();
    const std::vector<std::int64_t> order{7, 0, 11, 3, 3, 5, 1, 10, 2, 9, 4, 8, 6};
    const auto used = make_engine(options(), model);
    (void)solve_batch(*used, model, ensemble, {11, 2, 5}, Want::loss);

    const Batch batch = solve_batch(*used, model, ensemble, order);

    for (std::size_t i = 0; i < order.size(); ++i) {
        const Batch alone = solve_batch(*make_engine(options(), model), model, ensemble, {order[i]});
        ASSERT_TRUE(batch.outcomes[i].solved);
        const auto row = batch.rows.begin() + static_cast<std::ptrdiff_t>(i * alone.rows.size());
        EXPECT_TRUE(std::equal(alone.rows.begin(), alone.rows.end(), row)) << "trajectory " << order[i];
        EXPECT_EQ(alone.outcomes[0].n_steps, batch.outcomes[i].n_steps);
        EXPECT_EQ(alone.outcomes[0].n_rhs, batch.outcomes[i].n_rhs);
    }
}

TEST_P(SingleTest, a_failure_leaves_no_trace_in_the_next_trajectory) {
    const model::Model model = pair();
    const ensemble::Ensemble ensemble = several();
    Options few = options();
    few.max_steps =
        solve_batch(*make_engine(few, model), model, ensemble, {1}).outcomes[0].n_steps; // enough for this one
    const auto used = make_engine(few, model);
    const Batch failed = solve_batch(*used, model, ensemble, {11});
    ASSERT_FALSE(failed.outcomes[0].solved);

    const Batch after = solve_batch(*used, model, ensemble, {1});
    const Batch fresh = solve_batch(*make_engine(few, model), model, ensemble, {1});

    ASSERT_TRUE(fresh.outcomes[0].solved);
    EXPECT_EQ(after.rows, fresh.rows);
    EXPECT_EQ(after.outcomes[0].n_steps, fresh.outcomes[0].n_steps);
    EXPECT_EQ(after.outcomes[0].reason, fresh.outcomes[0].reason);
}

TEST_P(SingleTest, engines_in_threads_do_not_disturb_each_other) {
    const model::Model model = pair();
    const ensemble::Ensemble ensemble = several();
    const std::vector<std::int64_t> order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const Batch expected = solve_batch(*make_engine(options(), model), model, ensemble, order);
    std::vector<Batch> batches(3);
    {
        std::vector<std::jthread> threads;
        threads.reserve(batches.size());
        for (Batch& batch : batches) {
            threads.emplace_back([&batch, &model, &ensemble, &order, asked = options()] {
                const auto engine = make_engine(asked, model);
                for (int round = 0; round < 5; ++round) {
                    batch = solve_batch(*engine, model, ensemble, order);
                }
            });
        }
    }

    for (const Batch& batch : batches) {
        EXPECT_EQ(batch.rows, expected.rows);
        EXPECT_EQ(batch.predictions, expected.predictions);
    }
}

TEST_P(SingleTest, loss_is_part_of_the_gradients_row) {
    const model::Model model = pair();
    const ensemble::Ensemble ensemble = several();
    const auto engine = make_engine(options(), model);
    const Batch gradient = solve_batch(*engine, model, ensemble, {4}),
                loss = solve_batch(*engine, model, ensemble, {4}, Want::loss);

    ASSERT_EQ(loss.rows.size(), 1U);
    EXPECT_NEAR(loss.rows[0], gradient.rows[0], 1e-4 * gradient.rows[0]);
    EXPECT_GT(gradient.outcomes[0].n_rhs, loss.outcomes[0].n_rhs);
}

TEST_P(SingleTest, counts_and_times_what_it_did) {
    const model::Model model = pair();
    const Batch batch = solve_batch(*make_engine(options(), model), model, several(), {8});
    const Outcome& outcome = batch.outcomes[0];

    EXPECT_EQ(outcome.attempts, 1);
    EXPECT_EQ(outcome.method, options().method);
    EXPECT_GT(outcome.n_steps, 10);
    EXPECT_GT(outcome.n_rhs, outcome.n_steps);
    EXPECT_GT(outcome.wall_s, 0.0);
    EXPECT_EQ(outcome.reason, "");
}

INSTANTIATE_TEST_SUITE_P(Ways, SingleTest,
                         ::testing::Values(std::pair{Method::bdf, Sensitivity::forward},
                                           std::pair{Method::adams, Sensitivity::forward},
                                           std::pair{Method::bdf, Sensitivity::adjoint},
                                           std::pair{Method::adams, Sensitivity::adjoint}));

TEST(Single, integrates_nothing_where_all_points_are_at_the_start) {
    const auto exact = ::rondo::testing::decay();
    const model::Model model = model::interpreted_model(exact.spec, exact.all_parameters());
    const auto ensemble = one_trajectory({"x"}, {0.0, 0.0}, {1.0, 2.5});
    for (const Sensitivity sensitivity : {Sensitivity::forward, Sensitivity::adjoint}) {
        const Solution solution = solve_once(make_options(Method::bdf, sensitivity), model, ensemble, exact.parameters);

        EXPECT_TRUE(solution.outcome.solved);
        EXPECT_EQ(solution.outcome.n_steps, 0);
        EXPECT_EQ(solution.outcome.n_rhs, 0);
        EXPECT_EQ(solution.loss(), 1.0 + 0.25);
        EXPECT_EQ(solution.gradient(2), (std::vector<double>{0.0, 2.0 * 1.0 + 2.0 * -0.5}));
        EXPECT_EQ(solution.predictions, (std::vector<double>{2.0, 1.0, 2.0, 1.0}));
    }
}

TEST(Single, a_trajectory_without_points_is_solved_with_loss_zero) {
    const auto exact = ::rondo::testing::decay();
    const model::Model model = model::interpreted_model(exact.spec, exact.all_parameters());
    const Solution solution = solve_once(make_options(Method::bdf, Sensitivity::forward), model,
                                         one_trajectory({"x"}, {}, {}), exact.parameters);

    EXPECT_TRUE(solution.outcome.solved);
    EXPECT_EQ(solution.row, (std::vector<double>{0, 0, 0}));
}

TEST(Single, each_sensitivity_meets_the_tolerances_by_itself) {
    // Twenty parameters that do nothing beside one that does: a norm over all columns would hide its error.
    std::vector<std::string> names{"k"};
    std::string idle;
    for (int i = 0; i < 20; ++i) {
        names.push_back("q" + std::to_string(i));
        idle += " + 0*" + names.back();
    }
    model::Spec spec = ::rondo::testing::make_spec({{"x", "-k*x" + idle, "1"}}, names);
    std::vector<std::size_t> all(21), one{0};
    for (std::size_t k = 0; k < all.size(); ++k) {
        all[k] = k;
    }
    const auto ensemble = one_trajectory({"x"}, {1.0, 2.0, 3.0}, {0.1, 0.1, 0.1});
    const std::vector<double> values(21, 2.0);
    const Options options = make_options(Method::bdf, Sensitivity::forward, 1e-5, 1e-8);

    const Solution alone = solve_once(options, model::interpreted_model(spec, one), ensemble, values);
    const Solution among = solve_once(options, model::interpreted_model(spec, all), ensemble, values);

    EXPECT_EQ(alone.outcome.n_steps, among.outcome.n_steps);
    EXPECT_EQ(alone.row[1], among.row[1]);
}

TEST(Single, goes_forward_where_the_record_for_the_adjoint_outgrows_its_budget) {
    const model::Model model = pair();
    const ensemble::Ensemble ensemble = several();
    Single small{make_options(Method::bdf, Sensitivity::adjoint), model, 10000};
    const auto forward = make_engine(make_options(Method::bdf, Sensitivity::forward), model);
    const auto adjoint = make_engine(make_options(Method::bdf, Sensitivity::adjoint), model);

    const Batch fallen_back = solve_batch(small, model, ensemble, {11});

    ASSERT_TRUE(fallen_back.outcomes[0].solved) << fallen_back.outcomes[0].reason;
    EXPECT_EQ(fallen_back.outcomes[0].attempts, 1);
    EXPECT_EQ(fallen_back.rows, solve_batch(*forward, model, ensemble, {11}).rows);
    EXPECT_EQ(fallen_back.predictions, solve_batch(*forward, model, ensemble, {11}).predictions);
    EXPECT_NE(fallen_back.rows, solve_batch(*adjoint, model, ensemble, {11}).rows);
}

TEST(Single, adjoint_of_very_many_steps_is_the_forward_gradient) {
    const auto exact = ::rondo::testing::oscillator();
    const model::Model model = model::interpreted_model(exact.spec, exact.all_parameters());
    const double last = 1000.0;
    const auto ensemble = one_trajectory({"x", "v"}, {last}, {0.0, 0.0});
    for (const Method method : {Method::bdf, Method::adams}) {
        const Options options = make_options(method, Sensitivity::adjoint, 1e-10, 1e-12);
        const Solution solution = solve_once(options, model, ensemble, exact.parameters);

        ASSERT_TRUE(solution.outcome.solved) << solution.outcome.reason;
        EXPECT_GT(solution.outcome.n_steps, 10000);
        std::vector<double> gradient(2, 0.0);
        for (std::size_t i = 0; i < 2; ++i) {
            for (std::size_t k = 0; k < 2; ++k) {
                gradient[k] +=
                    2.0 * exact.state(i, last, exact.parameters) * exact.sensitivity(i, k, last, exact.parameters);
            }
        }
        expect_near(solution.gradient(2), gradient, 1e-4);
    }
}

TEST(Single, makes_the_curvature_from_forward_sensitivities_whatever_was_asked) {
    const auto exact = ::rondo::testing::decay();
    const model::Model model = model::interpreted_model(exact.spec, exact.all_parameters());
    const auto ensemble = one_trajectory({"x"}, {1.0, 2.0}, {1.0, 0.0});

    const Solution forward =
        solve_once(make_options(Method::bdf, Sensitivity::forward), model, ensemble, exact.parameters, Want::curvature);
    const Solution adjoint =
        solve_once(make_options(Method::bdf, Sensitivity::adjoint), model, ensemble, exact.parameters, Want::curvature);

    EXPECT_TRUE(forward.outcome.solved);
    EXPECT_EQ(forward.row, adjoint.row);
}

TEST(Single, refuses_a_curvature_of_cross_entropy) {
    model::Spec spec = ::rondo::testing::decay().spec;
    spec.loss.kind = model::LossKind::cross_entropy;
    const model::Model model = model::interpreted_model(spec, std::vector<std::size_t>{0, 1});
    try {
        (void)solve_once(make_options(Method::bdf, Sensitivity::forward), model,
                         one_trajectory({"label"}, {1.0}, {0.0}), {0.7, 2.0}, Want::curvature);
        FAIL() << "no exception";
    } catch (const ContractError& error) {
        EXPECT_NE(std::string{error.what()}.find("cross entropy has no Gauss-Newton matrix"), std::string::npos)
            << error.what();
    }
}

TEST(Single, wants_the_data_columns_of_the_model) {
    const auto exact = ::rondo::testing::oscillator();
    const model::Model model = model::interpreted_model(exact.spec, exact.all_parameters());
    try {
        (void)solve_once(make_options(Method::bdf, Sensitivity::forward), model, one_trajectory({"x"}, {1.0}, {0.0}),
                         exact.parameters);
        FAIL() << "no exception";
    } catch (const ContractError& error) {
        EXPECT_NE(std::string{error.what()}.find("the model's data columns"), std::string::npos) << error.what();
    }
}

TEST(Single, wants_resolved_options) {
    const auto exact = ::rondo::testing::decay();
    const model::Model model = model::interpreted_model(exact.spec, exact.all_parameters());
    try {
        (void)make_engine({}, model);
        FAIL() << "no exception";
    } catch (const ContractError& error) {
        EXPECT_NE(std::string{error.what()}.find("resolved options"), std::string::npos) << error.what();
    }
}

TEST(RowSize, counts_loss_gradient_and_triangle) {
    EXPECT_EQ(row_size(Want::loss, 3), 1U);
    EXPECT_EQ(row_size(Want::gradient, 3), 4U);
    EXPECT_EQ(row_size(Want::curvature, 3), 10U);
}

} // namespace
} // namespace rondo::solve
