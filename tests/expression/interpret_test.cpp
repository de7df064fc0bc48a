#include "support.hpp"

#include <rondo/base/error.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <limits>
#include <numbers>
#include <thread>

namespace rondo::expression {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

/// op on numbers that are inputs, so that nothing is folded away.
double evaluate(Op op, double a, double b = 0, double c = 0) {
    Graph graph;
    const NodeId x = graph.input(Input::parameter, 0), y = graph.input(Input::parameter, 1);
    const double values[] = {a, b, c};
    const NodeId node = arity(op) == 1   ? graph.unary(op, x)
                        : arity(op) == 2 ? graph.binary(op, x, y)
                                         : graph.select(x, y, graph.input(Input::parameter, 2));
    return value_of(graph, node, {.parameter = values});
}

TEST(Interpret, does_every_operation) {
    EXPECT_EQ(evaluate(Op::add, 2, 3), 5);
    EXPECT_EQ(evaluate(Op::subtract, 2, 3), -1);
    EXPECT_EQ(evaluate(Op::multiply, 2, 3), 6);
    EXPECT_EQ(evaluate(Op::divide, 3, 2), 1.5);
    EXPECT_EQ(evaluate(Op::negate, 3), -3);
    EXPECT_EQ(evaluate(Op::power, 2, 10), 1024);
    EXPECT_EQ(evaluate(Op::minimum, 2, 3), 2);
    EXPECT_EQ(evaluate(Op::minimum, 3, 2), 2);
    EXPECT_EQ(evaluate(Op::maximum, 2, 3), 3);
    EXPECT_EQ(evaluate(Op::maximum, 3, 2), 3);
    EXPECT_EQ(evaluate(Op::absolute, -2), 2);
    EXPECT_EQ(evaluate(Op::sign, -7), -1);
    EXPECT_EQ(evaluate(Op::sign, 0), 0);
    EXPECT_EQ(evaluate(Op::sign, 7), 1);
    EXPECT_EQ(evaluate(Op::square_root, 9), 3);
    EXPECT_DOUBLE_EQ(evaluate(Op::exp, 1), std::numbers::e);
    EXPECT_DOUBLE_EQ(evaluate(Op::log, std::numbers::e), 1);
    EXPECT_DOUBLE_EQ(evaluate(Op::log10, 1000), 3);
    EXPECT_DOUBLE_EQ(evaluate(Op::sin, std::numbers::pi / 6), 0.5);
    EXPECT_DOUBLE_EQ(evaluate(Op::cos, std::numbers::pi / 3), 0.5);
    EXPECT_DOUBLE_EQ(evaluate(Op::tan, std::numbers::pi / 4), 1);
    EXPECT_DOUBLE_EQ(evaluate(Op::asin, 1), std::numbers::pi / 2);
    EXPECT_DOUBLE_EQ(evaluate(Op::acos, -1), std::numbers::pi);
    EXPECT_DOUBLE_EQ(evaluate(Op::atan, 1), std::numbers::pi / 4);
    EXPECT_DOUBLE_EQ(evaluate(Op::sinh, std::numbers::ln2), 0.75);
    EXPECT_DOUBLE_EQ(evaluate(Op::cosh, std::numbers::ln2), 1.25);
    EXPECT_DOUBLE_EQ(evaluate(Op::tanh, std::numbers::ln2), 0.6);
    EXPECT_DOUBLE_EQ(evaluate(Op::expm1, 1e-20), 1e-20);
    EXPECT_DOUBLE_EQ(evaluate(Op::log1p, 1e-20), 1e-20);
    EXPECT_EQ(evaluate(Op::floor, -1.5), -2);
    EXPECT_EQ(evaluate(Op::ceil, -1.5), -1);
    EXPECT_EQ(evaluate(Op::less, 1, 2), 1);
    EXPECT_EQ(evaluate(Op::less, 2, 2), 0);
    EXPECT_EQ(evaluate(Op::less_equal, 2, 2), 1);
    EXPECT_EQ(evaluate(Op::less_equal, 3, 2), 0);
    EXPECT_EQ(evaluate(Op::equal, 2, 2), 1);
    EXPECT_EQ(evaluate(Op::equal, 2, 3), 0);
    EXPECT_EQ(evaluate(Op::not_equal, 2, 3), 1);
    EXPECT_EQ(evaluate(Op::not_equal, 2, 2), 0);
    EXPECT_EQ(evaluate(Op::logical_and, 2, 3), 1);
    EXPECT_EQ(evaluate(Op::logical_and, 0, 3), 0);
    EXPECT_EQ(evaluate(Op::logical_or, 0, 3), 1);
    EXPECT_EQ(evaluate(Op::logical_or, 0, 0), 0);
    EXPECT_EQ(evaluate(Op::logical_not, 0), 1);
    EXPECT_EQ(evaluate(Op::logical_not, 2), 0);
    EXPECT_EQ(evaluate(Op::select, 1, 5, 6), 5);
    EXPECT_EQ(evaluate(Op::select, 0, 5, 6), 6);
}

TEST(Interpret, comparisons_with_nan_do_not_hold) {
    for (const Op op : {Op::less, Op::less_equal, Op::equal}) {
        EXPECT_EQ(evaluate(op, nan, 1), 0);
        EXPECT_EQ(evaluate(op, 1, nan), 0);
    }
    EXPECT_EQ(evaluate(Op::not_equal, nan, 1), 1);
}

TEST(Interpret, select_ignores_the_branch_it_does_not_take) {
    EXPECT_EQ(evaluate(Op::select, 0, nan, 6), 6);
    EXPECT_EQ(evaluate(Op::select, 1, 5, inf), 5);
}

TEST(Interpret, reads_lanes_from_structures_of_arrays) {
    constexpr int width = 3; // none of the widths with code of their own
    Graph graph;
    const NodeId sum = graph.add(graph.add(graph.input(Input::time), graph.input(Input::state, 1)),
                                 graph.add(graph.input(Input::parameter, 1), graph.input(Input::covariate, 1)));
    const Program program{.outputs = {sum, graph.input(Input::seed, 1)}};
    const double time[] = {1, 2, 3}, state[] = {0, 0, 0, 10, 20, 30}, parameter[] = {0, 100};
    const double covariate[] = {0, 0, 0, 1000, 2000, 3000}, seed[] = {0, 0, 0, 7, 8, 9};

    const auto module = interpret(graph, std::span{&program, 1}, width);
    const auto out = call(module->kernel(0), {time, state, parameter, covariate, seed}, 2, width);

    EXPECT_EQ(module->width(), width);
    EXPECT_EQ(out, (std::vector<double>{1111, 2122, 3133, 7, 8, 9}));
}

TEST(Interpret, arrays_that_are_not_read_may_be_null) {
    Graph graph;
    EXPECT_EQ(value_of(graph, graph.constant(4)), 4);
}

TEST(Interpret, tangent_programs_equal_explicit_loops) {
    std::mt19937 random{11};
    for (const int width : {1, 2, 4, 8}) {
        Graph graph;
        const auto nodes = random_nodes(graph, std::array{Op::add, Op::multiply, Op::tanh}, 30, random);
        constexpr std::size_t n = 4, columns = 3;
        const Program program = random_program(nodes, n, columns, random);
        const TestArrays arrays{width, n * columns, random};
        Program entries{.outputs = program.outputs};
        for (const auto& list : {program.matrix, program.offsets}) {
            for (const Entry& entry : list) {
                entries.outputs.push_back(entry.value);
            }
        }
        const auto w = static_cast<std::size_t>(width);
        const auto known = call(interpret(graph, std::span{&entries, 1}, width)->kernel(0), arrays.arguments(),
                                entries.outputs.size(), width);
        std::vector<double> expected(n_out(program) * w, 0.0);
        std::copy_n(known.begin(), n * w, expected.begin());
        for (std::size_t lane = 0; lane < w; ++lane) {
            for (std::size_t i = 0; i < program.matrix.size(); ++i) {
                const Entry& entry = program.matrix[i];
                for (std::size_t k = 0; k < columns; ++k) {
                    expected[((1 + k) * n + entry.row) * w + lane] +=
                        known[(n + i) * w + lane] * arrays.seed[(k * n + entry.column) * w + lane];
                }
            }
            for (std::size_t i = 0; i < program.offsets.size(); ++i) {
                const Entry& entry = program.offsets[i];
                expected[((1 + entry.column) * n + entry.row) * w + lane] +=
                    known[(n + program.matrix.size() + i) * w + lane];
            }
        }

        const auto out =
            call(interpret(graph, std::span{&program, 1}, width)->kernel(0), arrays.arguments(), n_out(program), width);

        for (std::size_t i = 0; i < out.size(); ++i) {
            EXPECT_DOUBLE_EQ(out[i], expected[i]) << "entry " << i << " width " << width;
        }
    }
}

TEST(Interpret, threads_may_call_one_kernel_at_the_same_time) {
    std::mt19937 random{5};
    Graph graph;
    const auto nodes = random_nodes(graph, every_operation(), 200, random);
    const Program program = random_program(nodes, 5, 2, random);
    const auto module = interpret(graph, std::span{&program, 1}, 4);
    const TestArrays first{4, 10, random}, second{4, 10, random};
    const auto alone = [&](const TestArrays& arrays) {
        return call(module->kernel(0), arrays.arguments(), n_out(program), 4);
    };
    const auto expected_first = alone(first), expected_second = alone(second);
    int n_wrong[2] = {0, 0};
    const auto work = [&](const TestArrays& arrays, const std::vector<double>& expected, int& wrong) {
        for (int i = 0; i < 500; ++i) {
            const auto out = alone(arrays);
            wrong += std::memcmp(out.data(), expected.data(), out.size() * sizeof(double)) != 0;
        }
    };

    std::thread other{work, std::cref(first), std::cref(expected_first), std::ref(n_wrong[0])};
    work(second, expected_second, n_wrong[1]);
    other.join();

    EXPECT_EQ(n_wrong[0] + n_wrong[1], 0);
}

TEST(Interpret, refuses_entries_outside_the_matrix_and_random_inputs) {
    Graph graph;
    const NodeId x = graph.input(Input::state, 0);
    const Program outside{.outputs = {x}, .columns = 1, .matrix = {{0, 1, x}}};
    const Program offset{.outputs = {x}, .columns = 1, .offsets = {{0, 1, x}}};
    const Program random{.outputs = {graph.input(Input::uniform, 0)}};
    for (const Program& program : {outside, offset, random}) {
        EXPECT_THROW(static_cast<void>(interpret(graph, std::span{&program, 1}, 1)), ContractError);
    }
}

} // namespace
} // namespace rondo::expression
