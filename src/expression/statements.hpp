#pragma once

#include <rondo/expression/program.hpp>

#include <cstddef>
#include <vector>

namespace rondo::expression {

/// One statement of a generated kernel.
struct Statement {
    enum class Kind {
        define, ///< compute `node`
        store,  ///< out[place] = node
        add,    ///< out[place] += node
        columns ///< the loop over the columns for the rows of `matrix` (row numbers are `first_row` .. `end_row` - 1)
    };
    Kind kind = Kind::define;
    NodeId node{};
    std::size_t place = 0; ///< entry of `out`, to be multiplied by W
    std::size_t first_row = 0;
    std::size_t end_row = 0;
    std::vector<Entry> matrix; ///< by row, then column
};

/// A program as statements, cut into parts of bounded length: the time a compiler needs grows faster than the length of
/// a function. Constants and inputs have no statement: each part reads those that it needs.
struct Statements {
    std::vector<std::vector<Statement>> parts;
    std::size_t n_rows = 0;
    std::size_t columns = 0;
};

/// The nodes a statement reads. A definition reads its node's arguments.
[[nodiscard]] std::vector<NodeId> nodes_read(const Graph& graph, const Statement& statement);

/// True for constants and inputs.
[[nodiscard]] bool is_leaf(const Graph& graph, NodeId id);

[[nodiscard]] Statements make_statements(const Graph& graph, const Program& program);

} // namespace rondo::expression
