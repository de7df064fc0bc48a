#include "lanes.hpp"

#include "apply.hpp"

#include <array>
#include <utility>

namespace rondo::expression {
namespace {

/// Flattened: `apply` must become the one operation, not a switch in every lane.
template <Op op, int W>
[[gnu::flatten]] void apply_lanes(std::size_t width, double* __restrict r, const double* a, const double* b,
                                  const double* c) {
    each_lane<W>(width, [&](std::size_t l) { r[l] = apply(op, a[l], b[l], c[l]); });
}

template <int W, std::size_t... op>
LaneFunction lane_function(Op wanted, std::index_sequence<op...> /*all*/) {
    constexpr std::array<LaneFunction, sizeof...(op)> table{apply_lanes<static_cast<Op>(op), W>...};
    return table[static_cast<std::size_t>(wanted)];
}

template <int W>
LaneFunction lane_function(Op op) {
    return lane_function<W>(op, std::make_index_sequence<static_cast<std::size_t>(Op::select) + 1>{});
}

} // namespace

LaneFunction lane_function(Op op, int width) {
    switch (width) {
    case 1:
        return lane_function<1>(op);
    case 4:
        return lane_function<4>(op);
    case 8:
        return lane_function<8>(op);
    default:
        return lane_function<0>(op);
    }
}

} // namespace rondo::expression
