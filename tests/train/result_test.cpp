// A result is read with the store's reader and compared with what is known of the run.
#include "problem.hpp"

#include <rondo/base/error.hpp>
#include <rondo/comm/agree.hpp>
#include <rondo/comm/collective.hpp>
#include <rondo/store/checksum.hpp>
#include <rondo/store/hdf5_file.hpp>
#include <rondo/train/checkpoint.hpp>
#include <rondo/train/result.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

namespace rondo::train {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace decay = test::decay;

/// A short training whose fourth trajectory begins to fail, written as a result; `file` is open on rank 0 only.
class ResultTest : public testing::Test {
protected:
    ResultTest() {
        small_.problem.options.on_failure = gradient::OnFailure::drop;
        small_.problem.options.max_failed_fraction = 0.5;
        gradient::Evaluator evaluator{world_, small_.problem};
        state_ = start(options_, small_.problem);
        // On rank 0 only: the others' hooks stay empty.
        Hooks hooks;
        if (world_.rank() == 0) {
            hooks.on_checkpoint = [](const State&) {};
        }
        summary_ = run(world_, evaluator, options_, split_, state_, hooks);
        const auto reported = state_.optimiser.point;
        end_ = evaluate_end_point(evaluator, split_, gradient::natural_values(small_.problem.parameters, reported));
        add_last_row(state_, reported, end_.training);
        path_ = std::filesystem::path{comm::broadcast(world_, directory_.path().string())} / "result.h5";
    }

    /// Write with or without the training; the reader on rank 0.
    std::optional<store::FileReader> write(store::FileKind kind, bool training) {
        write_report(world_, {.file = path_,
                              .provenance = {.kind = store::to_text(kind)},
                              .problem = &small_.problem,
                              .end = &end_,
                              .split = &split_,
                              .state = training ? &state_ : nullptr,
                              .summary = training ? &summary_ : nullptr});
        if (world_.rank() != 0) {
            return std::nullopt;
        }
        return store::FileReader{path_};
    }

    comm::Comm world_ = comm::Comm::world();
    test::SmallProblem small_ = decay::make({.n = 7, .k = 2.0, .a = 1.0, .bursting = {4}});
    ensemble::Split split_{{0, 1, 2, 4, 5, 6}, {3}};
    Options options_ = test::short_run(30, optimise::Rule::adam, 0.1);
    test::TempDirectory directory_;
    std::filesystem::path path_;
    State state_;
    Summary summary_;
    EndPoint end_;
};

TEST_F(ResultTest, parameters_and_gradient_are_those_of_the_end_point) {
    const auto file = write(store::FileKind::result, true);
    if (!file) {
        return;
    }
    store::verify_checksum(*file);
    EXPECT_EQ(store::read_provenance(*file).kind, "result");
    EXPECT_THAT(file->read<std::string>("/parameters/names"), ElementsAre("k", "b", "a"));
    EXPECT_EQ(file->read<double>("/parameters/values"), end_.natural);
    EXPECT_THAT(file->read<double>("/parameters/initial"), ElementsAre(2.0, decay::b_true, 1.0));
    EXPECT_EQ(file->read<double>("/parameters/lower")[2], 0.0);
    EXPECT_EQ(file->read<double>("/parameters/upper")[2], 10.0);
    EXPECT_THAT(file->read<std::string>("/parameters/scale"), ElementsAre("log", "linear", "linear"));
    EXPECT_THAT(file->read<std::int32_t>("/parameters/estimated"), ElementsAre(1, 0, 1));
    EXPECT_THAT(file->read<std::string>("/gradient/names"), ElementsAre("k", "a"));
    EXPECT_EQ(file->read<double>("/gradient/values"), end_.training.gradient);
    EXPECT_EQ(file->attribute_scalar<double>("/", "loss"), end_.training.loss);
    EXPECT_EQ(file->attribute_scalar<std::int64_t>("/", "n_trajectories"), 7);
    EXPECT_EQ(file->attribute_scalar<std::int64_t>("/", "n_training"), 6);
    EXPECT_EQ(file->attribute_scalar<std::string>("/", "ending"), "finished");
    EXPECT_EQ(file->attribute_scalar<std::int64_t>("/", "n_updates"), 30);
    EXPECT_EQ(read_parameters(path_).values, end_.natural);
}

TEST_F(ResultTest, history_has_every_update_and_the_end_point) {
    const auto file = write(store::FileKind::result, true);
    if (!file) {
        return;
    }
    const auto update = file->read<std::int64_t>("/history/update");
    ASSERT_EQ(update.size(), 31U);
    EXPECT_EQ(update.back(), 30);
    EXPECT_EQ(file->read<std::int64_t>("/history/epoch").back(), 30);
    EXPECT_EQ(file->read<double>("/history/loss").back(), end_.training.loss);
    EXPECT_EQ(file->read<double>("/history/learning_rate").back(), 0.0);
    EXPECT_EQ(file->read<double>("/history/learning_rate").front(), 0.1);
    EXPECT_EQ(file->read<double>("/history/loss").front(), state_.history.front().loss);
    EXPECT_FALSE(std::isnan(file->read<double>("/history/validation_loss").front()));
    EXPECT_EQ(file->read<std::int64_t>("/history/n_failed").front(), 0);
    EXPECT_EQ(file->read<std::int64_t>("/history/n_failed").back(), 1);
    for (const char* name : {"gradient_norm", "wall_s", "n_solved"}) {
        EXPECT_EQ(file->shape(std::string{"/history/"} + name), store::Shape{31}) << name;
    }
}

TEST_F(ResultTest, trajectories_losses_sum_to_the_total) {
    const auto file = write(store::FileKind::result, true);
    if (!file) {
        return;
    }
    EXPECT_THAT(file->read<std::string>("/trajectories/id"), ElementsAre("t1", "t2", "t3", "t4", "t5", "t6", "t7"));
    EXPECT_THAT(file->read<std::string>("/trajectories/set"),
                ElementsAre("training", "training", "training", "validation", "training", "training", "training"));
    EXPECT_THAT(file->read<std::string>("/trajectories/status"),
                ElementsAre("solved", "solved", "solved", "solved", "failed", "solved", "solved"));
    const auto loss = file->read<double>("/trajectories/loss");
    ASSERT_EQ(loss.size(), 7U);
    EXPECT_TRUE(std::isnan(loss[4]));
    EXPECT_NEAR((loss[0] + loss[1] + loss[2] + loss[5] + loss[6]) / 5.0, end_.training.loss, 1e-7 * end_.training.loss);
    for (const std::int64_t i : {0, 1, 2, 3, 5, 6}) {
        const auto exact = decay::exact(small_.ensemble, i, end_.natural[0], end_.natural[2]);
        EXPECT_NEAR(loss[static_cast<std::size_t>(i)], exact.loss, 1e-6 * exact.loss) << "trajectory " << i;
    }
    EXPECT_THAT(file->read<std::string>("/trajectories/method"), testing::Each("bdf"));
    EXPECT_THAT(file->read<std::int64_t>("/trajectories/attempts"), testing::Each(testing::Ge(1)));
    EXPECT_THAT(file->read<std::int64_t>("/trajectories/n_steps"), testing::Each(testing::Gt(0)));
    EXPECT_THAT(file->read<std::int64_t>("/trajectories/n_rhs"), testing::Each(testing::Gt(0)));
    EXPECT_EQ(file->shape("/trajectories/wall_s"), store::Shape{7});
}

TEST_F(ResultTest, predictions_lie_beside_their_data) {
    const auto file = write(store::FileKind::result, true);
    if (!file) {
        return;
    }
    const std::size_t n_rows = small_.ensemble.time.size();
    EXPECT_EQ(file->read<std::int64_t>("/predictions/offset"), small_.ensemble.offset);
    EXPECT_EQ(file->read<double>("/predictions/time"), small_.ensemble.time);
    EXPECT_EQ(file->read<double>("/predictions/data"), small_.ensemble.value);
    EXPECT_THAT(file->read<std::string>("/predictions/observables"), ElementsAre("y"));
    EXPECT_EQ(file->shape("/predictions/value"), (store::Shape{n_rows, 1}));
    EXPECT_EQ(file->shape("/predictions/sigma"), (store::Shape{n_rows, 1}));
    const auto value = file->read<double>("/predictions/value");
    const auto owner = file->read<std::int64_t>("/predictions/trajectory");
    for (std::size_t row = 0; row < n_rows; ++row) {
        if (owner[row] == 4) {
            continue;
        }
        const double y =
            decay::x(end_.natural[0], end_.natural[2], decay::size_of(owner[row]), small_.ensemble.time[row]) +
            decay::b_true;
        EXPECT_NEAR(value[row], y, 1e-6) << "row " << row;
    }
    EXPECT_TRUE(std::isnan(value[static_cast<std::size_t>(small_.ensemble.offset[5]) - 1])); // after it blew up
}

TEST_F(ResultTest, timing_and_failures_of_the_whole_run_are_there) {
    const auto file = write(store::FileKind::result, true);
    if (!file) {
        return;
    }
    EXPECT_THAT(file->read<std::string>("/timing/phase"),
                ElementsAre("solve", "wait", "update", "validate", "checkpoint"));
    EXPECT_EQ(file->read<std::int64_t>("/timing/rank").size(), static_cast<std::size_t>(world_.size()));
    EXPECT_EQ(file->shape("/timing/seconds"), (store::Shape{static_cast<std::size_t>(world_.size()), 5}));
    EXPECT_GT(file->read<double>("/timing/seconds")[0], 0.0);
    EXPECT_THAT(file->read<std::int64_t>("/failures/trajectory"), ElementsAre(4));
    EXPECT_EQ(file->read<std::int64_t>("/failures/update"), (std::vector<std::int64_t>{29}));
    EXPECT_GT(file->read<double>("/failures/time_reached")[0], 0.0);
    EXPECT_FALSE(file->read<std::string>("/failures/reason")[0].empty());
}

TEST_F(ResultTest, an_evaluation_has_its_own_failures_and_no_history) {
    const auto file = write(store::FileKind::evaluation, false);
    if (!file) {
        return;
    }
    EXPECT_FALSE(file->exists("/history"));
    EXPECT_FALSE(file->exists("/timing"));
    EXPECT_THAT(file->read<std::int64_t>("/failures/trajectory"), ElementsAre(4));
    EXPECT_EQ(file->read<double>("/trajectories/loss").size(), 7U);
}

TEST_F(ResultTest, gathered_predictions_are_in_the_order_of_the_ensemble) {
    const auto all = gather_predictions(world_, small_.problem, end_.everything);
    ASSERT_EQ(all.size(), world_.rank() == 0 ? small_.ensemble.time.size() : 0U);
    if (world_.rank() == 0) {
        const double last =
            decay::x(end_.natural[0], end_.natural[2], decay::size_of(6), small_.ensemble.time.back()) + decay::b_true;
        EXPECT_NEAR(all.back(), last, 1e-6);
    }
}

TEST_F(ResultTest, a_file_that_cannot_be_written_is_an_error_on_all_ranks) {
    path_ = path_.parent_path() / "missing" / "result.h5";
    const std::string text = test::message_of<StoreError>([&] { (void)write(store::FileKind::result, true); });
    EXPECT_THAT(text, HasSubstr("missing"));
}

TEST_F(ResultTest, the_last_row_is_added_only_where_the_last_point_is_reported) {
    const std::size_t n = state_.history.size();
    add_last_row(state_, std::vector<double>{0.0, 0.0}, end_.training);
    EXPECT_EQ(state_.history.size(), n);
}

TEST(DataHash, tells_ensembles_apart_by_any_number_in_them) {
    const test::SmallProblem one = decay::make(), same = decay::make();
    EXPECT_EQ(data_hash(one.ensemble), data_hash(same.ensemble));
    std::vector<ensemble::Ensemble> others(5, one.ensemble);
    others[0].value[3] += 1e-15;
    others[1].time[0] += 1e-15;
    others[2].covariates[1] += 1e-15;
    others[3].labels[6] = "other";
    others[4].sigma.assign(others[4].value.size(), 1.0);
    for (const auto& other : others) {
        EXPECT_NE(data_hash(other), data_hash(one.ensemble));
    }
    ensemble::Ensemble with_event = one.ensemble;
    with_event.events.push_back({.time = 1.0, .value = 2.0});
    with_event.event_offset.back() = 1;
    ensemble::Ensemble with_another = with_event;
    with_another.events[0].value = 2.5;
    EXPECT_NE(data_hash(with_event), data_hash(with_another));
}

} // namespace
} // namespace rondo::train
