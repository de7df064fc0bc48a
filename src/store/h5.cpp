#include "h5.hpp"

#include <rondo/base/cast.hpp>
#include <rondo/base/error.hpp>

#include <fmt/format.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace rondo::store::h5 {
namespace {

/// Gather HDF5's descriptions of a failure, outermost first.
herr_t keep_description(unsigned, const H5E_error2_t* error, void* descriptions) noexcept {
    try {
        if (error->desc != nullptr && *error->desc != '\0') {
            static_cast<std::vector<std::string>*>(descriptions)->emplace_back(error->desc);
        }
    } catch (...) {
        return -1;
    }
    return 0;
}

std::vector<hsize_t> extents(const Shape& shape) { return {shape.begin(), shape.end()}; }

/// The names that `name_of(index, buffer, size)` gives, an HDF5 function that returns the length of a name.
template <class NameOf>
std::vector<std::string> collect_names(hsize_t count, const char* function, const Where& where, NameOf name_of) {
    std::vector<std::string> names;
    for (hsize_t index = 0; index < count; ++index) {
        const ssize_t length = checked(name_of(index, nullptr, std::size_t{0}), function, where);
        std::string name(static_cast<std::size_t>(length) + 1, '\0');
        checked(name_of(index, name.data(), name.size()), function, where);
        name.pop_back();
        names.push_back(std::move(name));
    }
    std::ranges::sort(names);
    return names;
}

} // namespace

void refuse(const Where& where, std::string_view why, std::string_view what_to_do) {
    const std::string object = where.object.empty() ? std::string{} : fmt::format(" \"{}\":", where.object);
    throw StoreError{fmt::format("{}:{} {}; {}", where.file.string(), object, why, what_to_do)};
}

void call_failed(const Where& where, const char* function) {
    std::vector<std::string> descriptions;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_description, &descriptions);
    H5Eclear2(H5E_DEFAULT);
    const std::string reason = fmt::format("{} failed ({})", function, fmt::join(descriptions, ": "));
    if (where.writing) {
        refuse(where, fmt::format("cannot be written: {}", reason), "check the disk, or write to another directory");
    }
    refuse(where, fmt::format("cannot be read: {}", reason), "the file is damaged or incomplete: use another copy");
}

void prepare_library() {
    static std::once_flag once;
    std::call_once(once, [] {
        ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
        H5open();
    });
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

File create_file(const std::filesystem::path& name, hid_t access, const Where& where) {
    const Properties creation = make_properties(H5P_FILE_CREATE, where);
    checked(H5Pset_obj_track_times(creation.get(), false), "H5Pset_obj_track_times", where);
    return File{checked(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation.get(), access), "H5Fcreate", where)};
}

File open_file(const std::filesystem::path& name, const Where& where) {
    return File{checked(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), "H5Fopen", where)};
}

void flush(hid_t file, const Where& where) { checked(H5Fflush(file, H5F_SCOPE_LOCAL), "H5Fflush", where); }

void close(File file, const Where& where) { checked(H5Fclose(file.release()), "H5Fclose", where); }

Properties make_properties(hid_t properties_class, const Where& where) {
    return Properties{checked(H5Pcreate(properties_class), "H5Pcreate", where)};
}

Properties file_access(const Where& where) {
    Properties access = make_properties(H5P_FILE_ACCESS, where);
    checked(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG), "H5Pset_fclose_degree", where);
    // Metadata of 1.8 and later carry checksums and allow attributes of any size.
    checked(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_LATEST), "H5Pset_libver_bounds", where);
    return access;
}

Properties link_creation(const Where& where) {
    Properties creation = make_properties(H5P_LINK_CREATE, where);
    checked(H5Pset_char_encoding(creation.get(), H5T_CSET_UTF8), "H5Pset_char_encoding", where);
    return creation;
}

Properties dataset_creation(const Shape& chunk, const Where& where) {
    constexpr unsigned deflate_level = 4;
    Properties creation = make_properties(H5P_DATASET_CREATE, where);
    checked(H5Pset_obj_track_times(creation.get(), false), "H5Pset_obj_track_times", where);
    if (!chunk.empty()) {
        checked(H5Pset_chunk(creation.get(), narrow<int>(chunk.size()), extents(chunk).data()), "H5Pset_chunk", where);
        checked(H5Pset_shuffle(creation.get()), "H5Pset_shuffle", where);
        checked(H5Pset_deflate(creation.get(), deflate_level), "H5Pset_deflate", where);
    }
    return creation;
}

bool link_exists(hid_t parent, const std::string& name, const Where& where) {
    return checked(H5Lexists(parent, name.c_str(), H5P_DEFAULT), "H5Lexists", where) > 0 &&
           checked(H5Oexists_by_name(parent, name.c_str(), H5P_DEFAULT), "H5Oexists_by_name", where) > 0;
}

bool path_exists(hid_t file, std::string_view path, const Where& where) {
    for (std::size_t end = path.find('/', 1); end != std::string_view::npos; end = path.find('/', end + 1)) {
        const std::string group{path.substr(0, end)};
        if (!link_exists(file, group, where) ||
            kind_of(open_object(file, group, where).get(), where) != NodeKind::group) {
            return false;
        }
    }
    return path == "/" || link_exists(file, std::string{path}, where);
}

bool is_hard_link(hid_t group, const std::string& name, const Where& where) {
    H5L_info_t info{};
    checked(H5Lget_info(group, name.c_str(), &info, H5P_DEFAULT), "H5Lget_info", where);
    return info.type == H5L_TYPE_HARD;
}

Object open_object(hid_t parent, const std::string& path, const Where& where) {
    return Object{checked(H5Oopen(parent, path.c_str(), H5P_DEFAULT), "H5Oopen", where)};
}

Object create_group(hid_t parent, const std::string& path, const Where& where) {
    const Properties link = link_creation(where);
    const Properties creation = make_properties(H5P_GROUP_CREATE, where);
    checked(H5Pset_obj_track_times(creation.get(), false), "H5Pset_obj_track_times", where);
    return Object{
        checked(H5Gcreate2(parent, path.c_str(), link.get(), creation.get(), H5P_DEFAULT), "H5Gcreate2", where)};
}

NodeKind kind_of(hid_t object, const Where& where) {
    switch (H5Iget_type(object)) {
    case H5I_GROUP:
        return NodeKind::group;
    case H5I_DATASET:
        return NodeKind::dataset;
    case H5I_BADID:
        call_failed(where, "H5Iget_type");
    default:
        return NodeKind::other;
    }
}

std::vector<std::string> link_names(hid_t group, const Where& where) {
    H5G_info_t info{};
    checked(H5Gget_info(group, &info), "H5Gget_info", where);
    return collect_names(info.nlinks, "H5Lget_name_by_idx", where, [group](hsize_t i, char* text, std::size_t size) {
        return H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, text, size, H5P_DEFAULT);
    });
}

std::vector<std::string> attribute_names(hid_t object, const Where& where) {
    const int count = checked(H5Aget_num_attrs(object), "H5Aget_num_attrs", where);
    const auto n = static_cast<hsize_t>(count);
    return collect_names(n, "H5Aget_name_by_idx", where, [object](hsize_t i, char* text, std::size_t size) {
        return H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, i, text, size, H5P_DEFAULT);
    });
}

Object create_dataset(hid_t parent, const std::string& path, hid_t type, hid_t space, const Shape& chunk,
                      const Where& where) {
    const Properties link = link_creation(where);
    const Properties creation = dataset_creation(chunk, where);
    return Object{checked(H5Dcreate2(parent, path.c_str(), type, space, link.get(), creation.get(), H5P_DEFAULT),
                          "H5Dcreate2", where)};
}

Type dataset_type(hid_t dataset, const Where& where) {
    return Type{checked(H5Dget_type(dataset), "H5Dget_type", where)};
}

Space dataset_space(hid_t dataset, const Where& where) {
    return Space{checked(H5Dget_space(dataset), "H5Dget_space", where)};
}

void write_dataset(hid_t dataset, hid_t memory_type, hid_t memory, hid_t selected, const void* values,
                   const Where& where) {
    checked(H5Dwrite(dataset, memory_type, memory, selected, H5P_DEFAULT, values), "H5Dwrite", where);
}

void read_dataset(hid_t dataset, hid_t memory_type, hid_t memory, hid_t selected, hid_t transfer, void* values,
                  const Where& where) {
    checked(H5Dread(dataset, memory_type, memory, selected, transfer, values), "H5Dread", where);
}

Space make_space(const Shape& shape, const Where& where) {
    if (shape.empty()) {
        return Space{checked(H5Screate(H5S_SCALAR), "H5Screate", where)};
    }
    const int rank = narrow<int>(shape.size());
    return Space{checked(H5Screate_simple(rank, extents(shape).data(), nullptr), "H5Screate_simple", where)};
}

Shape shape_of(hid_t space, const Where& where) {
    if (checked(H5Sget_simple_extent_type(space), "H5Sget_simple_extent_type", where) == H5S_NULL) {
        return {0};
    }
    const int rank = checked(H5Sget_simple_extent_ndims(space), "H5Sget_simple_extent_ndims", where);
    std::vector<hsize_t> lengths(static_cast<std::size_t>(rank));
    checked(H5Sget_simple_extent_dims(space, lengths.data(), nullptr), "H5Sget_simple_extent_dims", where);
    return {lengths.begin(), lengths.end()};
}

void select_rows(hid_t space, std::size_t first, std::size_t count, const Where& where) {
    std::vector<hsize_t> counts = extents(shape_of(space, where));
    std::vector<hsize_t> starts(counts.size(), 0);
    starts.at(0) = first;
    counts.at(0) = count;
    checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, starts.data(), nullptr, counts.data(), nullptr),
            "H5Sselect_hyperslab", where);
}

bool attribute_exists(hid_t object, const std::string& name, const Where& where) {
    return checked(H5Aexists(object, name.c_str()), "H5Aexists", where) > 0;
}

Attribute create_attribute(hid_t object, const std::string& name, hid_t type, hid_t space, const Where& where) {
    const Properties creation = make_properties(H5P_ATTRIBUTE_CREATE, where);
    checked(H5Pset_char_encoding(creation.get(), H5T_CSET_UTF8), "H5Pset_char_encoding", where);
    return Attribute{
        checked(H5Acreate2(object, name.c_str(), type, space, creation.get(), H5P_DEFAULT), "H5Acreate2", where)};
}

Attribute open_attribute(hid_t object, const std::string& name, const Where& where) {
    return Attribute{checked(H5Aopen(object, name.c_str(), H5P_DEFAULT), "H5Aopen", where)};
}

Type attribute_type(hid_t attribute, const Where& where) {
    return Type{checked(H5Aget_type(attribute), "H5Aget_type", where)};
}

Space attribute_space(hid_t attribute, const Where& where) {
    return Space{checked(H5Aget_space(attribute), "H5Aget_space", where)};
}

void write_attribute(hid_t attribute, hid_t memory_type, const void* values, const Where& where) {
    checked(H5Awrite(attribute, memory_type, values), "H5Awrite", where);
}

void read_attribute(hid_t attribute, hid_t memory_type, void* values, const Where& where) {
    checked(H5Aread(attribute, memory_type, values), "H5Aread", where);
}

void set_scale(hid_t dataset, const std::string& name, const Where& where) {
    checked(H5DSset_scale(dataset, name.c_str()), "H5DSset_scale", where);
}

bool is_scale(hid_t dataset, const Where& where) { return checked(H5DSis_scale(dataset), "H5DSis_scale", where) > 0; }

void attach_scale(hid_t dataset, hid_t scale, unsigned axis, const Where& where) {
    checked(H5DSattach_scale(dataset, scale, axis), "H5DSattach_scale", where);
}

std::string scale_name(hid_t dataset, unsigned axis, const Where& where) {
    if (checked(H5DSget_num_scales(dataset, axis), "H5DSget_num_scales", where) == 0) {
        return {};
    }
    std::string name;
    const auto keep_name = [](hid_t, unsigned, hid_t scale, void* kept) noexcept -> herr_t {
        char text[256] = {};
        if (H5DSget_scale_name(scale, text, sizeof text - 1) < 0) {
            return -1;
        }
        try {
            *static_cast<std::string*>(kept) = text;
        } catch (...) {
            return -1;
        }
        return 1;
    };
    checked(H5DSiterate_scales(dataset, axis, nullptr, keep_name, &name), "H5DSiterate_scales", where);
    return name;
}

} // namespace rondo::store::h5
