#pragma once

#include "types.hpp"

#include <functional>

namespace rondo::store {

/// Where stored values come from: rows of a dataset, or an attribute.
struct Source {
    hid_t type = H5I_INVALID_HID; ///< as stored
    std::size_t count = 0;        ///< number of values
    std::function<void(hid_t memory_type, hid_t transfer, void* values)> read;
};

/// The values as T, with the conversions that FileReader promises.
/// @throws StoreError  the stored type does not convert, a value does not fit, or text exceeds `max_bytes` or is not
/// UTF-8
template <Element T>
[[nodiscard]] std::vector<T> read_values(const Source& source, std::size_t max_bytes, const h5::Where& where);

/// The element type that stands for T in a file.
template <Element T>
[[nodiscard]] constexpr ElementType element_type() {
    if constexpr (std::same_as<T, double>) {
        return ElementType::float64;
    } else if constexpr (std::same_as<T, std::int64_t>) {
        return ElementType::int64;
    } else if constexpr (std::same_as<T, std::int32_t>) {
        return ElementType::int32;
    } else {
        return ElementType::text;
    }
}

/// Hand values in the form that HDF5 takes, with their type in memory, to `write`.
/// @throws StoreError  a text is not UTF-8 or holds a NUL byte
template <Element T>
void write_values(std::span<const T> values, const h5::Where& where,
                  const std::function<void(hid_t memory_type, const void* values)>& write);

} // namespace rondo::store
