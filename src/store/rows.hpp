#pragma once

#include "values.hpp"

namespace rondo::store {

/// Number of values in one row: the product of all lengths but the first.
[[nodiscard]] std::size_t row_size(const Shape& shape);

/// A range of a dataset's rows as a source of values (the whole of a dataset without axes). The handles and `where`
/// must outlive it.
[[nodiscard]] Source rows_of(hid_t dataset, hid_t type, const Shape& shape, Rows rows, const h5::Where& where);

/// All values of an attribute. The handles and `where` must outlive it.
[[nodiscard]] Source values_of(hid_t attribute, hid_t type, std::size_t count, const h5::Where& where);

} // namespace rondo::store
