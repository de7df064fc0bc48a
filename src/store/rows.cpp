#include "rows.hpp"

#include <functional>
#include <numeric>

namespace rondo::store {

std::size_t row_size(const Shape& shape) {
    return shape.empty() ? 1 : std::accumulate(shape.begin() + 1, shape.end(), std::size_t{1}, std::multiplies<>{});
}

Source rows_of(hid_t dataset, hid_t type, const Shape& shape, Rows rows, const h5::Where& where) {
    if (shape.empty()) {
        return {type, 1, [dataset, &where](hid_t memory_type, hid_t transfer, void* values) {
                    h5::read_dataset(dataset, memory_type, H5S_ALL, H5S_ALL, transfer, values, where);
                }};
    }
    Shape selected = shape;
    selected.front() = rows.count;
    return {type, rows.count * row_size(shape),
            [dataset, rows, selected, &where](hid_t memory_type, hid_t transfer, void* values) {
                const h5::Space memory = h5::make_space(selected, where);
                const h5::Space stored = h5::dataset_space(dataset, where);
                h5::select_rows(stored.get(), rows.first, rows.count, where);
                h5::read_dataset(dataset, memory_type, memory.get(), stored.get(), transfer, values, where);
            }};
}

Source values_of(hid_t attribute, hid_t type, std::size_t count, const h5::Where& where) {
    return {type, count, [attribute, &where](hid_t memory_type, hid_t, void* values) {
                h5::read_attribute(attribute, memory_type, values, where);
            }};
}

} // namespace rondo::store
