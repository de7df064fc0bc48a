#pragma once

#include "types.hpp"

namespace rondo::store {

/// A path that names an object: `/a`, `/a/b`, ...
[[nodiscard]] bool is_object_path(std::string_view path);

/// Create the groups that lead to an object.
void make_parents(hid_t file, std::string_view path, const h5::Where& where);

/// Create the dataset `where.object`, see FileWriter, with the groups on its way, its chunks and its dimension scales.
h5::Object make_dataset(hid_t file, ElementType type, const Shape& shape, const std::vector<std::string>& scales,
                        Compression compression, const h5::Where& where);

} // namespace rondo::store
