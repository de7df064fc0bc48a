#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace rondo::solve {

/// Memory that begins with a cache line, so that no vector of eight lanes lies across two.
template <class T>
struct LineAllocator {
    using value_type = T;
    static constexpr std::align_val_t line{64};

    LineAllocator() = default;
    template <class Other>
    LineAllocator(const LineAllocator<Other>& /*other*/) noexcept {} // NOLINT: allocators convert

    [[nodiscard]] T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
    void deallocate(T* p, std::size_t /*n*/) noexcept { ::operator delete(p, line); }
    friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
};

/// Numbers of lanes.
using LaneArray = std::vector<double, LineAllocator<double>>;

} // namespace rondo::solve
