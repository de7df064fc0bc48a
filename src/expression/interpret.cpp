#include <rondo/expression/program.hpp>

#include "code.hpp"

#include <rondo/base/contract.hpp>

#include <algorithm>
#include <utility>

namespace rondo::expression {
namespace {

const double* array_of(const Arguments& arguments, Input input) {
    switch (input) {
    case Input::time:
        return arguments.time;
    case Input::state:
        return arguments.state;
    case Input::parameter:
        return arguments.parameter;
    case Input::covariate:
        return arguments.covariate;
    case Input::seed:
        return arguments.seed;
    case Input::uniform:
    case Input::normal:
        break;
    }
    return nullptr;
}

template <int W>
void run_steps(std::span<const Instruction> steps, std::size_t width, double* registers, const Arguments& arguments,
               double* out) {
    const std::size_t w = n_lanes<W>(width);
    const auto lanes = [&](std::uint32_t r) { return registers + r * w; };
    for (const Instruction& step : steps) {
        double* const r = step.action < Action::store_output ? lanes(step.target) : out + step.target * w;
        switch (step.action) {
        case Action::constant:
            std::fill_n(r, w, step.value);
            break;
        case Action::shared_input:
            std::fill_n(r, w, array_of(arguments, step.input)[step.argument[0]]);
            break;
        case Action::lane_input:
            copy_lanes<W>(w, r, array_of(arguments, step.input) + step.argument[0] * w);
            break;
        case Action::operation:
            step.function(w, r, lanes(step.argument[0]), lanes(step.argument[1]), lanes(step.argument[2]));
            break;
        case Action::store_output:
            copy_lanes<W>(w, r, lanes(step.argument[0]));
            break;
        case Action::add_offset: {
            const double* const a = lanes(step.argument[0]);
            each_lane<W>(w, [&](std::size_t l) { r[l] += a[l]; });
            break;
        }
        }
    }
}

/// Column k of out = A s_k, for every k.
template <int W>
void run_columns(const Code& code, std::size_t width, const double* registers, const double* seed, double* out) {
    const std::size_t w = n_lanes<W>(width);
    for (std::size_t k = 0; k < code.columns; ++k) {
        const double* const s = seed == nullptr ? nullptr : seed + k * code.n_rows * w;
        for (std::size_t row = 0; row < code.n_rows; ++row) {
            double* const __restrict sum = out + ((1 + k) * code.n_rows + row) * w;
            const auto begin = code.row_begin[row], end = code.row_begin[row + 1];
            const auto factors = [&](std::size_t i) {
                return std::pair{registers + code.terms[i].value * w, s + code.terms[i].column * w};
            };
            if (begin == end) {
                std::fill_n(sum, w, 0.0);
                continue;
            }
            const auto [x, y] = factors(begin);
            each_lane<W>(w, [&, x = x, y = y](std::size_t l) { sum[l] = x[l] * y[l]; });
            for (std::size_t i = begin + 1; i < end; ++i) {
                const auto [a, b] = factors(i);
                each_lane<W>(w, [&, a = a, b = b](std::size_t l) { sum[l] += a[l] * b[l]; });
            }
        }
    }
}

template <int W>
void run(const void* self, const Arguments* arguments, double* out) {
    const Code& code = *static_cast<const Code*>(self);
    const std::size_t w = n_lanes<W>(static_cast<std::size_t>(code.width));
    thread_local std::vector<double> scratch; // grows to the thread's largest program
    if (scratch.size() < code.n_registers * w) {
        scratch.resize(code.n_registers * w);
    }
    run_steps<W>(code.early, w, scratch.data(), *arguments, out);
    run_columns<W>(code, w, scratch.data(), arguments->seed, out);
    run_steps<W>(code.late, w, scratch.data(), *arguments, out);
}

Kernel::Function function_for(int width) {
    switch (width) {
    case 1:
        return run<1>;
    case 4:
        return run<4>;
    case 8:
        return run<8>;
    default:
        return run<0>;
    }
}

class Interpreted final : public Module {
public:
    Interpreted(std::vector<Code> programs, int width) : programs_{std::move(programs)}, width_{width} {}

    [[nodiscard]] Kernel kernel(std::size_t i) const override {
        expects(i < programs_.size(), "the module has this program");
        return {function_for(width_), &programs_[i]};
    }
    [[nodiscard]] int width() const override { return width_; }

private:
    std::vector<Code> programs_;
    int width_;
};

} // namespace

std::shared_ptr<const Module> interpret(const Graph& graph, std::span<const Program> programs, int width) {
    expects(width > 0, "a kernel has at least one lane");
    std::vector<Code> codes;
    codes.reserve(programs.size());
    for (const Program& program : programs) {
        codes.push_back(make_code(graph, program, width));
    }
    return std::make_shared<const Interpreted>(std::move(codes), width);
}

} // namespace rondo::expression
