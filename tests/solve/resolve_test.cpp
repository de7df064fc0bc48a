#include "solve/helpers.hpp"

namespace rondo::solve {
namespace {

model::Model sized(std::size_t n_states, std::size_t n_active) {
    model::Model model;
    model.states.resize(n_states);
    model.active.resize(n_active);
    return model;
}

ensemble::Ensemble with_times(std::size_t count) {
    std::vector<double> times;
    for (std::size_t i = 0; i < count; ++i) {
        times.insert(times.end(), {static_cast<double>(i), static_cast<double>(i)}); // a replicate each
    }
    return one_trajectory({"x"}, times, std::vector<double>(times.size(), 0.0));
}

TEST(Resolve, small_systems_and_many_times_go_forward) {
    EXPECT_EQ(resolve({}, sized(2, 6), with_times(1)).sensitivity, Sensitivity::forward);
    EXPECT_EQ(resolve({}, sized(2, 252), with_times(30)).sensitivity, Sensitivity::forward);
    EXPECT_EQ(resolve({}, sized(20, 100), with_times(100)).sensitivity, Sensitivity::forward);
    EXPECT_EQ(resolve({}, sized(3, 0), with_times(0)).sensitivity, Sensitivity::forward);
}

TEST(Resolve, wide_systems_with_few_times_go_back) {
    EXPECT_EQ(resolve({}, sized(20, 100), with_times(10)).sensitivity, Sensitivity::adjoint);
    EXPECT_EQ(resolve({}, sized(40, 200), with_times(30)).sensitivity, Sensitivity::adjoint);
}

TEST(Resolve, the_mean_is_over_trajectories) {
    // One trajectory with 199 times and one with a single one are 100 a trajectory.
    ensemble::Ensemble two = with_times(199);
    for (auto* values : {&two.time, &two.value}) {
        values->push_back(0.0);
    }
    two.labels.emplace_back("b");
    two.covariates.push_back(2.0);
    two.offset.push_back(two.offset.back() + 1);
    two.event_offset.push_back(0);

    EXPECT_EQ(resolve({}, sized(20, 100), two).sensitivity, Sensitivity::forward);
}

TEST(Resolve, what_was_asked_stays) {
    Options options = make_options(Method::adams, Sensitivity::adjoint, 1e-3, 1e-4);

    const Options resolved = resolve(options, sized(2, 6), with_times(100));

    EXPECT_EQ(resolved.method, Method::adams);
    EXPECT_EQ(resolved.sensitivity, Sensitivity::adjoint);
    EXPECT_EQ(resolved.rtol, 1e-3);
    EXPECT_EQ(resolved.atol, 1e-4);
}

TEST(Resolve, leaves_nothing_open) {
    const Options resolved = resolve({}, sized(2, 6), with_times(3));

    EXPECT_EQ(resolved.engine, EngineKind::single);
    EXPECT_EQ(resolved.method, Method::bdf);
    EXPECT_EQ(resolved.max_steps, Options{}.max_steps);
}

} // namespace
} // namespace rondo::solve
