#pragma once

#include <rondo/expression/compile.hpp>

#include "expression/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace rondo::expression {

/// Arrays for any program of at most this many inputs of each kind, filled with numbers of moderate size and, where
/// asked for, some that are not.
struct TestArrays {
    static constexpr std::size_t n_inputs = 6;
    std::vector<double> time, state, parameter, covariate, seed;

    TestArrays(int width, std::size_t n_seed, std::mt19937& random, bool is_odd = false) {
        const auto w = static_cast<std::size_t>(width);
        const auto fill = [&](std::vector<double>& values, std::size_t n) {
            const double odd[] = {0.0, -0.0, NAN, INFINITY, -INFINITY, 1.0, -1.0, 1e300, 1e-300};
            for (std::size_t i = 0; i < n; ++i) {
                const double value = 0.2 + 1.6 * static_cast<double>(random()) / 4294967296.0;
                values.push_back(is_odd && random() % 3 == 0 ? odd[random() % std::size(odd)] : value);
            }
        };
        fill(time, w);
        fill(state, n_inputs * w);
        fill(parameter, n_inputs);
        fill(covariate, n_inputs * w);
        fill(seed, n_seed * w);
    }
    [[nodiscard]] Arguments arguments() const {
        return {time.data(), state.data(), parameter.data(), covariate.data(), seed.data()};
    }
};

/// Nodes made at random from every input and the operations given.
inline std::vector<NodeId> random_nodes(Graph& graph, std::span<const Op> ops, std::size_t n, std::mt19937& random) {
    std::vector<NodeId> nodes{graph.input(Input::time), graph.constant(0.7), graph.constant(-0.0),
                              graph.constant(1.0 / 3.0)};
    for (std::size_t i = 0; i < TestArrays::n_inputs; ++i) {
        for (const Input kind : {Input::state, Input::parameter, Input::covariate}) {
            nodes.push_back(graph.input(kind, i));
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        const Op op = ops[random() % ops.size()];
        NodeId argument[3];
        for (NodeId& id : argument) {
            id = nodes[random() % nodes.size()];
        }
        switch (arity(op)) {
        case 1:
            nodes.push_back(graph.unary(op, argument[0]));
            break;
        case 2:
            nodes.push_back(graph.binary(op, argument[0], argument[1]));
            break;
        default:
            nodes.push_back(graph.select(argument[0], argument[1], argument[2]));
            break;
        }
    }
    return nodes;
}

inline std::vector<Op> every_operation() {
    std::vector<Op> ops;
    for (auto op = static_cast<int>(Op::add); op <= static_cast<int>(Op::select); ++op) {
        ops.push_back(static_cast<Op>(op));
    }
    return ops;
}

/// A program with the last `n` of the nodes as outputs; with columns it takes entries from all of them.
inline Program random_program(std::span<const NodeId> nodes, std::size_t n, std::size_t columns, std::mt19937& random) {
    Program program;
    program.outputs.assign(nodes.end() - static_cast<std::ptrdiff_t>(n), nodes.end());
    program.columns = columns;
    for (std::size_t column = 0; column < n; ++column) {
        for (std::size_t row = 0; row < n; ++row) {
            if (random() % 3 != 0) {
                program.matrix.push_back({row, column, nodes[random() % nodes.size()]});
            }
        }
    }
    for (std::size_t column = 0; column < columns; ++column) {
        for (std::size_t row = 0; row < n; ++row) {
            if (random() % 2 != 0) {
                program.offsets.push_back({row, column, nodes[random() % nodes.size()]});
            }
        }
    }
    return program;
}

[[nodiscard]] inline std::size_t n_out(const Program& program) {
    return program.outputs.size() * (1 + program.columns);
}

/// out = kernel(arguments), on a buffer of NaN.
inline std::vector<double> call(const Kernel& kernel, const Arguments& arguments, std::size_t n, int width) {
    std::vector<double> out(n * static_cast<std::size_t>(width), NAN);
    kernel(arguments, out.data());
    return out;
}

/// The value of one node for one lane of plain numbers, by the interpreter.
inline double value_of(const Graph& graph, NodeId node, const Arguments& arguments = {}) {
    const Program program{.name = "value", .outputs = {node}};
    return call(interpret(graph, std::span{&program, 1}, 1)->kernel(0), arguments, 1, 1)[0];
}

/// Sets an environment variable, or unsets it, until the end of scope.
class ScopedVariable {
public:
    ScopedVariable(std::string name, const std::optional<std::string>& value) : name_{std::move(name)} {
        if (const char* const before = std::getenv(name_.c_str())) {
            before_ = before;
        }
        set(value);
    }
    ScopedVariable(const ScopedVariable&) = delete;
    ScopedVariable& operator=(const ScopedVariable&) = delete;
    ~ScopedVariable() { set(before_); }

private:
    void set(const std::optional<std::string>& value) {
        value ? ::setenv(name_.c_str(), value->c_str(), 1) : ::unsetenv(name_.c_str());
    }
    std::string name_;
    std::optional<std::string> before_;
};

/// An executable shell script.
inline std::filesystem::path write_script(const std::filesystem::path& path, const std::string& text) {
    std::ofstream{path} << "#!/bin/sh\n" << text << '\n';
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
}

} // namespace rondo::expression
