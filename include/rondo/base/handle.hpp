#pragma once

#include <utility>

namespace rondo {

/// Owns one C handle and closes it exactly once. Move-only.
///
/// `Traits` gives `type`, `static type null() noexcept` and `static void close(type) noexcept`.
template <class Traits>
class UniqueHandle {
public:
    using type = typename Traits::type;

    UniqueHandle() noexcept = default;
    explicit UniqueHandle(type handle) noexcept : handle_{handle} {}
    UniqueHandle(UniqueHandle&& other) noexcept : handle_{other.release()} {}
    UniqueHandle& operator=(UniqueHandle other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~UniqueHandle() {
        if (*this) {
            Traits::close(handle_);
        }
    }

    type get() const noexcept { return handle_; }
    type release() noexcept { return std::exchange(handle_, Traits::null()); }
    explicit operator bool() const noexcept { return handle_ != Traits::null(); }

private:
    type handle_ = Traits::null();
};

} // namespace rondo
