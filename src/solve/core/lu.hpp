#pragma once

#include "lanes.hpp"

namespace rondo::solve::RONDO_ISA {

/// Eight small dense matrices, one a lane, factorised and solved side by side. Rows are exchanged only where the
/// diagonal entry is less than a tenth of the largest candidate (threshold pivoting: a lane that needs no exchange is
/// not touched by one in another).
///
/// Shapes  entry (i, j) of lane l at a[(j * n + i) * W + l]; the factors overwrite it, with inverted diagonal.
struct LaneMatrix {
    std::size_t n = 0;
    double* a = nullptr;            ///< [n * n * W]
    double* pivot = nullptr;        ///< [n * W] the row that row k was exchanged with, as a number
    unsigned char* moves = nullptr; ///< [n] whether any lane exchanged row k
};

RONDO_ALWAYS_INLINE void exchange(double* first, double* second, Mask m) {
    const V a = load(first), b = load(second);
    store(first, choose(m, b, a));
    store(second, choose(m, a, b));
}

/// A singular matrix leaves infinities or NaN in its lane.
template <std::size_t fixed>
RONDO_ALWAYS_INLINE void factorise(const LaneMatrix& matrix) {
    const std::size_t n = fixed == 0 ? matrix.n : fixed;
    double* const a = matrix.a;
    for (std::size_t k = 0; k < n; ++k) {
        double* const column = a + k * n * W;
        const V diagonal = absolute(load(column + k * W));
        V largest = diagonal;
        V row = splat(static_cast<double>(k));
        for (std::size_t i = k + 1; i < n; ++i) {
            const V candidate = absolute(load(column + i * W));
            const Mask larger = candidate > largest;
            largest = choose(larger, candidate, largest);
            row = choose(larger, splat(static_cast<double>(i)), row);
        }
        row = choose(diagonal < 0.1 * largest, row, splat(static_cast<double>(k)));
        store(matrix.pivot + k * W, row);
        matrix.moves[k] = bits(row != splat(static_cast<double>(k))) != 0 ? 1 : 0;
        for (std::size_t i = k + 1; matrix.moves[k] != 0 && i < n; ++i) {
            const Mask here = row == splat(static_cast<double>(i));
            for (std::size_t j = 0; j < n; ++j) {
                exchange(a + (j * n + k) * W, a + (j * n + i) * W, here);
            }
        }
        const V inverse = 1.0 / load(column + k * W);
        store(column + k * W, inverse);
        for (std::size_t i = k + 1; i < n; ++i) {
            store(column + i * W, load(column + i * W) * inverse);
        }
        for (std::size_t j = k + 1; j < n; ++j) {
            double* const other = a + j * n * W;
            const V factor = load(other + k * W);
            for (std::size_t i = k + 1; i < n; ++i) {
                store(other + i * W, load(other + i * W) - load(column + i * W) * factor);
            }
        }
    }
}

/// x_c = A^-1 x_c for `count` columns side by side; column c begins at x + c * n * W.
template <std::size_t fixed, std::size_t count>
RONDO_ALWAYS_INLINE void substitute(const LaneMatrix& matrix, double* x) {
    const std::size_t n = fixed == 0 ? matrix.n : fixed;
    const std::size_t stride = n * W;
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = k + 1; matrix.moves[k] != 0 && i < n; ++i) {
            const Mask here = load(matrix.pivot + k * W) == splat(static_cast<double>(i));
            for (std::size_t c = 0; c < count; ++c) {
                exchange(x + c * stride + k * W, x + c * stride + i * W, here);
            }
        }
    }
    for (std::size_t i = 1; i < n; ++i) {
        V sum[count];
        for (std::size_t c = 0; c < count; ++c) {
            sum[c] = load(x + c * stride + i * W);
        }
        for (std::size_t k = 0; k < i; ++k) {
            const V factor = load(matrix.a + (k * n + i) * W);
            for (std::size_t c = 0; c < count; ++c) {
                sum[c] -= factor * load(x + c * stride + k * W);
            }
        }
        for (std::size_t c = 0; c < count; ++c) {
            store(x + c * stride + i * W, sum[c]);
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        V sum[count];
        for (std::size_t c = 0; c < count; ++c) {
            sum[c] = load(x + c * stride + i * W);
        }
        for (std::size_t k = i + 1; k < n; ++k) {
            const V factor = load(matrix.a + (k * n + i) * W);
            for (std::size_t c = 0; c < count; ++c) {
                sum[c] -= factor * load(x + c * stride + k * W);
            }
        }
        const V inverse = load(matrix.a + (i * n + i) * W);
        for (std::size_t c = 0; c < count; ++c) {
            store(x + c * stride + i * W, sum[c] * inverse);
        }
    }
}

/// x_c = A^-1 x_c for any number of columns.
template <std::size_t fixed>
RONDO_ALWAYS_INLINE void substitute_all(const LaneMatrix& matrix, double* x, std::size_t columns) {
    const std::size_t n = fixed == 0 ? matrix.n : fixed;
    for (; columns >= 4; columns -= 4) {
        substitute<fixed, 4>(matrix, x);
        x += 4 * n * W;
    }
    for (; columns > 0; --columns) {
        substitute<fixed, 1>(matrix, x);
        x += n * W;
    }
}

/// x = A^-T x, one column.
template <std::size_t fixed>
RONDO_ALWAYS_INLINE void substitute_transposed(const LaneMatrix& matrix, double* x) {
    const std::size_t n = fixed == 0 ? matrix.n : fixed;
    for (std::size_t i = 0; i < n; ++i) {
        V sum = load(x + i * W);
        for (std::size_t k = 0; k < i; ++k) {
            sum -= load(matrix.a + (i * n + k) * W) * load(x + k * W);
        }
        store(x + i * W, sum * load(matrix.a + (i * n + i) * W));
    }
    for (std::size_t i = n; i-- > 0;) {
        V sum = load(x + i * W);
        for (std::size_t k = i + 1; k < n; ++k) {
            sum -= load(matrix.a + (i * n + k) * W) * load(x + k * W);
        }
        store(x + i * W, sum);
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t i = n; matrix.moves[k] != 0 && --i > k;) {
            exchange(x + k * W, x + i * W, load(matrix.pivot + k * W) == splat(static_cast<double>(i)));
        }
    }
}

} // namespace rondo::solve::RONDO_ISA
