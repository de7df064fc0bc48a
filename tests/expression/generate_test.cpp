#include "support.hpp"

#include <rondo/base/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>

namespace rondo::expression {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string generate(const Graph& graph, std::vector<NodeId> outputs, int width = 1) {
    const Program program{.name = "p", .outputs = std::move(outputs)};
    return generate_source(graph, std::span{&program, 1}, std::span{&width, 1});
}

std::size_t count(const std::string& text, const std::string& word) {
    std::size_t n = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        ++n;
    }
    return n;
}

TEST(GenerateSource, is_a_function_of_its_arguments) {
    const auto make = [] {
        std::mt19937 random{3};
        Graph graph;
        const auto nodes = random_nodes(graph, every_operation(), 50, random);
        const Program program = random_program(nodes, 4, 3, random);
        const int widths[] = {1, 8};
        return generate_source(graph, std::span{&program, 1}, widths);
    };
    EXPECT_EQ(make(), make());
}

TEST(GenerateSource, names_a_function_for_each_program_and_width) {
    Graph graph;
    const Program program{.name = "p", .outputs = {graph.constant(1)}};
    const std::vector<Program> programs{program, program};
    const int widths[] = {1, 4};
    const std::string text = generate_source(graph, programs, widths);
    for (const char* const name : {"void rondo_1_0(", "void rondo_1_1(", "void rondo_4_0(", "void rondo_4_1("}) {
        EXPECT_THAT(text, HasSubstr(name));
    }
}

TEST(GenerateSource, computes_shared_terms_once_and_unused_ones_never) {
    Graph graph;
    const NodeId shared = graph.unary(Op::exp, graph.input(Input::state, 0));
    const NodeId unused = graph.unary(Op::sin, shared);
    const std::string text = generate(graph, {graph.add(shared, graph.constant(1)), graph.multiply(shared, shared)});
    EXPECT_EQ(count(text, "exp(n"), 1U);
    EXPECT_THAT(text, Not(HasSubstr("sin(n")));
    EXPECT_THAT(generate(graph, {unused}), HasSubstr("sin(n"));
}

TEST(GenerateSource, keeps_every_bit_of_constants) {
    Graph graph;
    const std::string text = generate(graph, {graph.constant(0.1), graph.constant(-0.0), graph.constant(INFINITY),
                                              graph.constant(-INFINITY), graph.constant(NAN)});
    for (const char* const literal : {"splat(0x1.999999999999ap-4)", "splat(-0x0p+0)", "splat(__builtin_inf())",
                                      "splat(-__builtin_inf())", "splat(__builtin_nan(\"\"))"}) {
        EXPECT_THAT(text, HasSubstr(literal));
    }
}

TEST(GenerateSource, length_grows_with_entries_not_with_columns) {
    Graph graph;
    const NodeId x = graph.input(Input::state, 0);
    const auto length = [&](std::size_t columns) {
        const Program program{.outputs = {x}, .columns = columns, .matrix = {{0, 0, x}}};
        const int width = 8;
        return generate_source(graph, std::span{&program, 1}, std::span{&width, 1}).size();
    };
    EXPECT_LE(length(1000), length(1) + 10);
}

TEST(GenerateSource, cuts_long_programs_into_parts) {
    Graph graph;
    NodeId sum = graph.input(Input::state, 0);
    const std::string short_text = generate(graph, {sum});
    for (int i = 0; i < 5000; ++i) {
        sum = graph.add(graph.multiply(sum, graph.input(Input::parameter, 0)), graph.input(Input::state, 0));
    }
    EXPECT_THAT(short_text, Not(HasSubstr("part_0_")));
    EXPECT_THAT(generate(graph, {sum}), HasSubstr("part_0_9("));
}

TEST(GenerateSource, refuses_widths_that_are_no_power_of_two) {
    Graph graph;
    const NodeId one = graph.constant(1);
    for (const int width : {0, -1, 3, 128}) {
        EXPECT_THROW(static_cast<void>(generate(graph, {one}, width)), ContractError);
    }
}

TEST(GenerateSource, refuses_random_inputs) {
    Graph graph;
    const NodeId random = graph.input(Input::normal, 0);
    EXPECT_THROW(static_cast<void>(generate(graph, {random})), ContractError);
}

} // namespace
} // namespace rondo::expression
