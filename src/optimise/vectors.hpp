#pragma once

#include <span>

namespace rondo::optimise {

// Additions run from the first entry to the last, so that neither the alignment of an array nor the machine's vector
// width changes a bit of what is trained.

[[nodiscard]] double dot(std::span<const double> a, std::span<const double> b);

/// Euclidean norm, free of overflow; NaN where an entry is.
[[nodiscard]] double norm(std::span<const double> a);

/// Largest magnitude; 0 for no entries, NaN where an entry is.
[[nodiscard]] double largest(std::span<const double> a);

[[nodiscard]] bool is_finite(std::span<const double> a);

/// y += factor x.
void add_scaled(double factor, std::span<const double> x, std::span<double> y);

} // namespace rondo::optimise
