#pragma once

#include <rondo/base/handle.hpp>

#include <sundials/sundials_nvector.h>

#include <cstddef>

namespace rondo::solve {

/// Layout of a vector: `columns` columns of `rows` doubles, one after the other. For an augmented system the first
/// column holds the states, the others one sensitivity each.
struct Shape {
    std::size_t rows = 0;
    std::size_t columns = 1;
    [[nodiscard]] std::size_t size() const { return rows * columns; }
};

/// Owns an N_Vector.
struct VectorTraits {
    using type = N_Vector;
    static type null() noexcept { return nullptr; }
    static void close(type vector) noexcept { N_VDestroy(vector); }
};
using Vector = UniqueHandle<VectorTraits>;

/// A new vector of zeros with rondo's own operations: plain loops over aligned, padded memory, in place of the
/// distribution's kernels, which are compiled without optimisation.
///
/// Its weighted norm is the worst column's: max over columns c of sqrt(sum_i (x_ic w_ic)^2 / rows). So the states and
/// every sensitivity meet the tolerances by themselves. It is NaN where any product is NaN.
///
/// Tests   tests/solve/vector_test.cpp
[[nodiscard]] Vector make_vector(const Shape& shape, SUNContext context);

/// The doubles of a vector made by `make_vector` (or cloned from one). [size()], then zeros up to a multiple of 8.
[[nodiscard]] double* data_of(N_Vector vector) noexcept;
[[nodiscard]] const Shape& shape_of(N_Vector vector) noexcept;

/// Number of doubles that a vector of `size` holds with its padding.
[[nodiscard]] constexpr std::size_t padded(std::size_t size) { return (size + 7) / 8 * 8; }

/// True where no entry is NaN or infinite.
[[nodiscard]] bool all_finite(const double* values, std::size_t size) noexcept;

/// w_i = 1 / (rtol |y_i| + atol_i) for all entries, padding included.
void error_weights(double rtol, const double* y, const double* atol, double* w, std::size_t padded_size) noexcept;

/// The weighted norm described at `make_vector`.
[[nodiscard]] double worst_norm(const Shape& shape, const double* x, const double* w) noexcept;

} // namespace rondo::solve
