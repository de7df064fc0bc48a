#pragma once

#include <rondo/expression/graph.hpp>

#include <cstddef>

namespace rondo::expression {

/// The width: W where the compiler is to know it, `width` where W is 0.
template <int W>
constexpr std::size_t n_lanes(std::size_t width) {
    return W == 0 ? width : static_cast<std::size_t>(W);
}

/// Calls `f` for the lanes 0 .. width - 1.
template <int W, class F>
inline void each_lane(std::size_t width, F&& f) {
    for (std::size_t lane = 0; lane < n_lanes<W>(width); ++lane) {
        f(lane);
    }
}

template <int W>
inline void copy_lanes(std::size_t width, double* __restrict to, const double* from) {
    each_lane<W>(width, [&](std::size_t l) { to[l] = from[l]; });
}

/// r = op(a, b, c) in every lane.
using LaneFunction = void (*)(std::size_t width, double* r, const double* a, const double* b, const double* c);

/// The function that does one operation of the graph on `width` lanes; `r` is none of the arguments.
[[nodiscard]] LaneFunction lane_function(Op op, int width);

} // namespace rondo::expression
