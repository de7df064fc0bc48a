#pragma once

#include <rondo/expression/graph.hpp>
#include <rondo/model/abi.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rondo::model {

/// A number that writes down what is done to it: the scalar a C++ model is called with once, to become a graph.
///
/// Arithmetic and the functions below work as on double. There is no conversion to bool: a branch on a value would be
/// taken once, at tracing. Write `select(x > 0, a, b)` for "a where x > 0, else b"; both are evaluated.
class Traced {
public:
    Traced(double value = 0.0); // NOLINT(google-explicit-constructor): literals in formulas

    static Traced input(expression::Input kind, std::size_t index);
    static Traced apply(expression::Op op, const Traced& a);
    static Traced apply(expression::Op op, const Traced& a, const Traced& b);
    static Traced apply(expression::Op op, const Traced& a, const Traced& b, const Traced& c);
    [[nodiscard]] std::uint32_t position() const { return position_; }

    Traced& operator+=(const Traced& b);
    Traced& operator-=(const Traced& b);
    Traced& operator*=(const Traced& b);
    Traced& operator/=(const Traced& b);

private:
    struct AtPosition {};
    Traced(AtPosition, std::uint32_t position) : position_{position} {}
    std::uint32_t position_ = 0;
};

/// The nodes traced so far by this thread.
inline std::vector<abi::TracedNode>& trace() {
    thread_local std::vector<abi::TracedNode> nodes;
    return nodes;
}

namespace detail {
inline std::uint32_t record(expression::Op op, expression::Input input, std::uint32_t index, const std::uint32_t (&argument)[3],
                            double value) {
    trace().push_back({static_cast<std::uint8_t>(op), static_cast<std::uint8_t>(input), index,
                       {argument[0], argument[1], argument[2]}, value});
    return static_cast<std::uint32_t>(trace().size() - 1);
}
} // namespace detail

inline Traced::Traced(double value)
    : position_{detail::record(expression::Op::constant, expression::Input::time, 0, {0, 0, 0}, value)} {}

inline Traced Traced::input(expression::Input kind, std::size_t index) {
    return {AtPosition{}, detail::record(expression::Op::input, kind, static_cast<std::uint32_t>(index), {0, 0, 0}, 0.0)};
}
inline Traced Traced::apply(expression::Op op, const Traced& a) {
    return {AtPosition{}, detail::record(op, expression::Input::time, 0, {a.position_, 0, 0}, 0.0)};
}
inline Traced Traced::apply(expression::Op op, const Traced& a, const Traced& b) {
    return {AtPosition{}, detail::record(op, expression::Input::time, 0, {a.position_, b.position_, 0}, 0.0)};
}
inline Traced Traced::apply(expression::Op op, const Traced& a, const Traced& b, const Traced& c) {
    return {AtPosition{}, detail::record(op, expression::Input::time, 0, {a.position_, b.position_, c.position_}, 0.0)};
}

/// The truth of a comparison of traced numbers; combine with && || ! and use in `select`.
class TracedCondition {
public:
    explicit TracedCondition(const Traced& value) : value_{value} {}
    [[nodiscard]] const Traced& value() const { return value_; }

private:
    Traced value_;
};

using expression::Op;

inline Traced operator+(const Traced& a, const Traced& b) { return Traced::apply(Op::add, a, b); }
inline Traced operator-(const Traced& a, const Traced& b) { return Traced::apply(Op::subtract, a, b); }
inline Traced operator*(const Traced& a, const Traced& b) { return Traced::apply(Op::multiply, a, b); }
inline Traced operator/(const Traced& a, const Traced& b) { return Traced::apply(Op::divide, a, b); }
inline Traced operator-(const Traced& a) { return Traced::apply(Op::negate, a); }
inline Traced operator+(const Traced& a) { return a; }
inline Traced& Traced::operator+=(const Traced& b) { return *this = *this + b; }
inline Traced& Traced::operator-=(const Traced& b) { return *this = *this - b; }
inline Traced& Traced::operator*=(const Traced& b) { return *this = *this * b; }
inline Traced& Traced::operator/=(const Traced& b) { return *this = *this / b; }

inline TracedCondition operator<(const Traced& a, const Traced& b) { return TracedCondition{Traced::apply(Op::less, a, b)}; }
inline TracedCondition operator<=(const Traced& a, const Traced& b) { return TracedCondition{Traced::apply(Op::less_equal, a, b)}; }
inline TracedCondition operator>(const Traced& a, const Traced& b) { return b < a; }
inline TracedCondition operator>=(const Traced& a, const Traced& b) { return b <= a; }
inline TracedCondition operator==(const Traced& a, const Traced& b) { return TracedCondition{Traced::apply(Op::equal, a, b)}; }
inline TracedCondition operator!=(const Traced& a, const Traced& b) { return TracedCondition{Traced::apply(Op::not_equal, a, b)}; }
inline TracedCondition operator&&(const TracedCondition& a, const TracedCondition& b) {
    return TracedCondition{Traced::apply(Op::logical_and, a.value(), b.value())};
}
inline TracedCondition operator||(const TracedCondition& a, const TracedCondition& b) {
    return TracedCondition{Traced::apply(Op::logical_or, a.value(), b.value())};
}
inline TracedCondition operator!(const TracedCondition& a) { return TracedCondition{Traced::apply(Op::logical_not, a.value())}; }

/// `then` where the condition holds, else `otherwise`.
inline Traced select(const TracedCondition& condition, const Traced& then, const Traced& otherwise) {
    return Traced::apply(Op::select, condition.value(), then, otherwise);
}
template <class Number>
inline Number select(bool condition, const Number& then, const Number& otherwise) {
    return condition ? then : otherwise;
}

inline Traced exp(const Traced& a) { return Traced::apply(Op::exp, a); }
inline Traced expm1(const Traced& a) { return Traced::apply(Op::expm1, a); }
inline Traced log(const Traced& a) { return Traced::apply(Op::log, a); }
inline Traced log1p(const Traced& a) { return Traced::apply(Op::log1p, a); }
inline Traced log10(const Traced& a) { return Traced::apply(Op::log10, a); }
inline Traced sqrt(const Traced& a) { return Traced::apply(Op::square_root, a); }
inline Traced sin(const Traced& a) { return Traced::apply(Op::sin, a); }
inline Traced cos(const Traced& a) { return Traced::apply(Op::cos, a); }
inline Traced tan(const Traced& a) { return Traced::apply(Op::tan, a); }
inline Traced asin(const Traced& a) { return Traced::apply(Op::asin, a); }
inline Traced acos(const Traced& a) { return Traced::apply(Op::acos, a); }
inline Traced atan(const Traced& a) { return Traced::apply(Op::atan, a); }
inline Traced sinh(const Traced& a) { return Traced::apply(Op::sinh, a); }
inline Traced cosh(const Traced& a) { return Traced::apply(Op::cosh, a); }
inline Traced tanh(const Traced& a) { return Traced::apply(Op::tanh, a); }
inline Traced abs(const Traced& a) { return Traced::apply(Op::absolute, a); }
inline Traced fabs(const Traced& a) { return abs(a); }
inline Traced floor(const Traced& a) { return Traced::apply(Op::floor, a); }
inline Traced ceil(const Traced& a) { return Traced::apply(Op::ceil, a); }
inline Traced pow(const Traced& a, const Traced& b) { return Traced::apply(Op::power, a, b); }
inline Traced min(const Traced& a, const Traced& b) { return Traced::apply(Op::minimum, a, b); }
inline Traced max(const Traced& a, const Traced& b) { return Traced::apply(Op::maximum, a, b); }
inline Traced fmin(const Traced& a, const Traced& b) { return min(a, b); }
inline Traced fmax(const Traced& a, const Traced& b) { return max(a, b); }

} // namespace rondo::model
