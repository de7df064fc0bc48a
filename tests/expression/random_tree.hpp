#pragma once

#include <rondo/base/random.hpp>
#include <rondo/expression/graph.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace rondo::expression {

/// `n_outputs` random expressions that use every operation inside its domain and stay of moderate size; each of the
/// `n_operations` takes earlier results, so terms are shared.
inline std::vector<NodeId> random_expressions(Graph& graph, std::uint64_t seed, std::span<const NodeId> inputs,
                                              std::size_t n_outputs, std::size_t n_operations) {
    std::uint32_t n_drawn = 0;
    const RandomKey key{seed, RandomPurpose::noise};
    const auto draw = [&](std::size_t n) {
        return static_cast<std::size_t>(random_uniform(key, 0, n_drawn++) * static_cast<double>(n));
    };
    std::vector<NodeId> pool(inputs.begin(), inputs.end());
    const auto any = [&] { return pool[draw(pool.size())]; };
    const auto number = [&](double low, double high) {
        return graph.constant(low + (high - low) * random_uniform(key, 1, n_drawn++));
    };
    const auto bounded = [&] { return graph.unary(Op::tanh, any()); };                            // in (-1, 1)
    const auto positive = [&] { return graph.add(number(1.2, 3), graph.unary(Op::sin, any())); }; // in (0.2, 4)
    constexpr Op free[] = {Op::sin,    Op::cos,  Op::atan,  Op::tanh, Op::absolute,
                           Op::negate, Op::sign, Op::floor, Op::ceil};
    constexpr Op narrow[] = {Op::exp, Op::sinh, Op::cosh, Op::tan, Op::expm1};
    constexpr Op above_zero[] = {Op::log, Op::log10, Op::square_root, Op::log1p};
    constexpr Op pairs[] = {Op::add, Op::subtract, Op::multiply, Op::minimum, Op::maximum};
    constexpr Op tests[] = {Op::less, Op::less_equal, Op::equal, Op::not_equal};
    for (std::size_t k = 0; k < n_operations; ++k) {
        switch (draw(12)) {
        case 0:
            pool.push_back(graph.unary(free[draw(9)], any()));
            break;
        case 1:
            pool.push_back(graph.unary(narrow[draw(5)], bounded()));
            break;
        case 2:
            pool.push_back(graph.unary(above_zero[draw(4)], positive()));
            break;
        case 3:
            pool.push_back(
                graph.unary(draw(2) == 0 ? Op::asin : Op::acos, graph.multiply(number(0.5, 0.9), bounded())));
            break;
        case 4:
            pool.push_back(graph.divide(any(), positive()));
            break;
        case 5:
            pool.push_back(graph.binary(Op::power, positive(), bounded()));
            break;
        case 6:
            pool.push_back(graph.binary(Op::power, bounded(), graph.constant(static_cast<double>(1 + draw(4)))));
            break;
        case 7:
            pool.push_back(graph.multiply(number(-2, 2), any()));
            break;
        case 8: {
            const NodeId condition = graph.binary(tests[draw(4)], any(), any());
            const NodeId other = graph.binary(Op::less, any(), number(-1, 1));
            pool.push_back(graph.select(graph.binary(draw(2) == 0 ? Op::logical_and : Op::logical_or, condition, other),
                                        any(), any()));
            break;
        }
        default:
            pool.push_back(graph.binary(pairs[draw(5)], bounded(), any()));
            break;
        }
    }
    return {pool.end() - static_cast<std::ptrdiff_t>(n_outputs), pool.end()};
}

} // namespace rondo::expression
