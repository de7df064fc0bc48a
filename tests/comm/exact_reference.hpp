#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace rondo::comm {

/// The sum rounded once to the nearest double, by Shewchuk's expansions: an exact sum kept as doubles that do not
/// overlap.
/// Source  Shewchuk, "Adaptive precision floating-point arithmetic", 1997; the rounding at the end is that of Python's
///         fsum.
inline double exact_reference(std::span<const double> values) {
    std::vector<double> parts; // of increasing magnitude
    for (double x : values) {
        std::size_t kept = 0;
        for (double y : parts) {
            if (std::fabs(x) < std::fabs(y)) {
                std::swap(x, y);
            }
            const double high = x + y;
            const double low = y - (high - x);
            if (low != 0.0) {
                parts[kept++] = low;
            }
            x = high;
        }
        parts.resize(kept);
        parts.push_back(x);
    }
    if (parts.empty()) {
        return 0.0;
    }
    double sum = parts.back(), low = 0.0;
    parts.pop_back();
    while (!parts.empty()) {
        const double x = sum, y = parts.back();
        parts.pop_back();
        sum = x + y;
        low = y - (sum - x);
        if (low != 0.0) {
            break;
        }
    }
    const bool same_side = !parts.empty() && ((low < 0.0 && parts.back() < 0.0) || (low > 0.0 && parts.back() > 0.0));
    if (same_side) { // exactly half way so far, and the rest decides
        const double doubled = 2.0 * low, other = sum + doubled;
        if (doubled == other - sum) {
            sum = other;
        }
    }
    return sum;
}

} // namespace rondo::comm
