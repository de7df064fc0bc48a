#pragma once

#include <rondo/model/model.hpp>
#include <rondo/solve/engine.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rondo::solve {

inline constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// An ensemble of one trajectory. `values` and `sigmas` are [T x columns] row-major.
inline ensemble::Ensemble one_trajectory(std::vector<std::string> columns, std::vector<double> times,
                                         std::vector<double> values, std::vector<double> sigmas = {},
                                         std::vector<ensemble::Event> events = {}) {
    ensemble::Ensemble one;
    one.labels = {"a"};
    one.covariate_names = {"index"};
    one.covariates = {1.0};
    one.columns = std::move(columns);
    one.offset = {0, static_cast<std::int64_t>(times.size())};
    one.event_offset = {0, static_cast<std::int64_t>(events.size())};
    one.time = std::move(times);
    one.value = std::move(values);
    one.sigma = std::move(sigmas);
    one.events = std::move(events);
    return one;
}

/// One trajectory's solution.
struct Solution {
    Outcome outcome;
    std::vector<double> row;
    std::vector<double> predictions;
    [[nodiscard]] double loss() const { return row[0]; }
    [[nodiscard]] std::vector<double> gradient(std::size_t m) const {
        return {row.begin() + 1, row.begin() + 1 + static_cast<std::ptrdiff_t>(m)};
    }
};

inline Options make_options(Method method, Sensitivity sensitivity, double rtol = 1e-6, double atol = 1e-8) {
    const bool one_step = method == Method::tsit5 || method == Method::rodas5p;
    return {.engine = one_step ? EngineKind::lanes : EngineKind::single,
            .method = method,
            .sensitivity = sensitivity,
            .rtol = rtol,
            .atol = atol};
}

inline Solution solve_with(Engine& engine, const model::Model& model, const ensemble::Ensemble& ensemble,
                           const std::vector<double>& parameters, Want want = Want::gradient, double initial_time = 0,
                           std::int64_t trajectory = 0) {
    Solution solution;
    const Request request{&model, &ensemble, initial_time, parameters, want};
    const std::vector<std::int64_t> which{trajectory};
    std::vector<Outcome> outcomes(1);
    solution.row.assign(row_size(want, model.n_active()), -1.0);
    solution.predictions.assign(ensemble.trajectory(trajectory).times.size() * 2 * model.n_observables(), -1.0);
    engine.solve(request, which, outcomes, solution.row, solution.predictions.data());
    solution.outcome = outcomes[0];
    return solution;
}

inline Solution solve_once(const Options& options, const model::Model& model, const ensemble::Ensemble& ensemble,
                           const std::vector<double>& parameters, Want want = Want::gradient, double initial_time = 0) {
    return solve_with(*make_engine(options, model), model, ensemble, parameters, want, initial_time);
}

/// Central differences of the loss with tight tolerances, one parameter at a time, extrapolated once (error of order
/// h^4).
inline std::vector<double> differences(const model::Model& model, const ensemble::Ensemble& ensemble,
                                       const std::vector<double>& parameters, double initial_time = 0) {
    const auto engine = make_engine(make_options(Method::bdf, Sensitivity::forward, 1e-12, 1e-14), model);
    const auto loss_at = [&](std::size_t parameter, double change) {
        std::vector<double> moved = parameters;
        moved[parameter] += change;
        const Solution solution = solve_with(*engine, model, ensemble, moved, Want::loss, initial_time);
        EXPECT_TRUE(solution.outcome.solved) << solution.outcome.reason;
        return solution.loss();
    };
    std::vector<double> result;
    for (const std::size_t parameter : model.active) {
        const double h = 2e-3 * std::max(std::fabs(parameters[parameter]), 1e-3);
        const double wide = (loss_at(parameter, h) - loss_at(parameter, -h)) / (2 * h);
        const double narrow = (loss_at(parameter, h / 2) - loss_at(parameter, -h / 2)) / h;
        result.push_back((4 * narrow - wide) / 3);
    }
    return result;
}

/// Each entry within `tolerance` times the largest of `expected`.
inline void expect_near(std::span<const double> actual, std::span<const double> expected, double tolerance,
                        const std::string& what = "") {
    ASSERT_EQ(actual.size(), expected.size()) << what;
    double largest = 0;
    for (const double value : expected) {
        largest = std::max(largest, std::fabs(value));
    }
    for (std::size_t i = 0; i < actual.size(); ++i) {
        EXPECT_NEAR(actual[i], expected[i], tolerance * largest) << what << " entry " << i;
    }
}

/// Kernels written by hand: for models that throw or give what no expression would.
class ScriptedModule final : public expression::Module {
public:
    using Function = std::function<void(const expression::Arguments&, double*)>;

    ScriptedModule() : functions_(model::n_kernel_kinds, [](const expression::Arguments&, double*) {}) {}
    Function& operator[](model::KernelKind kind) { return functions_[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] expression::Kernel kernel(std::size_t i) const override {
        return {[](const void* self, const expression::Arguments* arguments, double* out) {
                    (*static_cast<const Function*>(self))(*arguments, out);
                },
                &functions_[i]};
    }
    [[nodiscard]] int width() const override { return 1; }

private:
    std::vector<Function> functions_;
};

/// x' = rate(t, x), x(0) = 1, observed as itself; no parameter.
inline model::Model scripted_model(const std::function<double(double, double)>& rate) {
    const auto module = std::make_shared<ScriptedModule>();
    (*module)[model::KernelKind::rates] = [rate](const expression::Arguments& a, double* out) {
        out[0] = rate(*a.time, *a.state);
    };
    (*module)[model::KernelKind::jacobian] = [rate](const expression::Arguments& a, double* out) {
        const double h = 1e-7 * (1.0 + std::fabs(*a.state));
        out[0] = (rate(*a.time, *a.state + h) - rate(*a.time, *a.state - h)) / (2 * h);
    };
    (*module)[model::KernelKind::initial] = [](const expression::Arguments&, double* out) { out[0] = 1.0; };
    (*module)[model::KernelKind::outputs] = [](const expression::Arguments& a, double* out) {
        out[0] = *a.state;
        out[1] = 1.0;
    };
    model::Model model;
    model.states = {"x"};
    model.covariates = {"index"};
    model.observables = {"x"};
    model.module = module;
    model.backend = "scripted";
    return model;
}

} // namespace rondo::solve
