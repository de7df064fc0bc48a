#pragma once

#include "h5.hpp"

namespace rondo::store {

/// Classes of stored types as far as rondo tells them apart.
enum class StoredClass { floating, integer, fixed_text, variable_text, other };

/// A type as found in a file.
struct StoredType {
    StoredClass kind = StoredClass::other;
    std::size_t size = 0;     ///< bytes of one element; of the reference for text of variable length
    bool is_unsigned = false; ///< of integers
    std::string text;         ///< float64, int32, uint8, text, compound, ...
};

[[nodiscard]] StoredType describe_type(hid_t type, const h5::Where& where);

/// The type that rondo stores: little-endian numbers, UTF-8 text of variable length.
[[nodiscard]] h5::Type file_type(ElementType type, const h5::Where& where);

/// Text in memory as `char*`, of the character set that the stored type has.
[[nodiscard]] h5::Type text_memory_type(hid_t stored, const h5::Where& where);

/// The same numbers in little-endian order.
[[nodiscard]] h5::Type little_endian(hid_t stored, const h5::Where& where);

/// Product of the lengths; StoreError where it or its bytes would not fit into `max_bytes`.
[[nodiscard]] std::size_t count_within(const Shape& shape, std::size_t element_size, std::size_t max_bytes,
                                       const h5::Where& where);

} // namespace rondo::store
