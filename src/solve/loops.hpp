#pragma once

#include <cstddef>

// The iterations of the next loop do not depend on each other (an output may be one of the inputs, entry for entry).
#if defined(__clang__)
#define RONDO_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define RONDO_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace rondo::solve {

/// Call f(i) for i in 0 .. padded_size - 1, eight at a time: no remainder loop. `padded_size` is a multiple of 8.
template <class F>
[[gnu::always_inline]] inline void for_each_entry(std::size_t padded_size, F&& f) {
    RONDO_INDEPENDENT
    for (std::size_t i = 0; i < padded_size; i += 8) {
        for (std::size_t j = 0; j < 8; ++j) {
            f(i + j);
        }
    }
}

} // namespace rondo::solve
