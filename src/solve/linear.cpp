#include "linear.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace rondo::solve {
namespace {

/// Forward and back substitution of one column; `n` may be a compile-time constant.
[[gnu::always_inline]] inline void substitute(std::size_t n, const double* lu, const double* inverse_diagonal,
                                              const std::uint32_t* pivots, double* x) noexcept {
    for (std::size_t k = 0; k < n; ++k) {
        std::swap(x[k], x[pivots[k]]);
    }
    for (std::size_t k = 0; k + 1 < n; ++k) {
        const double value = x[k];
        for (std::size_t i = k + 1; i < n; ++i) {
            x[i] -= lu[k * n + i] * value;
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        const double value = x[k] * inverse_diagonal[k];
        x[k] = value;
        for (std::size_t i = 0; i < k; ++i) {
            x[i] -= lu[k * n + i] * value;
        }
    }
}

/// The same with the factors copied to where the compiler can keep them in registers, for all columns.
template <std::size_t n>
void substitute_small(const double* lu, const double* inverse_diagonal, const std::uint32_t* pivots, double* x,
                      std::size_t columns) noexcept {
    std::array<double, n * n> factors;
    std::array<double, n> inverse;
    std::array<std::uint32_t, n> order;
    for (std::size_t i = 0; i < n * n; ++i) {
        factors[i] = lu[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
        inverse[i] = inverse_diagonal[i];
        order[i] = pivots[i];
    }
    for (std::size_t c = 0; c < columns; ++c) {
        substitute(n, factors.data(), inverse.data(), order.data(), x + c * n);
    }
}

/// Columns that are solved side by side.
constexpr std::size_t n_lanes = 8;

/// Eight columns at once, row by row next to each other: on each the operations of `substitute` in the same order, but
/// an entry is finished before the next one is begun.
/// @param by_rows  [n * n] the factors by rows
void substitute_lanes(std::size_t n, const double* by_rows, const double* inverse_diagonal, const std::uint32_t* pivots,
                      double* x, double* rows) noexcept {
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
            rows[i * n_lanes + lane] = x[lane * n + i];
        }
    }
    for (std::size_t k = 0; k < n; ++k) {
        if (pivots[k] != k) {
            std::swap_ranges(rows + k * n_lanes, rows + (k + 1) * n_lanes, rows + pivots[k] * n_lanes);
        }
    }
    const auto subtract = [=](std::array<double, n_lanes>& entry, std::size_t i, std::size_t k) {
        const double factor = by_rows[i * n + k];
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
            entry[lane] -= factor * rows[k * n_lanes + lane];
        }
    };
    std::array<double, n_lanes> entry;
    for (std::size_t i = 1; i < n; ++i) {
        std::copy_n(rows + i * n_lanes, n_lanes, entry.begin());
        for (std::size_t k = 0; k < i; ++k) {
            subtract(entry, i, k);
        }
        std::copy_n(entry.begin(), n_lanes, rows + i * n_lanes);
    }
    for (std::size_t i = n; i-- > 0;) {
        std::copy_n(rows + i * n_lanes, n_lanes, entry.begin());
        for (std::size_t k = n; --k > i;) {
            subtract(entry, i, k);
        }
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
            rows[i * n_lanes + lane] = entry[lane] * inverse_diagonal[i];
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
            x[lane * n + i] = rows[i * n_lanes + lane];
        }
    }
}

} // namespace

BlockMatrix::BlockMatrix(std::size_t rows)
    : rows_{rows}, entries_(rows * rows), inverse_diagonal_(rows), pivots_(rows), by_rows_(rows * rows),
      lanes_(rows * n_lanes) {}

bool BlockMatrix::factorise() noexcept {
    const std::size_t n = rows_;
    double* const a = entries_.data();
    for (std::size_t k = 0; k < n; ++k) {
        double* const column = a + k * n;
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i) {
            if (std::fabs(column[i]) > std::fabs(column[pivot])) {
                pivot = i;
            }
        }
        pivots_[k] = static_cast<std::uint32_t>(pivot);
        if (pivot != k) {
            for (std::size_t j = 0; j < n; ++j) {
                std::swap(a[j * n + k], a[j * n + pivot]);
            }
        }
        const double inverse = 1.0 / column[k];
        if (column[k] == 0.0 || !std::isfinite(inverse) || inverse == 0.0) {
            return false;
        }
        inverse_diagonal_[k] = inverse;
        for (std::size_t i = k + 1; i < n; ++i) {
            column[i] *= inverse;
        }
        for (std::size_t j = k + 1; j < n; ++j) {
            double* const other = a + j * n;
            const double factor = other[k];
            if (factor != 0.0) {
                for (std::size_t i = k + 1; i < n; ++i) {
                    other[i] -= column[i] * factor;
                }
            }
        }
    }
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < n; ++i) {
            by_rows_[i * n + j] = a[j * n + i];
        }
    }
    return true;
}

void BlockMatrix::solve(double* x, std::size_t columns) noexcept {
    const double* const lu = entries_.data();
    const double* const inverse = inverse_diagonal_.data();
    const std::uint32_t* const order = pivots_.data();
    switch (rows_) {
    case 1:
        substitute_small<1>(lu, inverse, order, x, columns);
        break;
    case 2:
        substitute_small<2>(lu, inverse, order, x, columns);
        break;
    case 3:
        substitute_small<3>(lu, inverse, order, x, columns);
        break;
    case 4:
        substitute_small<4>(lu, inverse, order, x, columns);
        break;
    default:
        for (; columns >= n_lanes; columns -= n_lanes) {
            substitute_lanes(rows_, by_rows_.data(), inverse, order, x, lanes_.data());
            x += n_lanes * rows_;
        }
        for (; columns > 0; --columns) {
            substitute(rows_, lu, inverse, order, x);
            x += rows_;
        }
    }
}

} // namespace rondo::solve
