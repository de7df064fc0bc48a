// Closed forms on every rank count, and the same bits whatever the shares.
#include <rondo/comm/collective.hpp>
#include <rondo/gradient/evaluate.hpp>

#include <support/small_problems.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rondo::gradient {
namespace {

using test::SmallProblem;
namespace decay = test::decay;

const std::vector<double> somewhere{0.8, decay::b_true, 1.7}; // k, b, a

Evaluation evaluate(const comm::Comm& comm, const Problem& problem, solve::Want want,
                    std::span<const std::int64_t> costs = {}) {
    const auto all = test::first_positions(problem.ensemble->size());
    return Evaluator{comm, problem}.evaluate({.trajectories = all, .natural = somewhere, .want = want, .costs = costs});
}

void expect_near(const std::vector<double>& values, const std::vector<double>& exact, double factor) {
    ASSERT_EQ(values.size(), exact.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_NEAR(values[i], factor * exact[i], 1e-6 * std::abs(factor * exact[i]) + 1e-8) << "entry " << i;
    }
}

TEST(Evaluate, mean_and_gradient_of_uneven_shards_are_the_closed_form) {
    const auto world = comm::Comm::world();
    const SmallProblem small = decay::make({.n = 7});
    const auto exact = decay::exact_mean(small.ensemble, test::first_positions(7), somewhere[0], somewhere[2]);
    const Evaluation evaluation = evaluate(world, small.problem, solve::Want::gradient);
    EXPECT_NEAR(evaluation.loss, exact.loss, 1e-7 * exact.loss);
    expect_near(evaluation.gradient, exact.gradient, 1.0);
    EXPECT_EQ(evaluation.n_asked, 7);
    EXPECT_EQ(evaluation.n_solved, 7);
    EXPECT_EQ(evaluation.n_failed, 0);
    EXPECT_FALSE(evaluation.too_many_failed);
    EXPECT_TRUE(evaluation.curvature.empty());
}

TEST(Evaluate, sum_is_the_mean_times_the_trajectories) {
    const auto world = comm::Comm::world();
    SmallProblem small = decay::make({.n = 7});
    small.problem.options.reduction = Reduction::sum;
    const auto exact = decay::exact_mean(small.ensemble, test::first_positions(7), somewhere[0], somewhere[2]);
    const Evaluation evaluation = evaluate(world, small.problem, solve::Want::curvature);
    EXPECT_NEAR(evaluation.loss, 7.0 * exact.loss, 1e-6 * exact.loss);
    expect_near(evaluation.gradient, exact.gradient, 7.0);
    expect_near(evaluation.curvature, exact.curvature, 7.0);
}

TEST(Evaluate, curvature_is_the_gauss_newton_matrix) {
    const auto world = comm::Comm::world();
    const SmallProblem small = decay::make({.n = 5});
    const auto exact = decay::exact_mean(small.ensemble, test::first_positions(5), somewhere[0], somewhere[2]);
    const Evaluation evaluation = evaluate(world, small.problem, solve::Want::curvature);
    expect_near(evaluation.curvature, exact.curvature, 1.0);
    EXPECT_EQ(evaluation.curvature[1], evaluation.curvature[2]);
}

TEST(Evaluate, a_prior_enters_once_with_its_curvature) {
    const auto world = comm::Comm::world();
    SmallProblem small = decay::make({.n = 5});
    const Evaluation without = evaluate(world, small.problem, solve::Want::curvature);
    small.problem.parameters[0].prior = optimise::Prior{optimise::PriorKind::normal, {0.0, 0.5}}; // of log k
    const Evaluation with = evaluate(world, small.problem, solve::Want::curvature);
    const double k = somewhere[0], s = std::log(k);
    EXPECT_NEAR(with.loss - without.loss, 2.0 * s * s + std::log(0.5) + 0.5 * std::log(2.0 * std::acos(-1.0)), 1e-12);
    EXPECT_NEAR(with.gradient[0] - without.gradient[0], 4.0 * s / k, 1e-12);
    EXPECT_EQ(with.gradient[1], without.gradient[1]);
    EXPECT_NEAR(with.curvature[0] - without.curvature[0], 4.0 / (k * k), 1e-6);
    EXPECT_EQ(with.curvature[3], without.curvature[3]);
}

TEST(Evaluate, more_ranks_than_trajectories_are_fine) {
    const auto world = comm::Comm::world();
    const SmallProblem small = decay::make({.n = 2});
    const auto exact = decay::exact_mean(small.ensemble, test::first_positions(2), somewhere[0], somewhere[2]);
    const Evaluation evaluation = evaluate(world, small.problem, solve::Want::gradient);
    EXPECT_NEAR(evaluation.loss, exact.loss, 1e-7 * exact.loss);
    EXPECT_EQ(evaluation.n_solved, 2);
    const std::int64_t mine[] = {static_cast<std::int64_t>(evaluation.shard.trajectories.size())};
    const auto shares = comm::all_gather(world, mine);
    for (int rank = 0; rank < world.size(); ++rank) {
        const std::int64_t expected = world.size() == 1 ? 2 : (rank < 2 ? 1 : 0);
        EXPECT_EQ(shares[static_cast<std::size_t>(rank)][0], expected) << "rank " << rank;
    }
}

TEST(Evaluate, forward_and_adjoint_agree_with_the_closed_form) {
    const auto world = comm::Comm::world();
    SmallProblem small = decay::make({.n = 5});
    small.problem.solver.sensitivity = solve::Sensitivity::adjoint;
    const auto exact = decay::exact_mean(small.ensemble, test::first_positions(5), somewhere[0], somewhere[2]);
    expect_near(evaluate(world, small.problem, solve::Want::gradient).gradient, exact.gradient, 1.0);
}

TEST(Evaluate, every_balance_reduction_and_thread_count_gives_the_bits_of_one_rank_alone) {
    const auto world = comm::Comm::world();
    const auto self = comm::Comm::self();
    SmallProblem small = decay::make({.n = 11});
    const Evaluation alone = evaluate(self, small.problem, solve::Want::curvature);
    const std::vector<std::int64_t> costs{5, 90, 3, 0, 20, 20, 7, 1, 1, 1, 60};
    for (const auto balance : {ensemble::Balance::cost, ensemble::Balance::cyclic, ensemble::Balance::block}) {
        for (const auto algorithm : {comm::Algorithm::ring, comm::Algorithm::mpi}) {
            for (const int threads : {1, 2, 3}) {
                SCOPED_TRACE(testing::Message() << "balance " << static_cast<int>(balance) << ", algorithm "
                                                << static_cast<int>(algorithm) << ", threads " << threads);
                small.problem.options.balance = balance;
                small.problem.options.reduce = {.algorithm = algorithm, .segment_bytes = 32};
                small.problem.options.threads = threads;
                const Evaluation together = evaluate(world, small.problem, solve::Want::curvature, costs);
                EXPECT_EQ(together.loss, alone.loss);
                EXPECT_EQ(together.gradient, alone.gradient);
                EXPECT_EQ(together.curvature, alone.curvature);
            }
        }
    }
}

TEST(Evaluate, an_evaluator_used_before_gives_the_bits_of_a_fresh_one) {
    const auto world = comm::Comm::world();
    const SmallProblem small = decay::make({.n = 6});
    const auto all = test::first_positions(6);
    Evaluator used{world, small.problem};
    const std::vector<double> elsewhere{3.0, decay::b_true, 9.0};
    (void)used.evaluate({.trajectories = all, .natural = elsewhere, .want = solve::Want::loss, .predictions = true});
    const Evaluation again = used.evaluate({.trajectories = all, .natural = somewhere});
    const Evaluation fresh = evaluate(world, small.problem, solve::Want::gradient);
    EXPECT_EQ(again.loss, fresh.loss);
    EXPECT_EQ(again.gradient, fresh.gradient);
}

TEST(Evaluate, plain_sums_agree_to_rounding) {
    const auto world = comm::Comm::world();
    SmallProblem small = decay::make({.n = 9});
    const Evaluation exact = evaluate(world, small.problem, solve::Want::gradient);
    small.problem.options.sum = Sum::plain;
    const Evaluation plain = evaluate(world, small.problem, solve::Want::gradient);
    EXPECT_NEAR(plain.loss, exact.loss, 1e-14 * exact.loss);
    EXPECT_THAT(plain.gradient, testing::Pointwise(testing::DoubleNear(1e-13), exact.gradient));
}

TEST(Evaluate, flags_count_the_ranks_that_raised_them) {
    const auto world = comm::Comm::world();
    const SmallProblem small = decay::make({.n = 1}); // some ranks have nothing to solve
    const auto all = test::first_positions(1);
    Evaluator evaluator{world, small.problem};
    const bool is_last = world.rank() + 1 == world.size();
    const auto evaluation = evaluator.evaluate({.trajectories = all, .natural = somewhere, .flags = {true, is_last}});
    EXPECT_EQ(evaluation.n_flags[0], world.size());
    EXPECT_EQ(evaluation.n_flags[1], 1);
    EXPECT_EQ(evaluation.n_solved, 1);
}

TEST(Evaluate, predictions_hold_values_then_sigmas_at_every_time) {
    const auto world = comm::Comm::world();
    const SmallProblem small = decay::make({.n = 5});
    const auto all = test::first_positions(5);
    Evaluator evaluator{world, small.problem};
    const auto evaluation =
        evaluator.evaluate({.trajectories = all, .natural = somewhere, .want = solve::Want::loss, .predictions = true});
    EXPECT_TRUE(evaluation.gradient.empty());
    ASSERT_EQ(evaluation.shard.predictions.size(), evaluation.shard.trajectories.size());
    for (std::size_t i = 0; i < evaluation.shard.trajectories.size(); ++i) {
        const std::int64_t id = evaluation.shard.trajectories[i];
        const auto trajectory = small.ensemble.trajectory(id);
        const auto& rows = evaluation.shard.predictions[i];
        ASSERT_EQ(rows.size(), 2 * trajectory.times.size());
        for (std::size_t j = 0; j < trajectory.times.size(); ++j) {
            const double y =
                decay::x(somewhere[0], somewhere[2], decay::size_of(id), trajectory.times[j]) + decay::b_true;
            EXPECT_NEAR(rows[2 * j], y, 1e-7);
            EXPECT_EQ(rows[2 * j + 1], 1.0); // the squared loss has no noise scale
        }
    }
}

TEST(Evaluate, logistic_growth_has_the_gradient_of_its_closed_form) {
    const auto world = comm::Comm::world();
    const model::Spec spec{.where = "small.toml",
                           .states = {"x"},
                           .parameters = {"r", "K"},
                           .covariates = {"index"},
                           .rates = {{"x", "r*x*(1 - x/K)", "rates"}},
                           .initial = {{"x", "0.1*index", "initial"}},
                           .observables = {}};
    ensemble::Ensemble data{.covariate_names = {"index"}, .columns = {"x"}, .offset = {0}, .event_offset = {0}};
    const double r = 1.3, K = 2.5, t = 2.0;
    double loss = 0;
    std::vector<double> gradient(2, 0.0);
    for (std::int64_t i = 0; i < 5; ++i) {
        data.labels.push_back(std::to_string(i));
        data.covariates.push_back(static_cast<double>(i + 1));
        data.time.push_back(t);
        data.value.push_back(1.0);
        data.offset.push_back(i + 1);
        data.event_offset.push_back(0);
        const double x0 = 0.1 * static_cast<double>(i + 1), growth = std::exp(r * t), below = K + x0 * (growth - 1.0);
        const double residual = K * x0 * growth / below - 1.0;
        loss += residual * residual / 5.0;
        gradient[0] += 2.0 * residual * K * x0 * t * growth * (K - x0) / (below * below) / 5.0;
        gradient[1] += 2.0 * residual * x0 * x0 * growth * (growth - 1.0) / (below * below) / 5.0;
    }
    const SmallProblem small{
        spec, std::move(data), {{.name = "r", .estimated = true}, {.name = "K", .estimated = true}}};
    const auto all = test::first_positions(5);
    const std::vector<double> natural{r, K};
    const Evaluation evaluation = Evaluator{world, small.problem}.evaluate({.trajectories = all, .natural = natural});
    EXPECT_NEAR(evaluation.loss, loss, 1e-7 * loss);
    expect_near(evaluation.gradient, gradient, 1.0);
}

} // namespace
} // namespace rondo::gradient
