#include "statements.hpp"

#include "schedule.hpp"

#include <algorithm>
#include <utility>

namespace rondo::expression {
namespace {

constexpr std::size_t longest_part = 1000; // operations; longer ones run no faster and take longer to compile

/// Fills parts in turn.
class Builder {
public:
    explicit Builder(Statements& statements) : parts_{statements.parts} { parts_.emplace_back(); }

    void append(Statement statement) {
        const std::size_t cost = 1 + statement.matrix.size();
        if (cost_ > 0 && cost_ + cost > longest_part) {
            parts_.emplace_back();
            cost_ = 0;
        }
        parts_.back().push_back(std::move(statement));
        cost_ += cost;
    }

private:
    std::vector<std::vector<Statement>>& parts_;
    std::size_t cost_ = 0;
};

/// What is done with a node's value as soon as it is known.
struct Use {
    NodeId node{};
    std::size_t place = 0;
    Statement::Kind kind = Statement::Kind::store;
};

void append_nodes(Builder& builder, const Graph& graph, std::span<const NodeId> nodes, std::span<const Use> uses) {
    auto use = uses.begin();
    for (const NodeId id : nodes) {
        if (!is_leaf(graph, id)) {
            builder.append({.node = id});
        }
        for (; use != uses.end() && use->node == id; ++use) {
            builder.append({.kind = use->kind, .node = id, .place = use->place});
        }
    }
}

/// The rows of the matrix in blocks that fit a part.
void append_columns(Builder& builder, const Schedule& schedule) {
    auto begin = schedule.matrix.begin();
    for (std::size_t row = 0; row < schedule.n_rows;) {
        Statement block{.kind = Statement::Kind::columns, .first_row = row};
        auto end = begin;
        do {
            end = std::find_if(end, schedule.matrix.end(), [&](const Entry& entry) { return entry.row != row; });
            ++row;
        } while (row < schedule.n_rows &&
                 static_cast<std::size_t>(end - begin) + row - block.first_row < longest_part / 2);
        block.end_row = row;
        block.matrix.assign(begin, end);
        builder.append(std::move(block));
        begin = end;
    }
}

} // namespace

bool is_leaf(const Graph& graph, NodeId id) { return arity(graph.node(id).op) == 0; }

std::vector<NodeId> nodes_read(const Graph& graph, const Statement& statement) {
    std::vector<NodeId> nodes;
    switch (statement.kind) {
    case Statement::Kind::define: {
        const Node& node = graph.node(statement.node);
        nodes.assign(node.argument, node.argument + arity(node.op));
        break;
    }
    case Statement::Kind::store:
    case Statement::Kind::add:
        nodes = {statement.node};
        break;
    case Statement::Kind::columns:
        std::ranges::transform(statement.matrix, std::back_inserter(nodes), &Entry::value);
        break;
    }
    return nodes;
}

Statements make_statements(const Graph& graph, const Program& program) {
    const Schedule schedule = make_schedule(graph, program);
    Statements statements{.n_rows = schedule.n_rows, .columns = schedule.columns};
    Builder builder{statements};
    std::vector<Use> outputs;
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
        const bool added = i >= program.first_added;
        if (!added || !graph.is_constant(program.outputs[i], 0.0)) {
            outputs.push_back({program.outputs[i], i, added ? Statement::Kind::add : Statement::Kind::store});
        }
    }
    std::ranges::stable_sort(outputs, {}, &Use::node);
    append_nodes(builder, graph, schedule.early, outputs);
    if (schedule.columns > 0) {
        append_columns(builder, schedule);
    }
    std::vector<Use> offsets;
    for (const Entry& entry : schedule.offsets) {
        offsets.push_back({entry.value, (1 + entry.column) * schedule.n_rows + entry.row, Statement::Kind::add});
    }
    const std::span<const Use> uses{offsets};
    for (const Use& use : uses.first(schedule.n_early_offsets)) {
        builder.append({.kind = use.kind, .node = use.node, .place = use.place});
    }
    append_nodes(builder, graph, schedule.late, uses.subspan(schedule.n_early_offsets));
    return statements;
}

} // namespace rondo::expression
