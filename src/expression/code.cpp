#include "code.hpp"

#include "schedule.hpp"

#include <rondo/base/cast.hpp>
#include <rondo/base/contract.hpp>

#include <span>

namespace rondo::expression {
namespace {

/// Gives out one register a node.
class Encoder {
public:
    Encoder(const Graph& graph, int width) : graph_{graph}, width_{width}, registers_(graph.size(), 0) {}

    [[nodiscard]] std::uint32_t register_of(NodeId id) const { return registers_[static_cast<std::size_t>(id)]; }
    [[nodiscard]] std::size_t n_registers() const { return n_registers_; }

    void append(std::vector<Instruction>& steps, std::span<const NodeId> nodes) {
        for (const NodeId id : nodes) {
            registers_[static_cast<std::size_t>(id)] = n_registers_;
            steps.push_back(encode(graph_.node(id), n_registers_++));
        }
    }

private:
    [[nodiscard]] Instruction encode(const Node& node, std::uint32_t target) const {
        if (node.op == Op::constant) {
            return {.action = Action::constant, .target = target, .value = node.value};
        }
        if (node.op == Op::input) {
            expects(node.input != Input::uniform && node.input != Input::normal, "kernels take no random numbers");
            return {.action = node.input == Input::parameter ? Action::shared_input : Action::lane_input,
                    .input = node.input,
                    .target = target,
                    .argument = {node.index}};
        }
        Instruction step{.target = target, .function = lane_function(node.op, width_)};
        for (int a = 0; a < arity(node.op); ++a) {
            step.argument[a] = register_of(node.argument[a]);
        }
        return step;
    }

    const Graph& graph_;
    int width_;
    std::vector<std::uint32_t> registers_;
    std::uint32_t n_registers_ = 0;
};

} // namespace

Code make_code(const Graph& graph, const Program& program, int width) {
    const Schedule schedule = make_schedule(graph, program);
    Code code;
    code.n_rows = schedule.n_rows;
    code.columns = schedule.columns;
    code.width = width;
    Encoder encoder{graph, width};
    encoder.append(code.early, schedule.early);
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
        const bool added = i >= program.first_added;
        if (added && graph.is_constant(program.outputs[i], 0.0)) {
            continue;
        }
        code.early.push_back({.action = added ? Action::add_offset : Action::store_output,
                              .target = narrow<std::uint32_t>(i),
                              .argument = {encoder.register_of(program.outputs[i])}});
    }
    code.row_begin.assign(code.n_rows + 1, 0);
    for (const Entry& entry : schedule.matrix) {
        code.terms.push_back({encoder.register_of(entry.value), narrow<std::uint32_t>(entry.column)});
        ++code.row_begin[entry.row + 1];
    }
    for (std::size_t row = 0; row < code.n_rows; ++row) {
        code.row_begin[row + 1] += code.row_begin[row];
    }
    encoder.append(code.late, schedule.late);
    for (const Entry& entry : schedule.offsets) {
        code.late.push_back({.action = Action::add_offset,
                             .target = narrow<std::uint32_t>((1 + entry.column) * code.n_rows + entry.row),
                             .argument = {encoder.register_of(entry.value)}});
    }
    code.n_registers = encoder.n_registers();
    return code;
}

} // namespace rondo::expression
