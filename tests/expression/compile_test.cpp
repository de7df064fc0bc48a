#include "support.hpp"

#include "expression/toolchain.hpp"

#include <rondo/base/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <thread>

namespace rondo::expression {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A compiler, a cache and a counter of compilations in a directory of their own. Skips where there is no compiler.
class Compile : public testing::Test {
protected:
    void SetUp() override {
        std::string message;
        const auto found = find_compiler("", message);
        if (!found) {
            GTEST_SKIP() << message;
        }
        compiler_ = found->string();
    }

    [[nodiscard]] CompileOptions options() const {
        CompileOptions options;
        options.compiler = compiler_;
        options.cache = scratch_.path() / "cache";
        return options;
    }

    /// A compiler that does `extra` first, says that it compiles, and takes more flags.
    [[nodiscard]] std::string wrapper(const std::string& extra, const std::string& flags = "") const {
        return write_script(scratch_.path() / "wrapper", "case \"$*\" in --version) ;; *) " + extra + " echo x >> " +
                                                             (scratch_.path() / "count").string() + ";; esac\nexec " +
                                                             compiler_ + " \"$@\" " + flags)
            .string();
    }

    [[nodiscard]] std::size_t n_compilations() const {
        std::ifstream file{scratch_.path() / "count"};
        return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>{file}, {}, 'x'));
    }

    static ObjectCode must_compile(const std::string& source, const CompileOptions& options) {
        std::string message;
        auto object = compile(source, options, message);
        EXPECT_TRUE(object) << message;
        EXPECT_EQ(message, "");
        return object.value_or(ObjectCode{});
    }

    ScratchDirectory scratch_;
    std::string compiler_;
};

/// A program that adds one to a state, and its source.
struct Small {
    Graph graph;
    std::vector<Program> programs;
    std::string source;
    Small() {
        const NodeId x = graph.input(Input::state, 0);
        programs.push_back({.outputs = {graph.add(x, graph.constant(1))}});
        const int width = 1;
        source = generate_source(graph, programs, std::span{&width, 1});
    }
};

double call_small(const ObjectCode& object) {
    const double state = 41;
    return call(load(object, 1, 1)->kernel(0), {.state = &state}, 1, 1)[0];
}

bool same_bits(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

constexpr std::array widths{1, 4, 8};

TEST_F(Compile, without_contraction_every_bit_equals_the_interpreter) {
    constexpr std::size_t n = 5, columns = 3;
    std::mt19937 random{17};
    Graph graph;
    std::vector<Program> programs;
    const std::vector<Op> ops = every_operation();
    for (const std::size_t size : {1, 10, 60, 300}) {
        const auto nodes = random_nodes(graph, ops, size, random);
        programs.push_back(random_program(nodes, n, 0, random));
        programs.push_back(random_program(nodes, n, columns, random));
    }
    for (const Op op : ops) { // each on plain inputs
        const NodeId a = graph.input(Input::state, 0), b = graph.input(Input::covariate, 0),
                     c = graph.input(Input::parameter, 0);
        const NodeId node = arity(op) == 1   ? graph.unary(op, a)
                            : arity(op) == 2 ? graph.binary(op, a, b)
                                             : graph.select(a, b, c);
        programs.push_back({.outputs = {node}});
    }
    CompileOptions exact = options();
    exact.compiler = wrapper("", "-ffp-contract=off");
    const ObjectCode object = must_compile(generate_source(graph, programs, widths), exact);
    std::size_t n_finite = 0, n_all = 0;
    for (const int width : widths) {
        const auto compiled = load(object, programs.size(), width);
        const auto interpreted = interpret(graph, programs, width);
        EXPECT_EQ(compiled->width(), width);
        for (int draw = 0; draw < 20; ++draw) {
            const TestArrays arrays{width, n * columns, random, draw % 2 == 1};
            for (std::size_t i = 0; i < programs.size(); ++i) {
                const std::size_t size = n_out(programs[i]);
                const auto a = call(compiled->kernel(i), arrays.arguments(), size, width);
                const auto b = call(interpreted->kernel(i), arrays.arguments(), size, width);
                for (std::size_t j = 0; j < a.size(); ++j) {
                    ASSERT_TRUE(same_bits(a[j], b[j])) << a[j] << " is not " << b[j] << ": program " << i << " entry "
                                                       << j << " width " << width << " draw " << draw;
                    n_finite += std::isfinite(a[j]) ? 1 : 0;
                    ++n_all;
                }
            }
        }
    }
    EXPECT_GT(n_finite, n_all / 4);
}

TEST_F(Compile, agrees_with_the_interpreter_to_rounding) {
    constexpr std::size_t n = 4, columns = 7;
    constexpr std::array ops{Op::add,  Op::multiply, Op::divide, Op::square_root,
                             Op::tanh, Op::log1p,    Op::atan,   Op::maximum};
    std::mt19937 random{23};
    Graph graph;
    std::vector<Program> programs;
    for (int i = 0; i < 6; ++i) { // positive terms only: well conditioned
        auto nodes = random_nodes(graph, ops, 60, random);
        programs.push_back(random_program(nodes, n, columns, random));
    }
    const ObjectCode object = must_compile(generate_source(graph, programs, widths), options());
    for (const int width : widths) {
        const auto compiled = load(object, programs.size(), width);
        const auto interpreted = interpret(graph, programs, width);
        const TestArrays arrays{width, n * columns, random};
        for (std::size_t i = 0; i < programs.size(); ++i) {
            const auto a = call(compiled->kernel(i), arrays.arguments(), n_out(programs[i]), width);
            const auto b = call(interpreted->kernel(i), arrays.arguments(), n_out(programs[i]), width);
            for (std::size_t j = 0; j < a.size(); ++j) {
                if (std::isfinite(b[j])) {
                    ASSERT_NEAR(a[j], b[j], 1e-13 * std::fabs(b[j]))
                        << "program " << i << " entry " << j << " width " << width;
                } else {
                    ASSERT_TRUE(same_bits(a[j], b[j]));
                }
            }
        }
    }
}

TEST_F(Compile, programs_of_several_parts_equal_the_interpreter) {
    constexpr std::size_t n = 36, columns = 2; // a matrix of about 860 entries: two parts of its own
    std::mt19937 random{31};
    Graph graph;
    const auto nodes = random_nodes(graph, std::array{Op::add, Op::subtract, Op::multiply, Op::maximum}, 2000, random);
    const std::vector<Program> programs{random_program(nodes, n, columns, random)};
    CompileOptions exact = options();
    exact.compiler = wrapper("", "-ffp-contract=off -O1");
    const ObjectCode object = must_compile(generate_source(graph, programs, widths), exact);
    for (const int width : widths) {
        const TestArrays arrays{width, n * columns, random};
        const auto a = call(load(object, 1, width)->kernel(0), arrays.arguments(), n_out(programs[0]), width);
        const auto b =
            call(interpret(graph, programs, width)->kernel(0), arrays.arguments(), n_out(programs[0]), width);
        for (std::size_t j = 0; j < a.size(); ++j) {
            ASSERT_TRUE(same_bits(a[j], b[j])) << "entry " << j << " width " << width;
        }
    }
}

TEST_F(Compile, threads_may_call_one_kernel_at_the_same_time) {
    std::mt19937 random{5};
    Graph graph;
    const auto nodes = random_nodes(graph, every_operation(), 200, random);
    const Program program = random_program(nodes, 5, 2, random);
    const int width = 4;
    const auto module =
        load(must_compile(generate_source(graph, std::span{&program, 1}, std::span{&width, 1}), options()), 1, width);
    const TestArrays first{width, 10, random}, second{width, 10, random};
    const auto alone = [&](const TestArrays& arrays) {
        return call(module->kernel(0), arrays.arguments(), n_out(program), width);
    };
    int n_wrong[2] = {0, 0};
    const auto work = [&](const TestArrays& arrays, const std::vector<double>& expected, int& wrong) {
        for (int i = 0; i < 2000; ++i) {
            const auto out = alone(arrays);
            wrong += std::memcmp(out.data(), expected.data(), out.size() * sizeof(double)) != 0;
        }
    };
    const auto expected_first = alone(first), expected_second = alone(second);

    std::thread other{work, std::cref(first), std::cref(expected_first), std::ref(n_wrong[0])};
    work(second, expected_second, n_wrong[1]);
    other.join();

    EXPECT_EQ(n_wrong[0] + n_wrong[1], 0);
}

TEST_F(Compile, arrays_that_are_not_read_may_be_null) {
    Graph graph;
    const Program program{.outputs = {graph.constant(4)}, .columns = 2};
    const auto object = must_compile(generate_source(graph, std::span{&program, 1}, widths), options());
    for (const int width : widths) {
        const auto w = static_cast<std::size_t>(width);
        std::vector<double> expected(3 * w, 0.0);
        std::fill_n(expected.begin(), w, 4.0);
        EXPECT_EQ(call(load(object, 1, width)->kernel(0), {}, 3, width), expected);
        EXPECT_EQ(call(interpret(graph, std::span{&program, 1}, width)->kernel(0), {}, 3, width), expected);
    }
}

TEST_F(Compile, the_second_time_comes_from_the_cache) {
    const Small small;
    CompileOptions counted = options();
    counted.compiler = wrapper("");
    const ObjectCode first = must_compile(small.source, counted);
    const ObjectCode second = must_compile(small.source, counted);
    EXPECT_EQ(n_compilations(), 1U);
    EXPECT_EQ(first, second);
    EXPECT_EQ(call_small(second), 42);
    counted.native = false;
    EXPECT_EQ(call_small(must_compile(small.source, counted)), 42);
    EXPECT_EQ(n_compilations(), 2U);
}

TEST_F(Compile, a_changed_entry_of_the_cache_is_made_anew) {
    const Small small;
    CompileOptions counted = options();
    counted.compiler = wrapper("");
    const ObjectCode first = must_compile(small.source, counted);
    const fs::path entry = fs::directory_iterator { counted.cache } -> path();
    const auto size = fs::file_size(entry);
    std::fstream{entry, std::ios::in | std::ios::out | std::ios::binary}.seekp(static_cast<std::streamoff>(size - 100))
        << "tampered";
    EXPECT_EQ(must_compile(small.source, counted), first);
    EXPECT_EQ(n_compilations(), 2U);
    EXPECT_EQ(must_compile(small.source, counted), first);
    EXPECT_EQ(n_compilations(), 2U);
}

TEST_F(Compile, a_cache_that_others_may_write_to_is_not_used) {
    const Small small;
    CompileOptions counted = options();
    counted.compiler = wrapper("");
    fs::create_directory(counted.cache);
    fs::permissions(counted.cache, fs::perms::all);
    EXPECT_EQ(call_small(must_compile(small.source, counted)), 42);
    EXPECT_EQ(call_small(must_compile(small.source, counted)), 42);
    EXPECT_EQ(n_compilations(), 2U);
    EXPECT_TRUE(fs::is_empty(counted.cache));
}

TEST_F(Compile, a_cache_that_cannot_be_written_is_no_error) {
    const Small small;
    CompileOptions nowhere = options();
    nowhere.cache = "/proc/nowhere/cache";
    EXPECT_EQ(call_small(must_compile(small.source, nowhere)), 42);
}

TEST_F(Compile, does_without_native_where_the_compiler_refuses_it) {
    const Small small;
    CompileOptions picky = options();
    picky.compiler = wrapper("for a; do if [ $a = -march=native ]; then echo unknown; exit 1; fi; done;");
    EXPECT_EQ(call_small(must_compile(small.source, picky)), 42);
    EXPECT_EQ(n_compilations(), 1U);
}

TEST_F(Compile, says_what_the_compiler_said) {
    std::string message;
    EXPECT_FALSE(compile("this is no program", options(), message));
    EXPECT_THAT(message, HasSubstr(compiler_ + ": the kernels could not be compiled: it returned 1"));
    EXPECT_THAT(message, HasSubstr("error"));
    EXPECT_THAT(message, HasSubstr("this is no program"));
}

TEST_F(Compile, leaves_no_files_behind) {
    const Small small;
    const ScopedVariable temporary{"TMPDIR", (scratch_.path() / "tmp").string()};
    fs::create_directory(scratch_.path() / "tmp");
    std::string message;
    EXPECT_TRUE(compile(small.source, options(), message)) << message;
    EXPECT_FALSE(compile("this is no program", options(), message));
    EXPECT_TRUE(fs::is_empty(scratch_.path() / "tmp"));
}

TEST(CompileWithoutCompiler, says_that_the_variable_names_nothing) {
    for (const char* const name : {"/nowhere/c++", "no-such-compiler"}) {
        const ScopedVariable variable{"RONDO_CXX", name};
        std::string message;
        EXPECT_FALSE(compile("", {}, message));
        EXPECT_THAT(message, HasSubstr(std::string{"RONDO_CXX: there is no program \""} + name + '"'));
        EXPECT_THAT(message, HasSubstr("unset RONDO_CXX"));
    }
}

TEST(CompileWithoutCompiler, says_that_the_option_names_nothing) {
    std::string message;
    CompileOptions options;
    options.compiler = "/nowhere/c++";
    EXPECT_FALSE(compile("", options, message));
    EXPECT_THAT(message, HasSubstr("compiler: there is no program \"/nowhere/c++\""));
}

TEST(CompileWithoutCompiler, says_what_was_looked_for_in_path) {
    const ScopedVariable variable{"RONDO_CXX", std::nullopt}, path{"PATH", "/nowhere"};
    std::string message;
    EXPECT_FALSE(compile("", {}, message));
    EXPECT_THAT(message, HasSubstr("PATH: none of c++, g++, clang++ is there"));
}

TEST(CompileWithoutCompiler, a_program_that_is_no_compiler_is_named) {
    const ScratchDirectory scratch;
    CompileOptions options;
    options.compiler = write_script(scratch.path() / "broken", "echo licence expired; exit 7").string();
    options.cache = scratch.path() / "cache";
    std::string message;
    EXPECT_FALSE(compile("", options, message));
    EXPECT_THAT(message, HasSubstr("broken: cannot be used to compile kernels: asked for its version, it returned 7"));
    EXPECT_THAT(message, HasSubstr("licence expired"));
}

TEST_F(Compile, modules_loaded_one_after_the_other_keep_their_own_code) {
    std::vector<std::shared_ptr<const Module>> modules;
    for (int i = 0; i < 3; ++i) {
        Graph graph;
        const Program program{.outputs = {graph.constant(i)}};
        const int width = 1;
        const auto object =
            must_compile(generate_source(graph, std::span{&program, 1}, std::span{&width, 1}), options());
        static_cast<void>(load(object, 1, width)); // closed at once: its file's number is given out again
        modules.push_back(load(object, 1, width));
    }
    for (std::size_t i = 0; i < modules.size(); ++i) {
        EXPECT_EQ(call(modules[i]->kernel(0), {}, 1, 1)[0], static_cast<double>(i));
    }
}

TEST_F(Compile, an_object_that_lacks_a_kernel_is_refused) {
    const Small small;
    const ObjectCode object = must_compile(small.source, options());
    try {
        static_cast<void>(load(object, 2, 1));
        FAIL() << "nothing was thrown";
    } catch (const StoreError& error) {
        EXPECT_THAT(error.what(), HasSubstr("the object has no function \"rondo_1_1\""));
    }
    EXPECT_THROW(static_cast<void>(load(object, 1, 8)), StoreError);
    EXPECT_THROW(static_cast<void>(load(object, 1, 1)->kernel(1)), ContractError);
}

TEST(Load, refuses_what_is_no_object) {
    const ObjectCode garbage(1000, std::byte{42});
    for (const std::span<const std::byte> bytes : {std::span<const std::byte>{garbage}, std::span<const std::byte>{}}) {
        try {
            static_cast<void>(load(bytes, 1, 1));
            FAIL() << "nothing was thrown";
        } catch (const StoreError& error) {
            EXPECT_THAT(error.what(), HasSubstr("compiled kernels: the object of " + std::to_string(bytes.size()) +
                                                " bytes cannot be loaded"));
        }
    }
}

} // namespace
} // namespace rondo::expression
