// States and sensitivities of problems from the literature, against values computed in extended precision.

#include "solve/helpers.hpp"
#include "support/exact_problems.hpp"
#include "support/json.hpp"

#include <filesystem>

namespace rondo::solve {
namespace {

using ::rondo::testing::Json;
using ::rondo::testing::read_json;

struct Reference {
    std::string file;
    double atol;
    std::vector<Method> methods;
};

/// Largest errors at rtol 1e-10, relative to the largest state at a time, and to the largest sensitivity to a
/// parameter. A loss alone (the adjoint's way forward) controls fewer errors than an augmented system.
double state_tolerance(Sensitivity way) { return way == Sensitivity::forward ? 1e-8 : 1e-7; }
double sensitivity_tolerance(Sensitivity way) { return way == Sensitivity::forward ? 3e-7 : 1e-6; }

std::string with_carets(std::string text) {
    for (std::size_t at = text.find("**"); at != std::string::npos; at = text.find("**")) {
        text.replace(at, 2, "^");
    }
    return text;
}

/// The file's problem: all its parameters, those of `sens_wrt` active.
struct Problem {
    Json json;
    std::vector<std::string> states;
    std::vector<double> parameters;
    model::Model model;

    explicit Problem(const std::filesystem::path& path) : json{read_json(path)}, states{json["states"].texts()} {
        const std::vector<std::string>& names = json["parameters"].names;
        parameters = json["parameters"].numbers();
        std::vector<::rondo::testing::Equation> equations;
        for (std::size_t i = 0; i < states.size(); ++i) {
            equations.push_back({states[i], with_carets(json["rhs"][i].text), json["y0"][i].text});
        }
        std::vector<std::size_t> active;
        for (const std::string& name : json["sens_wrt"].texts()) {
            active.push_back(static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
        }
        model = model::interpreted_model(::rondo::testing::make_spec(equations, names), active);
    }
};

class ReferenceTest : public ::testing::TestWithParam<Reference> {};

TEST_P(ReferenceTest, states_and_sensitivities) {
    const Reference& reference = GetParam();
    const std::filesystem::path path = std::filesystem::path{RONDO_SHARED_DATA} / reference.file;
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << path << " is not on this machine";
    }
    const Problem problem{path};
    const std::size_t n = problem.states.size(), m = problem.model.n_active();
    for (const Method method : reference.methods) {
        for (const Sensitivity way : {Sensitivity::forward, Sensitivity::adjoint}) {
            const auto engine = make_engine(make_options(method, way, 1e-10, reference.atol), problem.model);
            double worst_state = 0, worst_sensitivity = 0;
            for (const Json& time : problem.json["t_out"].items) {
                const Json& exact = problem.json["y"][time.text];
                const Json& slopes = problem.json["dy_dp"][time.text];
                double largest = 0;
                for (const double value : exact.numbers()) {
                    largest = std::max(largest, std::fabs(value));
                }
                std::vector<double> largest_slope(m, 0.0);
                for (std::size_t i = 0; i < n; ++i) {
                    for (std::size_t k = 0; k < m; ++k) {
                        largest_slope[k] = std::max(largest_slope[k], std::fabs(slopes[i][k].number()));
                    }
                }
                for (std::size_t i = 0; i < n; ++i) {
                    // One point with a residual of one half makes the gradient the sensitivity.
                    std::vector<double> data(n, missing);
                    data[i] = exact[i].number() - 0.5;
                    const Solution solution =
                        solve_with(*engine, problem.model, one_trajectory(problem.states, {time.number()}, data),
                                   problem.parameters);
                    ASSERT_TRUE(solution.outcome.solved) << solution.outcome.reason;
                    EXPECT_EQ(solution.outcome.attempts, 1);
                    const double state = solution.predictions[i];
                    worst_state = std::max(worst_state, std::fabs(state - exact[i].number()) / largest);
                    for (std::size_t k = 0; k < m; ++k) {
                        const double slope = solution.row[1 + k] / (2.0 * (state - data[i]));
                        worst_sensitivity =
                            std::max(worst_sensitivity, std::fabs(slope - slopes[i][k].number()) / largest_slope[k]);
                    }
                }
            }
            EXPECT_LT(worst_state, state_tolerance(way)) << name_of(method) << ", " << name_of(way);
            EXPECT_LT(worst_sensitivity, sensitivity_tolerance(way)) << name_of(method) << ", " << name_of(way);
        }
    }
}

std::string name_of_case(const ::testing::TestParamInfo<Reference>& info) {
    return std::filesystem::path{info.param.file}.stem().string();
}

const std::vector<Method> stiff{Method::bdf}, any{Method::bdf, Method::adams, Method::tsit5};

INSTANTIATE_TEST_SUITE_P(Problems, ReferenceTest,
                         ::testing::Values(Reference{"computed/ode_problems/robertson.json", 1e-16, stiff},
                                           Reference{"computed/ode_problems/brusselator.json", 1e-12, any},
                                           Reference{"computed/ode_problems/lorenz.json", 1e-12, any},
                                           Reference{"computed/ode_problems/lotkavolterra_sundials.json", 1e-12, any},
                                           Reference{"more/ode_problems/hires.json", 1e-14, stiff},
                                           Reference{"more/ode_problems/orego.json", 1e-12, stiff}),
                         name_of_case);

} // namespace
} // namespace rondo::solve
