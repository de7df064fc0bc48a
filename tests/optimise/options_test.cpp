#include <rondo/optimise/options.hpp>

#include <rondo/base/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace rondo::optimise {
namespace {

using ::testing::HasSubstr;

TEST(RuleNames, name_every_rule_once) {
    EXPECT_EQ(rule_names().size(), 9U);
    for (const std::string& name : rule_names()) {
        ASSERT_TRUE(rule_from(name)) << name;
        EXPECT_EQ(name_of(*rule_from(name)), name);
    }
    EXPECT_EQ(rule_from("levenberg_marquardt"), Rule::levenberg_marquardt);
    EXPECT_EQ(rule_from("Adam"), std::nullopt);
}

TEST(Needs, only_levenberg_marquardt_wants_the_matrix) {
    for (const std::string& name : rule_names()) {
        const Rule rule = rule_from(name).value();
        EXPECT_EQ(needs(rule) == Needs::gauss_newton, rule == Rule::levenberg_marquardt);
        EXPECT_EQ(is_full_batch_only(rule), rule == Rule::levenberg_marquardt || rule == Rule::lbfgs);
    }
}

TEST(Clip, leaves_the_gradient_alone_without_limits) {
    std::vector<double> gradient{3.0, -4.0};
    EXPECT_DOUBLE_EQ(clip({}, gradient), 5.0);
    EXPECT_EQ(gradient, (std::vector<double>{3.0, -4.0}));
}

TEST(Clip, scales_to_the_norm) {
    std::vector<double> gradient{3.0, -4.0};
    EXPECT_DOUBLE_EQ(clip({.clip_norm = 1.0}, gradient), 5.0);
    EXPECT_DOUBLE_EQ(gradient[0], 0.6);
    EXPECT_DOUBLE_EQ(gradient[1], -0.8);
    EXPECT_DOUBLE_EQ(clip({.clip_norm = 2.0}, gradient), 1.0);
    EXPECT_DOUBLE_EQ(gradient[0], 0.6);
}

TEST(Clip, cuts_entries_first_and_then_the_norm) {
    std::vector<double> gradient{3.0, -400.0};
    clip({.clip_value = 4.0, .clip_norm = 10.0}, gradient);
    EXPECT_EQ(gradient, (std::vector<double>{3.0, -4.0}));
    clip({.clip_value = 4.0, .clip_norm = 2.5}, gradient);
    EXPECT_DOUBLE_EQ(gradient[0], 1.5);
    EXPECT_DOUBLE_EQ(gradient[1], -2.0);
}

TEST(Clip, survives_entries_near_overflow_and_no_entries) {
    std::vector<double> gradient{3e200, -4e200};
    EXPECT_DOUBLE_EQ(clip({.clip_norm = 1.0}, gradient), 5e200);
    EXPECT_NEAR(gradient[0], 0.6, 1e-15);
    std::vector<double> none;
    EXPECT_EQ(clip({.clip_norm = 1.0}, none), 0.0);
    std::vector<double> broken{1.0, std::numeric_limits<double>::quiet_NaN()};
    EXPECT_TRUE(std::isnan(clip({.clip_value = 1.0, .clip_norm = 1.0}, broken)));
    EXPECT_TRUE(std::isnan(broken[1]));
}

std::string complaint(const Options& options) {
    try {
        validate(options, "job.toml: [train]");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(ValidateOptions, accepts_the_defaults_of_every_rule) {
    for (const std::string& name : rule_names()) {
        EXPECT_EQ(complaint({.rule = rule_from(name).value()}), "");
    }
}

TEST(ValidateOptions, names_key_value_and_range) {
    EXPECT_EQ(complaint({.momentum = 1.0}),
              "job.toml: [train]: momentum = 1 is out of range (allowed: 0 <= momentum < 1); 0 "
              "forgets at once, near 1 remembers long");
    const std::vector<std::pair<std::string, std::function<void(Options&)>>> wrong{
        {"beta1 = -0.1", [](Options& o) { o.beta1 = -0.1; }},
        {"beta2 = nan", [](Options& o) { o.beta2 = std::nan(""); }},
        {"rho = 2", [](Options& o) { o.rho = 2; }},
        {"epsilon = 0", [](Options& o) { o.epsilon = 0; }},
        {"weight_decay = -1", [](Options& o) { o.weight_decay = -1; }},
        {"memory = 0", [](Options& o) { o.memory = 0; }},
        {"initial_damping = 0", [](Options& o) { o.initial_damping = 0; }},
        {"gradient_tolerance = -1", [](Options& o) { o.gradient_tolerance = -1; }},
        {"step_tolerance = inf", [](Options& o) { o.step_tolerance = std::numeric_limits<double>::infinity(); }},
        {"loss_tolerance = -1", [](Options& o) { o.loss_tolerance = -1; }},
        {"clip_value = 0", [](Options& o) { o.clip_value = 0; }},
        {"clip_norm = -1", [](Options& o) { o.clip_norm = -1; }},
    };
    for (const auto& [text, spoil] : wrong) {
        Options options;
        spoil(options);
        EXPECT_THAT(complaint(options), HasSubstr("job.toml: [train]: " + text + " is out of range (allowed: "));
    }
}

TEST(ValidateOptions, refuses_clipping_for_rules_that_compare_losses) {
    EXPECT_THAT(complaint({.rule = Rule::lbfgs, .clip_norm = 1.0}), HasSubstr("clip_norm does not go with lbfgs"));
    EXPECT_THAT(complaint({.rule = Rule::levenberg_marquardt, .clip_value = 1.0}),
                HasSubstr("clip_value does not go with levenberg_marquardt"));
}

} // namespace
} // namespace rondo::optimise
