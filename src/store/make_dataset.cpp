#include "make_dataset.hpp"

#include <rondo/base/contract.hpp>
#include <rondo/base/text.hpp>

#include <algorithm>

namespace rondo::store {
namespace {

/// Chunks of about 1 MiB: whole rows where they fit.
Shape chunk_of(const Shape& shape) {
    constexpr std::size_t n_wanted = std::size_t{1} << 17U;
    Shape chunk(shape.size(), 1);
    std::size_t n = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        chunk[axis] = std::min(shape[axis], std::max<std::size_t>(1, n_wanted / n));
        n *= chunk[axis];
    }
    return chunk;
}

/// The part of a path up to and with its last slash.
std::string_view group_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

void attach_scales(hid_t file, hid_t dataset, const Shape& shape, const std::vector<std::string>& scales,
                   const h5::Where& where) {
    for (std::size_t axis = 0; axis < scales.size(); ++axis) {
        if (scales[axis].empty()) {
            continue;
        }
        expects(where.object.starts_with(group_of(scales[axis])),
                "a dimension scale lies in its user's group or one above");
        const h5::Where of_scale{where.file, scales[axis], true};
        const h5::Object scale = h5::open_object(file, scales[axis], of_scale);
        const Shape length = h5::shape_of(h5::dataset_space(scale.get(), of_scale).get(), of_scale);
        expects(length == Shape{shape[axis]}, "a dimension scale is as long as its axis");
        if (!h5::is_scale(scale.get(), of_scale)) {
            h5::set_scale(scale.get(), scales[axis].substr(scales[axis].rfind('/') + 1), of_scale);
        }
        h5::attach_scale(dataset, scale.get(), static_cast<unsigned>(axis), where);
    }
}

} // namespace

bool is_object_path(std::string_view path) {
    return path.size() > 1 && path.front() == '/' && path.back() != '/' && path.find("//") == path.npos &&
           path.find('\0') == path.npos && is_utf8(path);
}

void make_parents(hid_t file, std::string_view path, const h5::Where& where) {
    for (std::size_t end = path.find('/', 1); end != path.npos; end = path.find('/', end + 1)) {
        const std::string group{path.substr(0, end)};
        if (!h5::link_exists(file, group, where)) {
            static_cast<void>(h5::create_group(file, group, where));
        }
    }
}

h5::Object make_dataset(hid_t file, ElementType type, const Shape& shape, const std::vector<std::string>& scales,
                        Compression compression, const h5::Where& where) {
    expects(is_object_path(where.object), "a dataset has an absolute path");
    expects(scales.empty() || scales.size() == shape.size(), "there is a scale, or an empty name, for each axis");
    const bool is_empty = std::ranges::find(shape, std::size_t{0}) != shape.end();
    const bool is_chunked =
        compression == Compression::deflate && type != ElementType::text && !shape.empty() && !is_empty;
    make_parents(file, where.object, where);
    const h5::Space space = h5::make_space(shape, where);
    const h5::Type stored = file_type(type, where);
    h5::Object dataset = h5::create_dataset(file, std::string{where.object}, stored.get(), space.get(),
                                            is_chunked ? chunk_of(shape) : Shape{}, where);
    attach_scales(file, dataset.get(), shape, scales, where);
    return dataset;
}

} // namespace rondo::store
