#include "model/kernels.hpp"
#include "model/specs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace rondo::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Point predator_prey{.t = 0, .x = {10, 4}, .p = {0.5, 0.25, 0.75, 0.125, 30}, .c = {}, .seed = {3, -2}};
const std::vector<std::size_t> all_five{0, 1, 2, 3, 4};

TEST(LotkaVolterra, rates_and_jacobian_are_those_of_the_equations) {
    const Model model = interpreted_model(lotka_volterra(), all_five);
    EXPECT_THAT(evaluate(model, KernelKind::rates, predator_prey), ElementsAre(-5, 2));
    EXPECT_THAT(evaluate(model, KernelKind::jacobian, predator_prey), ElementsAre(-0.5, 0.5, -2.5, 0.5));
}

TEST(LotkaVolterra, tangent_is_the_augmented_right_hand_side) {
    const Model model = interpreted_model(lotka_volterra(), std::vector<std::size_t>{1, 3});
    Point at = predator_prey;
    at.seed = {1, 2, 0, 4};
    EXPECT_THAT(evaluate(model, KernelKind::tangent, at), ElementsAre(-5, 2, -5.5 - 40, 1.5, -10, 2 + 40));
}

TEST(LotkaVolterra, adjoint_products_are_transposed_jacobians) {
    const Model model = interpreted_model(lotka_volterra(), all_five);
    EXPECT_THAT(evaluate(model, KernelKind::adjoint_state, predator_prey), ElementsAre(-2.5, -8.5));
    EXPECT_THAT(evaluate(model, KernelKind::adjoint_parameter, predator_prey), ElementsAre(30, -120, 8, -80, 0));
}

TEST(LotkaVolterra, starts_where_the_parameters_say) {
    const Model model = interpreted_model(lotka_volterra(), std::vector<std::size_t>{0, 4});
    EXPECT_THAT(evaluate(model, KernelKind::initial, predator_prey), ElementsAre(30, 4));
    EXPECT_THAT(evaluate(model, KernelKind::initial_tangent, predator_prey), ElementsAre(30, 4, 0, 0, 1, 0));
}

TEST(LotkaVolterra, observes_each_state_as_itself_with_unit_noise) {
    const Model model = interpreted_model(lotka_volterra(), std::vector<std::size_t>{0, 4});
    Point at = predator_prey;
    at.seed = {3, -2, 5, 7};
    EXPECT_THAT(model.observables, ElementsAre("hare", "lynx"));
    EXPECT_THAT(evaluate(model, KernelKind::outputs, at), ElementsAre(10, 4, 1, 1));
    EXPECT_THAT(evaluate(model, KernelKind::outputs_adjoint, at), ElementsAre(3, -2, 0, 0));
    EXPECT_THAT(evaluate(model, KernelKind::amounts, at), IsEmpty());
}

TEST(InterpretedModel, without_active_parameters_still_has_all_kernels) {
    const Model model = interpreted_model(lotka_volterra(), {});
    EXPECT_EQ(model.backend, "interpreted");
    EXPECT_THAT(evaluate(model, KernelKind::tangent, predator_prey), ElementsAre(-5, 2));
    EXPECT_THAT(evaluate(model, KernelKind::initial_tangent, predator_prey), ElementsAre(30, 4));
    EXPECT_THAT(evaluate(model, KernelKind::adjoint_parameter, predator_prey), IsEmpty());
}

/// The model with everything in it, on both sides of its conditions, with some of its parameters active.
class Absorption : public testing::TestWithParam<bool> {
protected:
    const std::vector<std::size_t> active{0, 2, 3, 4, 5};
    const Model model = interpreted_model(absorption(), active);
    Point at = absorption_point(GetParam());

    static void expect_near(double value, double expected, const std::string& what) {
        EXPECT_NEAR(value, expected, 1e-8 * (1 + std::abs(expected))) << what;
    }

    /// Columns after the first are derivatives of `values` along the seeds s_k and parameter k.
    void expect_columns(KernelKind values, const std::vector<double>& columns) {
        for (std::size_t k = 0; k < active.size(); ++k) {
            const auto by_first = difference(model, values, at, at.x[0]);
            const auto by_second = difference(model, values, at, at.x[1]);
            const auto by_parameter = difference(model, values, at, at.p[active[k]]);
            for (std::size_t i = 0; i < 2; ++i) {
                expect_near(columns[(1 + k) * 2 + i],
                            by_first[i] * at.seed[2 * k] + by_second[i] * at.seed[2 * k + 1] + by_parameter[i],
                            model.parameters[active[k]]);
            }
        }
    }

    /// The columns after the first are derivatives of the first by the active parameters.
    void expect_tangent(KernelKind values, KernelKind tangents) {
        const auto plain = evaluate(model, values, at);
        const auto all = evaluate(model, tangents, at);
        for (std::size_t i = 0; i < plain.size(); ++i) {
            EXPECT_EQ(all[i], plain[i]) << i;
        }
        for (std::size_t k = 0; k < active.size(); ++k) {
            const auto slope = difference(model, values, at, at.p[active[k]]);
            for (std::size_t i = 0; i < plain.size(); ++i) {
                expect_near(all[(1 + k) * plain.size() + i], slope[i], model.parameters[active[k]]);
            }
        }
    }

    /// <weights, d values / d variable>
    double weighed(KernelKind values, double& variable) {
        const auto slope = difference(model, values, at, variable);
        double sum = 0;
        for (std::size_t i = 0; i < slope.size(); ++i) {
            sum += slope[i] * at.seed[i];
        }
        return sum;
    }
};

TEST_P(Absorption, rates_are_those_of_the_equations) {
    const bool later = GetParam();
    const double concentration = at.x[1] / (8.0 * 61 / 70);
    const double absorbed = (later ? 2.6 : 1.3) * 3.1;
    const double saturable =
        concentration > 0.5 ? 0.7 * concentration / (1 + concentration) : 0.7 * concentration / 1.5;
    ASSERT_EQ(concentration > 0.5, later);
    const auto rates = evaluate(model, KernelKind::rates, at);
    EXPECT_DOUBLE_EQ(rates[0], -absorbed);
    EXPECT_DOUBLE_EQ(rates[1], 0.9 * absorbed - 0.4 * std::pow(61.0 / 70, 0.75) * concentration - saturable);
}

TEST_P(Absorption, outputs_are_observables_then_noise) {
    const double concentration = at.x[1] / (8.0 * 61 / 70);
    const double effect = std::tanh(concentration) + std::log1p(3.1) * std::sqrt(0.7);
    const auto outputs = evaluate(model, KernelKind::outputs, at);
    EXPECT_DOUBLE_EQ(outputs[0], concentration);
    EXPECT_DOUBLE_EQ(outputs[1], effect);
    EXPECT_DOUBLE_EQ(outputs[2], 0.2);
    EXPECT_DOUBLE_EQ(outputs[3], 0.2 * (1 + effect));
}

TEST_P(Absorption, initial_values_and_amounts_read_covariates) {
    const auto initial = evaluate(model, KernelKind::initial, at);
    EXPECT_DOUBLE_EQ(initial[0], 0.9 * 4.2);
    EXPECT_DOUBLE_EQ(initial[1], std::exp(-8.0));
    const auto amounts = evaluate(model, KernelKind::amounts, at);
    EXPECT_DOUBLE_EQ(amounts[0], 0.9 * 4.2 * std::exp(-1.3 * at.t));
    EXPECT_DOUBLE_EQ(amounts[1], 2.1);
}

TEST_P(Absorption, jacobian_is_column_major_and_agrees_with_differences) {
    const auto jacobian = evaluate(model, KernelKind::jacobian, at);
    for (std::size_t j = 0; j < 2; ++j) {
        const auto column = difference(model, KernelKind::rates, at, at.x[j]);
        expect_near(jacobian[2 * j], column[0], "gut by state " + model.states[j]);
        expect_near(jacobian[2 * j + 1], column[1], "plasma by state " + model.states[j]);
    }
}

TEST_P(Absorption, tangent_agrees_with_differences_along_the_seeds) {
    at.seed = seeds(active.size() * 2);
    const auto tangent = evaluate(model, KernelKind::tangent, at);
    const auto jacobian = evaluate(model, KernelKind::jacobian, at);
    for (std::size_t k = 0; k < active.size(); ++k) {
        const auto by_parameter = difference(model, KernelKind::rates, at, at.p[active[k]]);
        for (std::size_t i = 0; i < 2; ++i) {
            expect_near(tangent[(1 + k) * 2 + i],
                        jacobian[i] * at.seed[2 * k] + jacobian[2 + i] * at.seed[2 * k + 1] + by_parameter[i],
                        model.parameters[active[k]]);
        }
    }
}

TEST_P(Absorption, adjoints_of_the_rates_agree_with_differences) {
    at.seed = seeds(2);
    const auto by_state = evaluate(model, KernelKind::adjoint_state, at);
    for (std::size_t j = 0; j < 2; ++j) {
        expect_near(by_state[j], weighed(KernelKind::rates, at.x[j]), model.states[j]);
    }
    const auto by_parameter = evaluate(model, KernelKind::adjoint_parameter, at);
    for (std::size_t k = 0; k < active.size(); ++k) {
        expect_near(by_parameter[k], weighed(KernelKind::rates, at.p[active[k]]), model.parameters[active[k]]);
    }
}

TEST_P(Absorption, adjoint_of_the_outputs_agrees_with_differences) {
    at.seed = seeds(4);
    const auto adjoint = evaluate(model, KernelKind::outputs_adjoint, at);
    for (std::size_t j = 0; j < 2; ++j) {
        expect_near(adjoint[j], weighed(KernelKind::outputs, at.x[j]), model.states[j]);
    }
    for (std::size_t k = 0; k < active.size(); ++k) {
        expect_near(adjoint[2 + k], weighed(KernelKind::outputs, at.p[active[k]]), model.parameters[active[k]]);
    }
}

TEST_P(Absorption, one_adjoint_does_the_work_of_two) {
    at.seed = seeds(2);
    auto expected = evaluate(model, KernelKind::adjoint_state, at);
    const auto by_parameter = evaluate(model, KernelKind::adjoint_parameter, at);
    expected.insert(expected.end(), by_parameter.begin(), by_parameter.end());
    EXPECT_THAT(evaluate(model, KernelKind::adjoint, at), testing::Pointwise(testing::DoubleNear(1e-13), expected));
}

TEST_P(Absorption, adjoint_adds_to_the_gradient_it_is_given) {
    at.seed = seeds(2);
    const auto from_zero = evaluate(model, KernelKind::adjoint, at);
    std::vector<double> out(from_zero.size(), 100.0);
    model.kernel(KernelKind::adjoint)({&at.t, at.x.data(), at.p.data(), at.c.data(), at.seed.data()}, out.data());
    for (std::size_t i = 0; i < out.size(); ++i) {
        EXPECT_DOUBLE_EQ(out[i], from_zero[i] + (i < 2 ? 0.0 : 100.0)) << i;
    }
}

TEST_P(Absorption, derivatives_by_time_agree_with_differences) {
    const auto slope = difference(model, KernelKind::rates, at, at.t);
    const auto by_time = evaluate(model, KernelKind::time_rates, at);
    at.seed = seeds(2);
    const auto adjoint = evaluate(model, KernelKind::time_adjoint, at);
    for (std::size_t j = 0; j < 2; ++j) {
        expect_near(by_time[j], slope[j], model.states[j]);
        expect_near(adjoint[j], weighed(KernelKind::time_rates, at.x[j]), model.states[j]);
    }
    for (std::size_t k = 0; k < active.size(); ++k) {
        expect_near(adjoint[2 + k], weighed(KernelKind::time_rates, at.p[active[k]]), model.parameters[active[k]]);
    }
    at.seed = seeds(2 * active.size());
    expect_columns(KernelKind::time_rates, evaluate(model, KernelKind::time_tangent, at));
}

/// q = J u at fixed u: its derivatives along every sensitivity, and the transposed ones.
TEST_P(Absorption, second_derivatives_agree_with_differences) {
    const std::vector<double> u{0.7, -1.3};
    at.seed = seeds(2 * active.size());
    at.seed.insert(at.seed.end(), u.begin(), u.end());
    const auto tangent = evaluate(model, KernelKind::second_tangent, at);
    const auto jacobian = evaluate(model, KernelKind::jacobian, at);
    for (std::size_t i = 0; i < 2; ++i) {
        expect_near(tangent[i], jacobian[i] * u[0] + jacobian[2 + i] * u[1], "J u");
    }
    expect_columns(KernelKind::second_tangent, tangent);
    const std::vector<double> lambda{0.4, 1.1};
    at.seed = {lambda[0], lambda[1], u[0], u[1]};
    const auto adjoint = evaluate(model, KernelKind::second_adjoint, at);
    const auto product = [&](double& variable) {
        const auto slope = difference(model, KernelKind::jacobian, at, variable);
        return lambda[0] * (slope[0] * u[0] + slope[2] * u[1]) + lambda[1] * (slope[1] * u[0] + slope[3] * u[1]);
    };
    for (std::size_t j = 0; j < 2; ++j) {
        expect_near(adjoint[j], product(at.x[j]), model.states[j]);
    }
    for (std::size_t k = 0; k < active.size(); ++k) {
        expect_near(adjoint[2 + k], product(at.p[active[k]]), model.parameters[active[k]]);
    }
}

TEST_P(Absorption, tangents_of_initial_values_and_amounts_agree_with_differences) {
    expect_tangent(KernelKind::initial, KernelKind::initial_tangent);
    expect_tangent(KernelKind::amounts, KernelKind::amounts_tangent);
}

INSTANTIATE_TEST_SUITE_P(sides, Absorption, testing::Bool(),
                         [](const auto& side) { return side.param ? "later" : "early"; });

} // namespace
} // namespace rondo::model
