#include "node_text.hpp"

#include <rondo/base/contract.hpp>

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace rondo::expression {
namespace {

/// Every bit of a double as a C++ literal.
std::string literal(double value) {
    if (std::isnan(value)) {
        return "__builtin_nan(\"\")";
    }
    const std::string_view sign = std::signbit(value) ? "-" : "";
    if (std::isinf(value)) {
        return fmt::format("{}__builtin_inf()", sign);
    }
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.begin(), digits.end(), std::fabs(value), std::chars_format::hex);
    return fmt::format("{}0x{}", sign, std::string_view{digits.data(), end.ptr});
}

/// The function of the prelude that does `op`.
std::string_view function_name(Op op) {
    switch (op) {
    case Op::power:
        return "power";
    case Op::minimum:
        return "minimum";
    case Op::maximum:
        return "maximum";
    case Op::absolute:
        return "absolute";
    case Op::sign:
        return "sign";
    case Op::square_root:
        return "square_root";
    case Op::exp:
        return "exp";
    case Op::log:
        return "log";
    case Op::log10:
        return "log10";
    case Op::sin:
        return "sin";
    case Op::cos:
        return "cos";
    case Op::tan:
        return "tan";
    case Op::asin:
        return "asin";
    case Op::acos:
        return "acos";
    case Op::atan:
        return "atan";
    case Op::sinh:
        return "sinh";
    case Op::cosh:
        return "cosh";
    case Op::tanh:
        return "tanh";
    case Op::expm1:
        return "expm1";
    case Op::log1p:
        return "log1p";
    case Op::floor:
        return "floor";
    case Op::ceil:
        return "ceil";
    case Op::less:
        return "less";
    case Op::less_equal:
        return "less_equal";
    case Op::equal:
        return "equal";
    case Op::not_equal:
        return "not_equal";
    case Op::logical_and:
        return "logical_and";
    case Op::logical_or:
        return "logical_or";
    case Op::logical_not:
        return "logical_not";
    case Op::select:
        return "select";
    default:
        break;
    }
    expects(false, "the operation has a function");
    return {};
}

} // namespace

std::string name_of(NodeId id) { return fmt::format("n{}", static_cast<std::uint32_t>(id)); }

std::string_view array_name(Input input) {
    switch (input) {
    case Input::time:
        return "time";
    case Input::state:
        return "state";
    case Input::parameter:
        return "parameter";
    case Input::covariate:
        return "covariate";
    case Input::seed:
        return "seed";
    case Input::uniform:
    case Input::normal:
        break;
    }
    expects(false, "kernels take no random numbers");
    return {};
}

std::string definition(const Node& node, std::size_t width) {
    const auto name = [&](int i) { return name_of(node.argument[i]); };
    const auto infix = [&](char sign) { return fmt::format("{} {} {}", name(0), sign, name(1)); };
    switch (node.op) {
    case Op::constant:
        return fmt::format("splat({})", literal(node.value));
    case Op::input: {
        const std::string_view array = array_name(node.input);
        return node.input == Input::parameter ? fmt::format("splat({}[{}])", array, node.index)
                                              : fmt::format("load({} + {})", array, node.index * width);
    }
    case Op::add:
        return infix('+');
    case Op::subtract:
        return infix('-');
    case Op::multiply:
        return infix('*');
    case Op::divide:
        return infix('/');
    case Op::negate:
        return fmt::format("-{}", name(0));
    default:
        break;
    }
    switch (arity(node.op)) {
    case 1:
        return fmt::format("{}({})", function_name(node.op), name(0));
    case 2:
        return fmt::format("{}({}, {})", function_name(node.op), name(0), name(1));
    default:
        return fmt::format("{}({}, {}, {})", function_name(node.op), name(0), name(1), name(2));
    }
}

} // namespace rondo::expression
