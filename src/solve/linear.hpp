#pragma once

#include "vector.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rondo::solve {

/// A small dense matrix, factorised once and applied to many right-hand sides: what Newton's method needs in a system
/// whose Jacobian is the same n x n block for every column.
class BlockMatrix {
public:
    explicit BlockMatrix(std::size_t rows);

    /// [n * n] column-major: entry (i, j) at [j * n + i]. The matrix to factorise; the factors afterwards.
    [[nodiscard]] double* data() { return entries_.data(); }
    [[nodiscard]] std::size_t rows() const { return rows_; }

    /// Overwrite the matrix by its LU factors, rows exchanged so that the largest candidate is the pivot.
    /// @return false where a pivot is zero or not finite: the matrix cannot be used
    [[nodiscard]] bool factorise() noexcept;

    /// Solve for `columns` right-hand sides x [n * columns], in place. A column's result does not depend on the others.
    void solve(double* x, std::size_t columns) noexcept;

private:
    std::size_t rows_;
    std::vector<double> entries_;
    std::vector<double> inverse_diagonal_;
    std::vector<std::uint32_t> pivots_;
    std::vector<double> by_rows_; ///< the factors once more, by rows
    std::vector<double> lanes_;   ///< scratch
};

} // namespace rondo::solve
