#pragma once

#include <rondo/expression/graph.hpp>

#include <cmath>

namespace rondo::expression {

/// The value of one operation: the one definition of what each Op means. Constant folding and the interpreter use it,
/// compiled kernels follow it. Unused arguments are ignored.
///
/// Truth is "not zero" (so NaN is true); min and max give the first argument at a tie; sign(NaN) is NaN.
[[nodiscard]] inline double apply(Op op, double a, double b = 0, double c = 0) {
    const auto truth = [](bool holds) { return holds ? 1.0 : 0.0; };
    switch (op) {
    case Op::constant:
    case Op::input:
        break;
    case Op::add:
        return a + b;
    case Op::subtract:
        return a - b;
    case Op::multiply:
        return a * b;
    case Op::divide:
        return a / b;
    case Op::negate:
        return -a;
    case Op::power:
        return std::pow(a, b);
    case Op::minimum:
        return b < a ? b : a;
    case Op::maximum:
        return a < b ? b : a;
    case Op::absolute:
        return std::fabs(a);
    case Op::sign:
        return a > 0 ? 1.0 : (a < 0 ? -1.0 : a);
    case Op::square_root:
        return std::sqrt(a);
    case Op::exp:
        return std::exp(a);
    case Op::log:
        return std::log(a);
    case Op::log10:
        return std::log10(a);
    case Op::sin:
        return std::sin(a);
    case Op::cos:
        return std::cos(a);
    case Op::tan:
        return std::tan(a);
    case Op::asin:
        return std::asin(a);
    case Op::acos:
        return std::acos(a);
    case Op::atan:
        return std::atan(a);
    case Op::sinh:
        return std::sinh(a);
    case Op::cosh:
        return std::cosh(a);
    case Op::tanh:
        return std::tanh(a);
    case Op::expm1:
        return std::expm1(a);
    case Op::log1p:
        return std::log1p(a);
    case Op::floor:
        return std::floor(a);
    case Op::ceil:
        return std::ceil(a);
    case Op::less:
        return truth(a < b);
    case Op::less_equal:
        return truth(a <= b);
    case Op::equal:
        return truth(a == b);
    case Op::not_equal:
        return truth(a != b);
    case Op::logical_and:
        return truth(a != 0 && b != 0);
    case Op::logical_or:
        return truth(a != 0 || b != 0);
    case Op::logical_not:
        return truth(a == 0);
    case Op::select:
        return a != 0 ? b : c;
    }
    return a;
}

} // namespace rondo::expression
