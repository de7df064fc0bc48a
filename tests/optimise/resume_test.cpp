#include "problems.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

namespace rondo::optimise {
namespace {

/// A copy made number by number, as a checkpoint would.
State stored_and_restored(const State& state) {
    State copy;
    copy.point = state.point;
    copy.update = state.update;
    for (const auto& [name, values] : state.memory) {
        copy.memory[name] = values;
    }
    for (const auto& [name, value] : state.scalars) {
        copy.scalars[name] = value;
    }
    return copy;
}

std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
    std::vector<std::uint64_t> bits;
    for (const double value : values) {
        bits.push_back(std::bit_cast<std::uint64_t>(value));
    }
    return bits;
}

class Resume : public testing::TestWithParam<Rule> {};

TEST_P(Resume, goes_on_bit_for_bit_from_a_copy_made_after_any_update) {
    const Options options{.rule = GetParam(), .momentum = 0.5, .memory = 3};
    const double rate = is_full_batch_only(GetParam()) ? 10.0 : 1e-4; // 10: the first trials fail
    const Problem problem = failing_beyond(1.5, rosenbrock);
    const std::vector<double> from{-1.2, 1.0, 0.7};
    constexpr int most = 40;
    State state = start(options, from);
    std::vector<State> history{state};
    for (int i = 0; i < most; ++i) {
        const Sample sample = problem(state.point);
        advance(options, state, sample.evaluation(), rate);
        history.push_back(state);
    }
    for (int cut = 0; cut <= most; ++cut) {
        State resumed = stored_and_restored(history[static_cast<std::size_t>(cut)]);
        for (int i = cut; i < most; ++i) {
            const Sample sample = problem(resumed.point);
            advance(options, resumed, sample.evaluation(), rate);
        }
        EXPECT_EQ(bits_of(resumed.point), bits_of(state.point)) << "cut after update " << cut;
        EXPECT_EQ(resumed, state);
    }
}

INSTANTIATE_TEST_SUITE_P(EveryRule, Resume,
                         testing::Values(Rule::sgd, Rule::momentum, Rule::nesterov, Rule::adagrad, Rule::rmsprop,
                                         Rule::adam, Rule::adamw, Rule::lbfgs, Rule::levenberg_marquardt),
                         [](const testing::TestParamInfo<Rule>& rule) { return std::string{name_of(rule.param)}; });

} // namespace
} // namespace rondo::optimise
