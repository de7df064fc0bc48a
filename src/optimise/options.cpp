#include <rondo/optimise/options.hpp>

#include <rondo/base/error.hpp>

#include "ranges.hpp"
#include "vectors.hpp"
#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rondo::optimise {

const std::vector<std::string>& rule_names() {
    static const std::vector<std::string> names{"sgd",   "momentum", "nesterov",           "adagrad", "rmsprop", "adam",
                                                "adamw", "lbfgs",    "levenberg_marquardt"};
    return names;
}

std::optional<Rule> rule_from(std::string_view name) { return value_named<Rule>(rule_names(), name); }

std::string_view name_of(Rule rule) { return rule_names()[static_cast<std::size_t>(rule)]; }

Needs needs(Rule rule) { return rule == Rule::levenberg_marquardt ? Needs::gauss_newton : Needs::gradient; }

bool is_full_batch_only(Rule rule) { return rule == Rule::lbfgs || rule == Rule::levenberg_marquardt; }

namespace {

void require_fraction(const std::string& where, std::string_view key, double value) {
    require(value >= 0 && value < 1, where, key, value, fmt::format("0 <= {} < 1", key),
            "0 forgets at once, near 1 remembers long");
}

void require_not_negative(const std::string& where, std::string_view key, double value, std::string_view advice) {
    require(std::isfinite(value) && value >= 0, where, key, value, fmt::format("{} >= 0", key), advice);
}

void validate_clip(const Options& options, const std::string& where, std::string_view key,
                   const std::optional<double>& limit) {
    if (!limit) {
        return;
    }
    require(std::isfinite(*limit) && *limit > 0, where, key, *limit, fmt::format("{} > 0", key),
            "leave the key out for no clipping");
    if (is_full_batch_only(options.rule)) {
        throw InputError{
            fmt::format("{}: {} does not go with {} (a clipped gradient is no longer that of the losses it "
                        "compares); leave {} out or choose another optimizer",
                        where, key, name_of(options.rule), key)};
    }
}

} // namespace

void validate(const Options& options, const std::string& where) {
    require_fraction(where, "momentum", options.momentum);
    require_fraction(where, "beta1", options.beta1);
    require_fraction(where, "beta2", options.beta2);
    require_fraction(where, "rho", options.rho);
    require(std::isfinite(options.epsilon) && options.epsilon > 0, where, "epsilon", options.epsilon, "epsilon > 0",
            "it keeps a denominator from vanishing; 1e-8 is usual");
    require_not_negative(where, "weight_decay", options.weight_decay, "0 is no decay");
    require(options.memory >= 1, where, "memory", static_cast<double>(options.memory), "1, 2, ...",
            "5 to 20 pairs are usual");
    require(std::isfinite(options.initial_damping) && options.initial_damping > 0, where, "initial_damping",
            options.initial_damping, "initial_damping > 0", "1e-3 is usual, 1 for a poor starting point");
    require_not_negative(where, "gradient_tolerance", options.gradient_tolerance, "0 asks for a gradient of zero");
    require_not_negative(where, "step_tolerance", options.step_tolerance, "0 asks for a step of zero");
    require_not_negative(where, "loss_tolerance", options.loss_tolerance, "0 asks for an unchanged loss");
    validate_clip(options, where, "clip_value", options.clip_value);
    validate_clip(options, where, "clip_norm", options.clip_norm);
}

double clip(const Options& options, std::span<double> gradient) {
    const double norm_before = norm(gradient);
    if (options.clip_value) {
        for (double& entry : gradient) {
            entry = std::clamp(entry, -*options.clip_value, *options.clip_value);
        }
    }
    const double norm_now = options.clip_value ? norm(gradient) : norm_before;
    if (options.clip_norm && norm_now > *options.clip_norm) {
        for (double& entry : gradient) {
            entry *= *options.clip_norm / norm_now;
        }
    }
    return norm_before;
}

} // namespace rondo::optimise
