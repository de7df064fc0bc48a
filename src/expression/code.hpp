#pragma once

#include "lanes.hpp"

#include <rondo/expression/program.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rondo::expression {

enum class Action : std::uint8_t { constant, shared_input, lane_input, operation, store_output, add_offset };

/// One step. Registers are numbered; register r of lane l lies at [r * W + l].
struct Instruction {
    Action action = Action::operation;
    Input input = Input::time;
    std::uint32_t target = 0;       ///< register, or entry of `out`
    std::uint32_t argument[3] = {}; ///< registers; the index of an input in [0]
    LaneFunction function = nullptr;
    double value = 0;
};

struct Term {
    std::uint32_t value = 0;  ///< register
    std::uint32_t column = 0; ///< of the matrix
};

/// A program as a list of steps: `early` ones, the columns, `late` ones, as in Schedule.
struct Code {
    std::vector<Instruction> early;
    std::vector<Instruction> late;
    std::vector<Term> terms;            ///< of the matrix, by row
    std::vector<std::size_t> row_begin; ///< [n_rows + 1] into `terms`
    std::size_t n_rows = 0;
    std::size_t columns = 0;
    std::size_t n_registers = 0;
    int width = 1;
};

/// @throws ContractError  a matrix entry or offset lies outside the program, or a node reads a random number
[[nodiscard]] Code make_code(const Graph& graph, const Program& program, int width);

} // namespace rondo::expression
