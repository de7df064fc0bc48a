#pragma once

#include "evaluate.hpp"

#include <rondo/expression/graph.hpp>

#include <complex>
#include <map>
#include <numbers>
#include <utility>

namespace rondo::expression {

/// `apply` continued to complex numbers near the real axis; choices and comparisons look at the real part.
inline std::complex<double> apply(Op op, std::complex<double> a, std::complex<double> b, std::complex<double> c) {
    switch (op) {
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
        return std::exp(b * std::log(a));
    case Op::minimum:
        return b.real() < a.real() ? b : a;
    case Op::maximum:
        return a.real() < b.real() ? b : a;
    case Op::absolute:
        return a.real() < 0 ? -a : a;
    case Op::square_root:
        return std::sqrt(a);
    case Op::exp:
        return std::exp(a);
    case Op::log:
        return std::log(a);
    case Op::log10:
        return std::log(a) / std::numbers::ln10;
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
        return std::exp(a) - 1.0;
    case Op::log1p:
        return std::log(1.0 + a);
    case Op::select:
        return a.real() != 0 ? b : c;
    default:
        return apply(op, a.real(), b.real(), c.real());
    }
}

/// d output / d state[`index`] = Im f(x + ih) / h, exact to rounding: no difference is taken.
inline double complex_step(const Graph& graph, NodeId output, const Inputs& at, std::uint32_t index) {
    constexpr double h = 1e-100;
    std::map<std::pair<Input, std::uint32_t>, std::complex<double>> inputs(at.begin(), at.end());
    inputs.at({Input::state, index}) += std::complex<double>{0, h};
    return evaluate(graph, output, inputs).imag() / h;
}

} // namespace rondo::expression
