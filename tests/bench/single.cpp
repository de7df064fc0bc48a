// What the engine `single` makes of CVODES: Lotka-Volterra, 100 save points, 6 sensitivities, rtol 1e-6, atol 1e-8.
// Prints microseconds a trajectory and the error of the gradient against a solve at 1e-12, beside SUNDIALS on its own.
// Run: rondo_bench_single [number of trajectories] [part of the name of what is to be run]

#include "sundials_alone.hpp"

#include <rondo/expression/compile.hpp>
#include <rondo/model/model.hpp>
#include <rondo/solve/engine.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::bench {
namespace {

constexpr std::size_t n_times = 100;
constexpr double last_time = 20.0;
constexpr double rtol = 1e-6, atol = 1e-8;

model::Spec lotka_volterra() {
    model::Spec spec;
    spec.where = "benchmark";
    spec.states = {"hare", "lynx"};
    spec.parameters = {"alpha", "beta", "gamma", "delta", "hare0", "lynx0"};
    spec.covariates = {"index"};
    spec.rates = {{"hare", "alpha*hare - beta*hare*lynx", "hare"}, {"lynx", "delta*hare*lynx - gamma*lynx", "lynx"}};
    spec.initial = {{"hare", "hare0", "hare"}, {"lynx", "lynx0", "lynx"}};
    return spec;
}

model::Model make_model() {
    const std::vector<std::size_t> active{0, 1, 2, 3, 4, 5};
    const model::Spec spec = lotka_volterra();
    model::System system = model::build_system(spec);
    const auto programs = model::derive(system, active);
    std::string message;
    const auto object = expression::compile(model::kernel_source(system, programs), {}, message);
    if (!object) {
        fmt::print("interpreted kernels: {}\n", message);
        return model::interpreted_model(spec, active);
    }
    return model::make_model(system, spec.loss, active, model::loaded_kernels(*object, programs.size()));
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Trajectories with random parameters; all have the same made-up data.
struct Workload {
    std::vector<std::array<double, 6>> parameters;
    ensemble::Ensemble ensemble;

    explicit Workload(std::size_t count) {
        std::mt19937_64 random{1};
        std::uniform_real_distribution<double> factor{0.8, 1.25};
        for (std::size_t i = 0; i < count; ++i) {
            std::array<double, 6> p{1.5, 1.0, 3.0, 1.0, 1.0, 1.0};
            for (double& value : p) {
                value *= factor(random);
            }
            parameters.push_back(p);
        }
        ensemble.labels = {"all"};
        ensemble.covariate_names = {"index"};
        ensemble.covariates = {1.0};
        ensemble.columns = {"hare", "lynx"};
        ensemble.offset = {0, n_times};
        ensemble.event_offset = {0, 0};
        for (std::size_t i = 1; i <= n_times; ++i) {
            const double t = last_time * static_cast<double>(i) / n_times;
            ensemble.time.push_back(t);
            ensemble.value.push_back(2.0 + std::sin(t));
            ensemble.value.push_back(1.5 + std::cos(t));
        }
    }

    [[nodiscard]] LotkaVolterra task(std::size_t i) const { return {parameters[i], ensemble.time, ensemble.value}; }
};

using Solver = std::function<LossGradient(std::size_t)>;

Solver by_engine(const Workload& work, const model::Model& model, solve::Engine& engine) {
    return [&work, &model, &engine](std::size_t i) {
        const solve::Request request{&model, &work.ensemble, 0.0, work.parameters[i], solve::Want::gradient};
        const std::array<std::int64_t, 1> first{0};
        std::array<solve::Outcome, 1> outcome;
        std::array<double, 7> row{};
        engine.solve(request, first, outcome, row, nullptr);
        LossGradient result;
        result.loss = outcome[0].solved ? row[0] : std::numeric_limits<double>::quiet_NaN();
        std::copy(row.begin() + 1, row.end(), result.gradient.begin());
        return result;
    };
}

/// @return median microseconds
double report(const std::string& name, std::size_t count, const Solver& solver,
              const std::vector<LossGradient>& exact) {
    std::vector<double> micros, errors;
    for (int round = 0; round < 3; ++round) {
        for (std::size_t i = 0; i < count; ++i) {
            const auto begin = std::chrono::steady_clock::now();
            const LossGradient result = solver(i);
            micros.push_back(
                std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
            double worst = 0, largest = 0;
            for (std::size_t k = 0; k < result.gradient.size(); ++k) {
                worst = std::max(worst, std::fabs(result.gradient[k] - exact[i].gradient[k]));
                largest = std::max(largest, std::fabs(exact[i].gradient[k]));
            }
            errors.push_back(worst / largest);
        }
    }
    const double middle = median(std::move(micros));
    fmt::print("{:<48} {:>10.1f} {:>12.1e} {:>12.1e}\n", name, middle, median(errors),
               *std::max_element(errors.begin(), errors.end()));
    return middle;
}

solve::Options options_of(solve::Method method, solve::Sensitivity sensitivity, double relative, double absolute) {
    return {solve::EngineKind::single, method, sensitivity, relative, absolute, 1000000, 1};
}

void run(std::size_t count, std::string_view only) {
    using solve::Method;
    using solve::Sensitivity;
    const Workload work{count};
    const model::Model model = make_model();
    std::vector<LossGradient> exact;
    const auto strict = solve::make_engine(options_of(Method::bdf, Sensitivity::forward, 1e-12, 1e-14), model);
    for (std::size_t i = 0; i < count; ++i) {
        exact.push_back(by_engine(work, model, *strict)(i));
    }
    fmt::print("{} trajectories, kernels {}\n", count, model.backend);
    fmt::print("{:<48} {:>10} {:>12} {:>12}\n", "", "us", "error median", "error worst");
    double ours = 0, theirs = std::numeric_limits<double>::infinity();
    for (const auto& [name, method, sensitivity] :
         {std::tuple{"single, BDF, augmented", Method::bdf, Sensitivity::forward},
          std::tuple{"single, Adams, augmented", Method::adams, Sensitivity::forward},
          std::tuple{"single, BDF, adjoint", Method::bdf, Sensitivity::adjoint},
          std::tuple{"single, Adams, adjoint", Method::adams, Sensitivity::adjoint}}) {
        if (std::string_view{name}.find(only) == std::string_view::npos) {
            continue;
        }
        const auto engine = solve::make_engine(options_of(method, sensitivity, rtol, atol), model);
        const double micros = report(name, count, by_engine(work, model, *engine), exact);
        if (method == Method::bdf && sensitivity == Sensitivity::forward) {
            ours = micros;
        }
    }
    for (const auto& [name, corrector] :
         {std::pair{"SUNDIALS alone, BDF, simultaneous", Corrector::simultaneous},
          std::pair{"SUNDIALS alone, BDF, staggered", Corrector::staggered},
          std::pair{"SUNDIALS alone, BDF, staggered one by one", Corrector::staggered_one_by_one}}) {
        if (std::string_view{name}.find(only) == std::string_view::npos) {
            continue;
        }
        const SundialsAlone alone{corrector, rtol, atol};
        theirs = std::min(theirs, report(
                                      name, count, [&](std::size_t i) { return alone.solve(work.task(i)); }, exact));
    }
    if (ours > 0 && std::isfinite(theirs)) {
        fmt::print("SUNDIALS alone takes {:.1f} times as long as single, BDF, augmented\n", theirs / ours);
    }
}

} // namespace
} // namespace rondo::bench

int main(int argc, char** argv) {
    rondo::bench::run(argc > 1 ? static_cast<std::size_t>(std::strtoul(argv[1], nullptr, 10)) : 300,
                      argc > 2 ? argv[2] : "");
    return 0;
}
