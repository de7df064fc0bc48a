#include "evaluate.hpp"

#include <rondo/expression/parse.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace rondo::expression {
namespace {

struct ParseTest : testing::Test {
    Graph graph;
    Scope scope{{{"x", graph.input(Input::state, 0)},
                 {"y", graph.input(Input::state, 1)},
                 {"k_1", graph.input(Input::parameter, 0)},
                 {"t", graph.input(Input::time)}}};
    const Inputs at{
        {{Input::state, 0}, 3}, {{Input::state, 1}, -2}, {{Input::parameter, 0}, 0.5}, {{Input::time, 0}, 10}};

    double value(const std::string& text) { return evaluate(graph, parse(graph, scope, text, "test"), at); }
};

TEST_F(ParseTest, reads_numbers) {
    EXPECT_EQ(value("2"), 2);
    EXPECT_EQ(value("0.1"), 0.1);
    EXPECT_EQ(value(".5"), 0.5);
    EXPECT_EQ(value("5."), 5);
    EXPECT_EQ(value("1e3"), 1000);
    EXPECT_EQ(value("1.5E-3"), 1.5e-3);
    EXPECT_EQ(value("2e+2"), 200);
    EXPECT_EQ(value("1.7976931348623157e308"), 1.7976931348623157e308);
}

TEST_F(ParseTest, reads_names) { EXPECT_EQ(value(" x*y +\tk_1\n + t "), 4.5); }

TEST_F(ParseTest, operators_bind_as_in_mathematics) {
    EXPECT_EQ(value("1 + 2*3"), 7);
    EXPECT_EQ(value("(1 + 2)*3"), 9);
    EXPECT_EQ(value("10 - 4 - 3"), 3);
    EXPECT_EQ(value("16/4/2"), 2);
    EXPECT_EQ(value("16/4*2"), 8);
    EXPECT_EQ(value("2*x^2"), 18);
    EXPECT_EQ(value("-x^2"), -9);
    EXPECT_EQ(value("(-x)^2"), 9);
    EXPECT_EQ(value("2^3^2"), 512);
    EXPECT_EQ(value("(2^3)^2"), 64);
    EXPECT_EQ(value("2^-3"), 0.125);
    EXPECT_EQ(value("2^-2^2"), 0.0625);
    EXPECT_EQ(value("2^+3"), 8);
    EXPECT_EQ(value("2*-x"), -6);
    EXPECT_EQ(value("x - -y"), 1);
    EXPECT_EQ(value("--x"), 3);
    EXPECT_EQ(value("+x"), 3);
    EXPECT_EQ(value("-2^2"), -4);
}

TEST_F(ParseTest, comparisons_give_one_or_zero) {
    EXPECT_EQ(value("x > y"), 1);
    EXPECT_EQ(value("x < y"), 0);
    EXPECT_EQ(value("x >= 3"), 1);
    EXPECT_EQ(value("x <= 2"), 0);
    EXPECT_EQ(value("x == 3"), 1);
    EXPECT_EQ(value("x != 3"), 0);
    EXPECT_EQ(value("1 + x > 3"), 1);
    EXPECT_EQ(value("2*(x > 1)"), 2);
}

TEST_F(ParseTest, logic_binds_loosest) {
    EXPECT_EQ(value("x > 1 and y > 1"), 0);
    EXPECT_EQ(value("x > 1 or y > 1"), 1);
    EXPECT_EQ(value("1 or 1 and 0"), 1);
    EXPECT_EQ(value("(1 or 1) and 0"), 0);
    EXPECT_EQ(value("not x > 1"), 0);
    EXPECT_EQ(value("not x > 5 and y < 0"), 1);
    EXPECT_EQ(value("not not x"), 1);
    EXPECT_EQ(value("!(x > 5) && y < 0 || 0"), 1);
    EXPECT_EQ(value("1and 0"), 0);
}

TEST_F(ParseTest, functions_are_those_of_libm) {
    const std::vector<std::pair<std::string, double (*)(double)>> table{
        {"exp", std::exp},   {"log", std::log},     {"log10", std::log10}, {"sqrt", std::sqrt}, {"sin", std::sin},
        {"cos", std::cos},   {"tan", std::tan},     {"asin", std::asin},   {"acos", std::acos}, {"atan", std::atan},
        {"sinh", std::sinh}, {"cosh", std::cosh},   {"tanh", std::tanh},   {"abs", std::fabs},  {"floor", std::floor},
        {"ceil", std::ceil}, {"expm1", std::expm1}, {"log1p", std::log1p}};
    for (const auto& [name, function] : table) {
        EXPECT_EQ(value(name + "(k_1)"), function(0.5)) << name;
    }
}

TEST_F(ParseTest, functions_of_several_arguments) {
    EXPECT_EQ(value("min(x, y)"), -2);
    EXPECT_EQ(value("max(y, x, 1, 7, 2)"), 7);
    EXPECT_EQ(value("min(4, 3, 2, x)"), 2);
    EXPECT_EQ(value("pow(x, 2)"), 9);
    EXPECT_EQ(value("sign(y)"), -1);
    EXPECT_EQ(value("if(x > 1, 10, 20)"), 10);
    EXPECT_EQ(value("if(x < 1, 10, if(y < 0, 20, 30))"), 20);
    EXPECT_EQ(value("step(x, 2)"), (1 + std::tanh(1.5)) / 2);
    EXPECT_EQ(value("exp ( log( x ) * 0 )"), 1);
}

TEST_F(ParseTest, pi_and_e_are_known_unless_hidden) {
    EXPECT_EQ(value("pi"), std::numbers::pi);
    EXPECT_EQ(value("e"), std::numbers::e);
    EXPECT_EQ(value("e^k_1"), std::exp(0.5));
    scope.names.emplace("e", graph.constant(7));
    EXPECT_EQ(value("e"), 7);
    EXPECT_EQ(value("e^2"), 49);
}

TEST_F(ParseTest, the_same_text_twice_adds_no_node) {
    const std::string text = "exp(-k_1*t)*x + if(x > y, sin(x)^2, x/y) - 2^-x";
    const NodeId first = parse(graph, scope, text, "test");
    const std::size_t size = graph.size();
    EXPECT_EQ(parse(graph, scope, text, "test"), first);
    EXPECT_EQ(graph.size(), size);
    EXPECT_EQ(parse(graph, scope, "x*exp(-t*k_1) + if(y < x, sin(x)^2, x/y) - 2^-x", "test"), first);
}

TEST_F(ParseTest, random_numbers_take_the_next_slot) {
    scope.allows_random = true;
    const NodeId u = graph.input(Input::uniform, 0), z = graph.input(Input::normal, 1),
                 w = graph.input(Input::normal, 2);
    const NodeId low = graph.constant(2);
    EXPECT_EQ(parse(graph, scope, "uniform(2, 5)", "test"), graph.add(low, graph.multiply(graph.constant(3), u)));
    EXPECT_EQ(parse(graph, scope, "normal(x, y)", "test"),
              graph.add(scope.names.at("x"), graph.multiply(scope.names.at("y"), z)));
    EXPECT_EQ(parse(graph, scope, "lognormal(0, y)", "test"),
              graph.unary(Op::exp, graph.multiply(scope.names.at("y"), w)));
    EXPECT_EQ(scope.n_random, 3U);
    EXPECT_NE(parse(graph, scope, "normal(0, 1)", "test"), parse(graph, scope, "normal(0, 1)", "test"));
    EXPECT_EQ(scope.n_random, 5U);
}

TEST_F(ParseTest, two_hundred_levels_are_allowed) {
    EXPECT_EQ(value(std::string(200, '(') + "x" + std::string(200, ')')), 3);
    std::string calls = "x", powers = "1";
    for (int i = 0; i < 200; ++i) {
        calls = "abs(" + calls + ")";
        powers = "1^" + powers;
    }
    EXPECT_EQ(value(calls), 3);
    EXPECT_EQ(value(powers), 1);
}

TEST_F(ParseTest, long_flat_texts_are_no_nesting) {
    std::string sum = "x";
    while (sum.size() + 4 <= 100'000) {
        sum += " + x";
    }
    EXPECT_EQ(value(sum), 3.0 * (1.0 + static_cast<double>(sum.size() / 4)));
    EXPECT_EQ(value(std::string(99'999, '-') + "x"), -3);
}

TEST(IsReserved, holds_functions_and_words_of_the_language) {
    for (const char* const word : {"exp", "if", "step", "normal", "t", "index", "and", "or", "not", "min"}) {
        EXPECT_TRUE(is_reserved(word)) << word;
    }
    for (const char* const word : {"x", "e", "pi", "Exp", "ln", "time", ""}) {
        EXPECT_FALSE(is_reserved(word)) << word;
    }
}

} // namespace
} // namespace rondo::expression
