#include "complex_step.hpp"
#include "evaluate.hpp"
#include "random_tree.hpp"

#include <rondo/base/error.hpp>
#include <rondo/expression/differentiate.hpp>
#include <rondo/expression/parse.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace rondo::expression {
namespace {

/// Expressions in x, y, z (states 0, 1, 2) and their derivatives.
struct DifferentiateTest : testing::Test {
    Graph graph;
    std::array<NodeId, 3> inputs{graph.input(Input::state, 0), graph.input(Input::state, 1),
                                 graph.input(Input::state, 2)};
    Scope scope{{{"x", inputs[0]}, {"y", inputs[1]}, {"z", inputs[2]}}};

    NodeId text(const std::string& expression) { return parse(graph, scope, expression, "test"); }

    static Inputs point(double x, double y = 0, double z = 0) {
        return {{{Input::state, 0}, x}, {{Input::state, 1}, y}, {{Input::state, 2}, z}};
    }

    NodeId forward(NodeId output, NodeId input) {
        const auto entries = jacobian(graph, std::array{output}, std::array{input});
        return entries.empty() ? graph.constant(0) : entries[0].value;
    }
    NodeId reverse(NodeId output, NodeId input) {
        return vector_jacobian(graph, std::array{output}, std::array{graph.constant(1)}, std::array{input})[0];
    }
    void expect_slope(const std::string& expression, std::size_t input, const Inputs& at, double expected) {
        const NodeId output = text(expression);
        EXPECT_DOUBLE_EQ(evaluate(graph, forward(output, inputs[input]), at), expected) << "forward of " << expression;
        EXPECT_DOUBLE_EQ(evaluate(graph, reverse(output, inputs[input]), at), expected) << "reverse of " << expression;
    }
    std::size_t count(Op op) const {
        std::size_t n = 0;
        for (std::size_t i = 0; i < graph.size(); ++i) {
            n += graph.node(NodeId{static_cast<std::uint32_t>(i)}).op == op ? 1U : 0U;
        }
        return n;
    }
};

TEST_F(DifferentiateTest, every_function_has_its_closed_form) {
    const std::vector<std::pair<std::string, std::string>> table{
        {"x", "1"},
        {"y", "0"},
        {"x + y", "1"},
        {"y - x", "-1"},
        {"x*y", "y"},
        {"x/y", "1/y"},
        {"y/x", "-y/x^2"},
        {"-x", "-1"},
        {"x^2", "2*x"},
        {"x^3", "3*x^2"},
        {"x^-2", "-2*x^-3"},
        {"x^7", "7*x^6"},
        {"x^2.5", "2.5*x^1.5"},
        {"x^y", "y*x^(y - 1)"},
        {"y^x", "y^x*log(y)"},
        {"sqrt(x)", "0.5/sqrt(x)"},
        {"exp(x)", "exp(x)"},
        {"log(x)", "1/x"},
        {"log10(x)", "1/(x*log(10))"},
        {"sin(x)", "cos(x)"},
        {"cos(x)", "-sin(x)"},
        {"tan(x)", "1/cos(x)^2"},
        {"asin(x)", "1/sqrt(1 - x^2)"},
        {"acos(x)", "-1/sqrt(1 - x^2)"},
        {"atan(x)", "1/(1 + x^2)"},
        {"sinh(x)", "cosh(x)"},
        {"cosh(x)", "sinh(x)"},
        {"tanh(x)", "1/cosh(x)^2"},
        {"expm1(x)", "exp(x)"},
        {"log1p(x)", "1/(1 + x)"},
        {"abs(x - 2)", "-1"},
        {"floor(3*x)", "0"},
        {"ceil(3*x)", "0"},
        {"sign(x)", "0"},
        {"x*(x < y)", "1"},
        {"x*(x >= y)", "0"},
        {"min(x, y)", "1"},
        {"max(x, y)", "0"},
        {"if(x > y, x^2, x^3)", "3*x^2"},
        {"step(x, y)", "(1 - tanh(x/y)^2)/(2*y)"},
        {"exp(-x^2)*sin(y*x)", "-2*x*exp(-x^2)*sin(y*x) + y*exp(-x^2)*cos(y*x)"},
    };
    for (const auto& [expression, derivative] : table) {
        for (const double x : {0.15, 0.4, 0.8}) {
            const NodeId output = text(expression);
            const double expected = evaluate(graph, text(derivative), point(x, 1.7));
            EXPECT_TRUE(is_near(evaluate(graph, forward(output, inputs[0]), point(x, 1.7)), expected, 1e-14))
                << expression;
            EXPECT_TRUE(is_near(evaluate(graph, reverse(output, inputs[0]), point(x, 1.7)), expected, 1e-14))
                << expression;
        }
    }
}

TEST_F(DifferentiateTest, random_expressions_agree_with_the_complex_step) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        const std::vector<NodeId> outputs = random_expressions(graph, seed, inputs, 3, 40);
        const Inputs at = point(0.37, -0.81, 1.23);
        const std::array seeds{graph.constant(0.7), graph.constant(-1.3), graph.constant(0.4)};

        const auto entries = jacobian(graph, outputs, inputs);
        const auto products = vector_jacobian(graph, outputs, seeds, inputs);

        std::array<double, 9> dense{};
        for (const Entry& entry : entries) {
            dense[entry.row * 3 + entry.column] = evaluate(graph, entry.value, at);
        }
        for (std::size_t column = 0; column < 3; ++column) {
            double product = 0, size = 0;
            for (std::size_t row = 0; row < 3; ++row) {
                const double expected = complex_step(graph, outputs[row], at, static_cast<std::uint32_t>(column));
                EXPECT_TRUE(is_near(dense[row * 3 + column], expected, 1e-10))
                    << dense[row * 3 + column] << " " << expected;
                product += graph.node(seeds[row]).value * expected;
                size = std::fmax(size, std::fabs(expected));
            }
            EXPECT_NEAR(evaluate(graph, products[column], at), product, 1e-10 * std::fmax(1, size));
        }
    }
}

TEST_F(DifferentiateTest, random_expressions_agree_with_central_differences) {
    const double h = 1e-5;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        const NodeId output = random_expressions(graph, seed, inputs, 1, 12)[0];
        const double up = evaluate(graph, output, point(0.37 + h, -0.81, 1.23));
        const double down = evaluate(graph, output, point(0.37 - h, -0.81, 1.23));
        const double slope = evaluate(graph, forward(output, inputs[0]), point(0.37, -0.81, 1.23));
        EXPECT_TRUE(is_near(slope, (up - down) / (2 * h), 1e-4)) << slope << " " << (up - down) / (2 * h);
    }
}

TEST_F(DifferentiateTest, jacobian_is_sparse_and_column_major) {
    const std::vector<NodeId> outputs{text("y*z"), text("x + y"), text("3"), text("x - x + floor(y)")};
    const auto entries = jacobian(graph, outputs, inputs);
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (const Entry& entry : entries) {
        places.emplace_back(entry.row, entry.column);
    }
    EXPECT_EQ(places, (std::vector<std::pair<std::size_t, std::size_t>>{{1, 0}, {0, 1}, {1, 1}, {0, 2}}));
    EXPECT_EQ(entries[0].value, graph.constant(1));
    EXPECT_EQ(entries[1].value, inputs[2]);
}

TEST_F(DifferentiateTest, an_input_may_be_asked_for_twice_and_be_an_output) {
    const std::array wrt{inputs[0], inputs[0]}, outputs{inputs[0], text("x*y")};
    const auto entries = jacobian(graph, outputs, wrt);
    ASSERT_EQ(entries.size(), 4U);
    EXPECT_EQ(entries[0].value, entries[2].value);
    EXPECT_EQ(entries[1].value, inputs[1]);
    const auto products = vector_jacobian(graph, outputs, std::array{inputs[2], graph.constant(1)}, wrt);
    EXPECT_EQ(products[0], graph.add(inputs[2], inputs[1]));
    EXPECT_EQ(products[1], products[0]);
}

TEST_F(DifferentiateTest, an_input_that_is_not_used_has_the_product_zero) {
    EXPECT_EQ(reverse(text("y^2"), inputs[0]), graph.constant(0));
    EXPECT_TRUE(jacobian(graph, std::array{text("y^2")}, std::array{inputs[0]}).empty());
}

TEST_F(DifferentiateTest, kinks_take_the_documented_side) {
    expect_slope("abs(x)", 0, point(0), 0);
    expect_slope("min(x, y)", 0, point(1, 1), 1);
    expect_slope("min(x, y)", 1, point(1, 1), 0);
    expect_slope("max(x, y)", 0, point(1, 1), 1);
    expect_slope("max(x, y)", 1, point(1, 1), 0);
    expect_slope("max(x, y)", 1, point(1, 2), 1);
    expect_slope("if(x, 3*x, 5*x)", 0, point(0), 5);
    expect_slope("if(x, 3*x, 5*x)", 0, point(0.5), 3);
}

TEST_F(DifferentiateTest, powers_with_a_constant_exponent_allow_any_base) {
    expect_slope("x^5", 0, point(-2), 80);
    expect_slope("x^5", 0, point(0), 0);
    expect_slope("x^1.5", 0, point(0), 0);
    expect_slope("x^2", 0, point(-3), -6);
}

TEST_F(DifferentiateTest, powers_with_a_variable_exponent_are_finite_at_zero) {
    expect_slope("x^y", 1, point(0, 2), 0);
    expect_slope("x^y", 0, point(0, 2), 0);
    expect_slope("x^y", 0, point(-2, 3), 12);
    expect_slope("x^y/(z^y + x^y)", 1, point(0, 2, 1.5), 0);
}

TEST_F(DifferentiateTest, branches_that_are_not_taken_do_not_spoil_the_derivative) {
    expect_slope("if(x > 0, log(x), 0)", 0, point(0), 0);
    expect_slope("if(x > 0, log(x), 0)", 0, point(4), 0.25);
    expect_slope("if(x > 0, sqrt(x), 3*x)", 0, point(0), 3);
    expect_slope("if(x > 0, y*log(x), 0) + if(x > 1, log(x)*z, y)", 0, point(0, 2, 3), 0);
    expect_slope("if(x > 0, y*log(x), 0) + if(x > 1, log(x)*z, y)", 0, point(0.5, 2, 3), 4);
    expect_slope("if(x > 0, y*log(x), 0) + if(x > 1, log(x)*z, y)", 0, point(2, 2, 3), 2.5);
    expect_slope("if(x > 0, if(x > 1, log(x - 1), sqrt(x)), x^2)", 0, point(3), 0.5);
    expect_slope("if(x > 0, if(x > 1, log(x - 1), sqrt(x)), x^2)", 0, point(0.25), 1);
    expect_slope("if(x > 0, if(x > 1, log(x - 1), sqrt(x)), x^2)", 0, point(0), 0);
    expect_slope("min(x, 1/x)", 0, point(0), 1);
    expect_slope("exp(if(x > 0, log(x)^2, x))", 0, point(0), 1);
}

TEST_F(DifferentiateTest, functions_reuse_their_own_value) {
    EXPECT_EQ(forward(text("exp(x*y)"), inputs[0]), graph.multiply(text("exp(x*y)"), inputs[1]));
    const NodeId tanh = text("tanh(x*y + z)");
    forward(tanh, inputs[0]);
    reverse(tanh, inputs[0]);
    EXPECT_EQ(count(Op::tanh), 1U);
    EXPECT_EQ(forward(text("sqrt(x)"), inputs[0]), text("0.5/sqrt(x)"));
    EXPECT_EQ(count(Op::square_root), 1U);
}

// f = x_n with x_{k+1} = x_k sin(x_k): 2^n paths from f to x.
TEST_F(DifferentiateTest, cost_is_linear_in_nodes_not_in_paths) {
    NodeId node = inputs[0];
    for (int k = 0; k < 50'000; ++k) {
        node = graph.multiply(node, graph.unary(Op::sin, node));
    }
    const std::size_t size = graph.size();
    reverse(node, inputs[0]);
    EXPECT_LT(graph.size(), 5 * size);
    const std::size_t after = graph.size();
    forward(node, inputs[0]);
    EXPECT_LT(graph.size() - after, 5 * size);
}

TEST_F(DifferentiateTest, jacobian_of_many_inputs_holds_only_what_is_there) {
    constexpr std::size_t n = 100, length = 100;
    std::vector<NodeId> wrt, outputs;
    for (std::size_t i = 0; i < n; ++i) {
        wrt.push_back(graph.input(Input::parameter, i));
    }
    for (std::size_t i = 0; i < n; ++i) {
        NodeId node = graph.multiply(wrt[i], wrt[(i + 1) % n]);
        for (std::size_t k = 0; k < length; ++k) {
            node = graph.unary(k % 2 == 0 ? Op::sin : Op::exp, node);
        }
        outputs.push_back(node);
    }
    const std::size_t size = graph.size();
    const auto entries = jacobian(graph, outputs, wrt);
    EXPECT_EQ(entries.size(), 2 * n);
    EXPECT_LT(graph.size(), 5 * size);
}

// 10^4 nodes that all depend on 100 inputs: 10^6 derivatives.
TEST_F(DifferentiateTest, dense_jacobians_are_feasible) {
    std::vector<NodeId> wrt;
    NodeId node = inputs[0];
    for (std::size_t i = 0; i < 100; ++i) {
        wrt.push_back(graph.input(Input::parameter, i));
        node = graph.add(node, graph.multiply(wrt.back(), inputs[1]));
    }
    for (int k = 0; k < 10'000; ++k) {
        node = graph.unary(k % 2 == 0 ? Op::sin : Op::cos, node);
    }
    EXPECT_EQ(jacobian(graph, std::array{node}, wrt).size(), wrt.size());
}

#ifndef RONDO_NO_CONTRACTS
TEST_F(DifferentiateTest, only_inputs_can_be_differentiated_by) {
    const std::array outputs{text("x + y")}, seeds{graph.constant(1)}, wrt{text("x*y")};
    EXPECT_THROW(static_cast<void>(jacobian(graph, outputs, wrt)), ContractError);
    EXPECT_THROW(static_cast<void>(vector_jacobian(graph, outputs, seeds, wrt)), ContractError);
    EXPECT_THROW(static_cast<void>(vector_jacobian(graph, outputs, {}, inputs)), ContractError);
}
#endif

} // namespace
} // namespace rondo::expression
