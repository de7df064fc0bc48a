#include "evaluate.hpp"

#include <rondo/base/error.hpp>
#include <rondo/expression/graph.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace rondo::expression {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();
const std::vector<Op> every_op{
    Op::add,        Op::subtract, Op::multiply,  Op::divide,      Op::negate,     Op::power,       Op::minimum,
    Op::maximum,    Op::absolute, Op::sign,      Op::square_root, Op::exp,        Op::log,         Op::log10,
    Op::sin,        Op::cos,      Op::tan,       Op::asin,        Op::acos,       Op::atan,        Op::sinh,
    Op::cosh,       Op::tanh,     Op::expm1,     Op::log1p,       Op::floor,      Op::ceil,        Op::less,
    Op::less_equal, Op::equal,    Op::not_equal, Op::logical_and, Op::logical_or, Op::logical_not, Op::select};

struct GraphTest : testing::Test {
    Graph graph;
    NodeId x = graph.input(Input::state, 0);
    NodeId y = graph.input(Input::state, 1);
    NodeId c(double value) { return graph.constant(value); }
    NodeId power(NodeId base, double exponent) { return graph.binary(Op::power, base, c(exponent)); }
};

TEST_F(GraphTest, equal_terms_are_one_node) {
    const NodeId first = graph.unary(Op::exp, graph.multiply(x, y));
    const std::size_t size = graph.size();
    EXPECT_EQ(graph.unary(Op::exp, graph.multiply(x, y)), first);
    EXPECT_EQ(graph.size(), size);
}

TEST_F(GraphTest, sums_and_products_commute_into_one_node) {
    EXPECT_EQ(graph.add(x, y), graph.add(y, x));
    EXPECT_EQ(graph.multiply(x, y), graph.multiply(y, x));
    EXPECT_EQ(graph.binary(Op::equal, x, y), graph.binary(Op::equal, y, x));
    EXPECT_NE(graph.subtract(x, y), graph.subtract(y, x));
    EXPECT_NE(graph.binary(Op::less, x, y), graph.binary(Op::less, y, x));
}

TEST_F(GraphTest, inputs_differ_by_kind_and_index) {
    EXPECT_EQ(graph.input(Input::state, 1), y);
    EXPECT_NE(graph.input(Input::state, 2), y);
    EXPECT_NE(graph.input(Input::parameter, 1), y);
}

TEST_F(GraphTest, constants_are_told_apart_by_their_bits) {
    EXPECT_NE(c(0.0), c(-0.0));
    EXPECT_EQ(c(nan), c(nan));
    EXPECT_EQ(c(0.1), c(0.1));
    EXPECT_TRUE(graph.is_constant(c(-0.0), 0));
    EXPECT_FALSE(graph.is_constant(x, 0));
}

TEST_F(GraphTest, identities_of_sums_need_no_node) {
    EXPECT_EQ(graph.add(x, c(0)), x);
    EXPECT_EQ(graph.add(c(0), x), x);
    EXPECT_EQ(graph.subtract(x, c(0)), x);
    EXPECT_EQ(graph.subtract(c(0), x), graph.negate(x));
    EXPECT_EQ(graph.subtract(x, x), c(0));
    EXPECT_EQ(graph.negate(graph.negate(x)), x);
    EXPECT_EQ(graph.add(x, graph.negate(y)), graph.subtract(x, y));
    EXPECT_EQ(graph.subtract(x, graph.negate(y)), graph.add(x, y));
    EXPECT_EQ(graph.negate(graph.subtract(x, y)), graph.subtract(y, x));
    EXPECT_EQ(graph.negate(c(2)), c(-2));
}

TEST_F(GraphTest, identities_of_products_need_no_node) {
    EXPECT_EQ(graph.multiply(x, c(1)), x);
    EXPECT_EQ(graph.multiply(x, c(0)), c(0));
    EXPECT_EQ(graph.multiply(c(-1), x), graph.negate(x));
    EXPECT_EQ(graph.multiply(graph.negate(x), graph.negate(y)), graph.multiply(x, y));
    EXPECT_EQ(graph.multiply(c(3), graph.negate(x)), graph.multiply(c(-3), x));
    EXPECT_EQ(graph.divide(x, c(1)), x);
    EXPECT_EQ(graph.divide(x, c(-1)), graph.negate(x));
    EXPECT_EQ(graph.divide(c(0), x), c(0));
}

TEST_F(GraphTest, small_powers_are_products) {
    EXPECT_EQ(power(x, 0), c(1));
    EXPECT_EQ(power(x, 1), x);
    EXPECT_EQ(power(x, 2), graph.multiply(x, x));
    EXPECT_EQ(power(x, 3), graph.multiply(graph.multiply(x, x), x));
    EXPECT_EQ(power(x, 4), graph.multiply(power(x, 2), power(x, 2)));
    EXPECT_EQ(power(x, -1), graph.divide(c(1), x));
    EXPECT_EQ(power(x, -2), graph.divide(c(1), graph.multiply(x, x)));
    EXPECT_EQ(power(x, 0.5), graph.unary(Op::square_root, x));
    EXPECT_EQ(graph.node(power(x, 5)).op, Op::power);
    EXPECT_EQ(graph.node(power(x, 1.5)).op, Op::power);
}

TEST_F(GraphTest, choices_that_are_no_choice_need_no_node) {
    const NodeId condition = graph.binary(Op::less, x, y);
    EXPECT_EQ(graph.select(c(1), x, y), x);
    EXPECT_EQ(graph.select(c(0), x, y), y);
    EXPECT_EQ(graph.select(condition, x, x), x);
    EXPECT_EQ(graph.select(graph.unary(Op::logical_not, condition), x, y), graph.select(condition, y, x));
    EXPECT_EQ(graph.binary(Op::minimum, x, x), x);
    EXPECT_EQ(graph.binary(Op::maximum, x, x), x);
}

TEST_F(GraphTest, logic_simplifies_without_leaving_zero_and_one) {
    const NodeId condition = graph.binary(Op::less, x, y), opposite = graph.unary(Op::logical_not, condition);
    EXPECT_EQ(graph.binary(Op::logical_and, c(1), condition), condition);
    EXPECT_EQ(graph.binary(Op::logical_and, c(0), condition), c(0));
    EXPECT_EQ(graph.binary(Op::logical_or, c(7), condition), c(1));
    EXPECT_EQ(graph.binary(Op::logical_or, condition, opposite), c(1));
    EXPECT_EQ(graph.binary(Op::logical_and, condition, opposite), c(0));
    EXPECT_EQ(graph.unary(Op::logical_not, opposite), condition);
    EXPECT_EQ(graph.binary(Op::logical_and, c(1), x), graph.binary(Op::not_equal, x, c(0)));
}

TEST_F(GraphTest, constants_fold_to_the_value_of_libm) {
    const double a = 0.3, b = 0.7;
    const double folded = graph.node(graph.unary(Op::exp, graph.divide(c(a), c(b)))).value;
    EXPECT_EQ(folded, std::exp(a / b));
    for (const Op op : every_op) {
        if (arity(op) == 1) {
            EXPECT_EQ(graph.unary(op, c(a)), c(apply(op, a))) << static_cast<int>(op);
        } else if (arity(op) == 2) {
            EXPECT_EQ(graph.binary(op, c(a), c(b)), c(apply(op, a, b))) << static_cast<int>(op);
        }
    }
}

// Each operation applied to arguments of every form that an identity looks at.
TEST_F(GraphTest, every_identity_keeps_the_value) {
    std::vector<NodeId> forms{
        x, y, graph.negate(x), graph.negate(y), graph.subtract(x, y), graph.binary(Op::less, x, y)};
    forms.push_back(graph.unary(Op::logical_not, forms.back()));
    for (const double value : {-4.0, -3.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0}) {
        forms.push_back(c(value));
    }
    for (const auto& [vx, vy] : {std::pair{0.5, 2.0}, std::pair{-1.25, 0.75}, std::pair{3.0, -2.0}}) {
        const Inputs inputs{{{Input::state, 0}, vx}, {{Input::state, 1}, vy}};
        for (const Op op : every_op) {
            for (const NodeId a : forms) {
                for (const NodeId b : forms) {
                    const double va = evaluate(graph, a, inputs), vb = evaluate(graph, b, inputs);
                    const NodeId node = arity(op) == 1   ? graph.unary(op, a)
                                        : arity(op) == 2 ? graph.binary(op, a, b)
                                                         : graph.select(a, b, x);
                    const double value = evaluate(graph, node, inputs), expected = apply(op, va, vb, vx);
                    const bool is_removable =
                        op == Op::divide && va == 0 && vb == 0; // 0 / x = 0 for finite results only
                    EXPECT_TRUE(is_removable || is_near(value, expected, 1e-15))
                        << "op " << static_cast<int>(op) << " of " << va << ", " << vb << ": " << value << ", not "
                        << expected;
                }
            }
        }
    }
}

TEST(Apply, ties_and_nan_are_defined) {
    EXPECT_TRUE(std::signbit(apply(Op::minimum, -0.0, 0.0)));
    EXPECT_TRUE(std::signbit(apply(Op::maximum, -0.0, 0.0)));
    EXPECT_EQ(apply(Op::sign, -3.0), -1);
    EXPECT_EQ(apply(Op::sign, 0.0), 0);
    EXPECT_TRUE(std::isnan(apply(Op::sign, nan)));
    EXPECT_EQ(apply(Op::select, nan, 1, 2), 1);
    EXPECT_EQ(apply(Op::less, nan, 1), 0);
}

TEST_F(GraphTest, reachable_holds_what_outputs_need) {
    const NodeId unused = graph.unary(Op::sin, y), used = graph.unary(Op::cos, x);
    const NodeId output = graph.multiply(used, x);
    const std::vector<bool> needed = reachable(graph, std::array{output});
    ASSERT_EQ(needed.size(), graph.size());
    EXPECT_TRUE(needed[static_cast<std::size_t>(used)]);
    EXPECT_TRUE(needed[static_cast<std::size_t>(x)]);
    EXPECT_FALSE(needed[static_cast<std::size_t>(unused)]);
    EXPECT_FALSE(needed[static_cast<std::size_t>(y)]);
}

TEST_F(GraphTest, depends_on_looks_at_what_is_left_after_simplifying) {
    const NodeId rate = graph.input(Input::parameter, 3);
    EXPECT_TRUE(depends_on(graph, graph.multiply(rate, x), Input::parameter));
    EXPECT_FALSE(depends_on(graph, graph.multiply(graph.multiply(rate, c(0)), x), Input::parameter));
    EXPECT_FALSE(depends_on(graph, x, Input::time));
}

#ifndef RONDO_NO_CONTRACTS
TEST_F(GraphTest, operations_take_their_number_of_arguments) {
    const auto message = [](const auto& act) {
        try {
            act();
        } catch (const ContractError& error) {
            return std::string{error.what()};
        }
        return std::string{};
    };
    EXPECT_NE(message([&] { graph.unary(Op::add, x); }).find("takes one argument"), std::string::npos);
    EXPECT_NE(message([&] { graph.binary(Op::exp, x, y); }).find("takes two arguments"), std::string::npos);
}
#endif

} // namespace
} // namespace rondo::expression
