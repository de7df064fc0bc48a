#include "kernel_text.hpp"

#include "node_text.hpp"
#include "statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace rondo::expression {
namespace {

template <class... Values>
void append_line(std::string& text, fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text), form, std::forward<Values>(values)...);
    text += '\n';
}

/// Places in the array that parts share. A place is free again after the last part that reads its node.
class SharedMemory {
public:
    SharedMemory(const Graph& graph, const Statements& statements)
        : last_part_(graph.size(), 0), place_(graph.size(), none) {
        for (std::size_t part = 0; part < statements.parts.size(); ++part) {
            for (const Statement& statement : statements.parts[part]) {
                for (const NodeId id : nodes_read(graph, statement)) {
                    last_part_[static_cast<std::size_t>(id)] = part;
                }
            }
        }
    }

    [[nodiscard]] bool is_read_after(NodeId id, std::size_t part) const {
        return last_part_[static_cast<std::size_t>(id)] > part;
    }
    [[nodiscard]] std::size_t place_of(NodeId id) const { return place_[static_cast<std::size_t>(id)]; }
    [[nodiscard]] std::size_t size() const { return size_; }

    std::size_t take_place(NodeId id) {
        if (free_.empty()) {
            free_.push_back(size_++);
        }
        place_[static_cast<std::size_t>(id)] = free_.back();
        free_.pop_back();
        held_.push_back(id);
        return place_of(id);
    }

    void end_of(std::size_t part) {
        const auto done =
            std::stable_partition(held_.begin(), held_.end(), [&](NodeId id) { return is_read_after(id, part); });
        std::for_each(done, held_.end(), [&](NodeId id) { free_.push_back(place_of(id)); });
        held_.erase(done, held_.end());
    }

private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> last_part_; ///< that reads the node
    std::vector<std::size_t> place_;
    std::vector<std::size_t> free_;
    std::vector<NodeId> held_;
    std::size_t size_ = 0;
};

/// The body of one part.
class PartWriter {
public:
    PartWriter(const Graph& graph, const Statements& statements, std::size_t part, std::size_t width,
               SharedMemory& memory)
        : graph_{graph}, statements_{statements}, part_{part}, width_{width}, memory_{memory},
          is_known_(graph.size(), false) {}

    [[nodiscard]] std::string write() && {
        for (const Statement& statement : statements_.parts[part_]) {
            for (const NodeId id : nodes_read(graph_, statement)) {
                need(id);
            }
            write(statement);
        }
        memory_.end_of(part_);
        std::string arrays; // only those that are read: the others may be null
        for (std::size_t i = 0; i < is_read_.size(); ++i) {
            if (is_read_[i]) {
                append_line(arrays, "const double* const __restrict {0} = arguments->{0};",
                            array_name(static_cast<Input>(i)));
            }
        }
        return arrays + text_;
    }

private:
    void define(NodeId id, std::string_view value) {
        append_line(text_, "const V {} = {};", name_of(id), value);
        is_known_[static_cast<std::size_t>(id)] = true;
    }

    /// Make sure that the name of a node can be used: read inputs and what other parts computed.
    void need(NodeId id) {
        if (is_known_[static_cast<std::size_t>(id)]) {
            return;
        }
        const Node& node = graph_.node(id);
        if (node.op == Op::input) {
            static_cast<void>(array_name(node.input)); // random numbers are refused
            is_read_.at(static_cast<std::size_t>(node.input)) = true;
        }
        define(id, is_leaf(graph_, id) ? definition(node, width_) : fmt::format("shared[{}]", memory_.place_of(id)));
    }

    void write(const Statement& statement) {
        const std::size_t place = statement.place * width_;
        switch (statement.kind) {
        case Statement::Kind::define:
            define(statement.node, definition(graph_.node(statement.node), width_));
            if (memory_.is_read_after(statement.node, part_)) {
                append_line(text_, "shared[{}] = {};", memory_.take_place(statement.node), name_of(statement.node));
            }
            break;
        case Statement::Kind::store:
            append_line(text_, "store(out + {}, {});", place, name_of(statement.node));
            break;
        case Statement::Kind::add:
            append_line(text_, "store(out + {0}, load(out + {0}) + {1});", place, name_of(statement.node));
            break;
        case Statement::Kind::columns:
            write_columns(statement);
            break;
        }
    }

    void write_columns(const Statement& statement) {
        const std::size_t stride = statements_.n_rows * width_;
        append_line(text_, "for (long k = 0; k < {}; ++k) {{", statements_.columns);
        append_line(text_, "double* const to = out + (1 + k) * {};", stride);
        std::vector<bool> is_read(statements_.n_rows, false);
        for (const Entry& entry : statement.matrix) {
            is_read[entry.column] = true;
        }
        if (!statement.matrix.empty()) {
            is_read_[static_cast<std::size_t>(Input::seed)] = true;
            append_line(text_, "const double* const s = seed + k * {};", stride);
        }
        for (std::size_t column = 0; column < is_read.size(); ++column) {
            if (is_read[column]) {
                append_line(text_, "const V s{} = load(s + {});", column, column * width_);
            }
        }
        std::span<const Entry> rest{statement.matrix};
        for (std::size_t row = statement.first_row; row < statement.end_row; ++row) {
            const auto end = std::ranges::find_if(rest, [&](const Entry& entry) { return entry.row != row; });
            const auto n_terms = static_cast<std::size_t>(end - rest.begin());
            write_row(row, rest.first(n_terms));
            append_line(text_, "store(to + {}, r{});", row * width_, row);
            rest = rest.subspan(n_terms);
        }
        append_line(text_, "}}");
    }

    /// r<row> = the sum of value * s, in statements of a few terms: compilers nest as deep as a sum is long.
    void write_row(std::size_t row, std::span<const Entry> entries) {
        constexpr std::size_t longest = 32;
        if (entries.empty()) {
            append_line(text_, "const V r{} = splat(0.0);", row);
            return;
        }
        for (std::size_t begin = 0; begin < entries.size(); begin += longest) {
            std::string sum = begin == 0 ? "" : fmt::format("r{} + ", row);
            for (const Entry& entry : entries.subspan(begin, std::min(longest, entries.size() - begin))) {
                fmt::format_to(std::back_inserter(sum), "{}{} * s{}", &entry == &entries[begin] ? "" : " + ",
                               name_of(entry.value), entry.column);
            }
            append_line(text_, "{}r{} = {};", begin == 0 ? "V " : "", row, sum);
        }
    }

    const Graph& graph_;
    const Statements& statements_;
    std::size_t part_;
    std::size_t width_;
    SharedMemory& memory_;
    std::vector<bool> is_known_;
    std::array<bool, 5> is_read_{}; ///< arrays, by Input
    std::string text_;
};

} // namespace

std::string kernel_text(const Graph& graph, const Program& program, std::size_t width, std::size_t index) {
    const Statements statements = make_statements(graph, program);
    const std::size_t n_parts = statements.parts.size();
    SharedMemory memory{graph, statements};
    std::vector<std::string> bodies;
    for (std::size_t part = 0; part < n_parts; ++part) {
        bodies.push_back(PartWriter{graph, statements, part, width, memory}.write());
    }
    std::string text;
    for (std::size_t part = 0; n_parts > 1 && part < n_parts; ++part) {
        append_line(
            text,
            "static __attribute__((noinline)) void part_{}_{}(const Arguments* arguments, double* __restrict out, "
            "V* __restrict shared) {{\n{}}}",
            index, part, bodies[part]);
    }
    append_line(text,
                "extern \"C\" void rondo_{}_{}(const void*, const Arguments* arguments, double* __restrict out) {{",
                width, index);
    if (n_parts == 1) {
        text += bodies.front();
    } else {
        append_line(text, "V shared[{}];", std::max<std::size_t>(memory.size(), 1));
        for (std::size_t part = 0; part < n_parts; ++part) {
            append_line(text, "part_{}_{}(arguments, out, shared);", index, part);
        }
    }
    append_line(text, "}}");
    return text;
}

} // namespace rondo::expression
