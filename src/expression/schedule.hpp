#pragma once

#include <rondo/expression/program.hpp>

#include <cstddef>
#include <vector>

namespace rondo::expression {

/// A program in order of evaluation, the same for the interpreter and for generated code: `early` nodes and outputs,
/// the loop over the columns with the matrix, the offsets known by then, and `late` nodes, each added where it is an
/// offset.
struct Schedule {
    std::vector<NodeId> early;  ///< what outputs and matrix need, ascending
    std::vector<NodeId> late;   ///< what only offsets need, ascending
    std::vector<Entry> matrix;  ///< by row, then column
    std::vector<Entry> offsets; ///< those with early values first, then by value, column and row
    std::size_t n_early_offsets = 0;
    std::size_t n_rows = 0;  ///< outputs of the program
    std::size_t columns = 0; ///< tangent columns; 0 leaves matrix and offsets empty
};

/// @throws ContractError  an entry lies outside the program's matrix
/// Tests   tests/expression/interpret_test.cpp
[[nodiscard]] Schedule make_schedule(const Graph& graph, const Program& program);

} // namespace rondo::expression
