#pragma once

#include <rondo/base/handle.hpp>
#include <rondo/store/hdf5_file.hpp>

#include <hdf5.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// HDF5's C functions, each wrapped once: owning handles out, failures thrown with HDF5's own explanation.
namespace rondo::store::h5 {

template <herr_t (*Close)(hid_t)>
struct IdTraits {
    using type = hid_t;
    static type null() noexcept { return H5I_INVALID_HID; }
    static void close(type id) noexcept { Close(id); }
};
using File = UniqueHandle<IdTraits<&H5Fclose>>;
using Object = UniqueHandle<IdTraits<&H5Oclose>>; ///< a group or dataset
using Space = UniqueHandle<IdTraits<&H5Sclose>>;
using Type = UniqueHandle<IdTraits<&H5Tclose>>;
using Attribute = UniqueHandle<IdTraits<&H5Aclose>>;
using Properties = UniqueHandle<IdTraits<&H5Pclose>>;

/// What a call works on, for messages.
struct Where {
    const std::filesystem::path& file;
    std::string_view object; ///< path in the file, or empty
    bool writing = false;
};

/// Throw StoreError: `file: object: why; what to do`.
[[noreturn]] void refuse(const Where& where, std::string_view why, std::string_view what_to_do);

/// Throw StoreError for a C function that failed, with HDF5's message stack.
[[noreturn]] void call_failed(const Where& where, const char* function);

/// A code that is not negative, else `call_failed`.
template <class Code>
Code checked(Code code, const char* function, const Where& where) {
    if (code < 0) {
        call_failed(where, function);
    }
    return code;
}

/// Load HDF5 without file locking and switch off its own printing, for the calling thread.
void prepare_library();

File create_file(const std::filesystem::path& name, hid_t access, const Where& where);
File open_file(const std::filesystem::path& name, const Where& where);
void flush(hid_t file, const Where& where);
void close(File file, const Where& where);

Properties make_properties(hid_t properties_class, const Where& where);
/// For creating files; those for reading have HDF5's own defaults, so that others in the process may open them, too.
Properties file_access(const Where& where);
/// For creating links: names are UTF-8.
Properties link_creation(const Where& where);
/// For creating datasets: no time stamps (equal content gives equal files), chunks and deflate where asked for.
Properties dataset_creation(const Shape& chunk, const Where& where);

[[nodiscard]] bool link_exists(hid_t parent, const std::string& name, const Where& where);
/// Also where groups on the way are missing.
[[nodiscard]] bool path_exists(hid_t file, std::string_view path, const Where& where);
[[nodiscard]] bool is_hard_link(hid_t group, const std::string& name, const Where& where);
Object open_object(hid_t parent, const std::string& path, const Where& where);
/// Create a group, in an existing one, without time stamps.
Object create_group(hid_t parent, const std::string& path, const Where& where);
[[nodiscard]] NodeKind kind_of(hid_t object, const Where& where);
/// Names of what lies in a group, or of an object's attributes, in byte order.
[[nodiscard]] std::vector<std::string> link_names(hid_t group, const Where& where);
[[nodiscard]] std::vector<std::string> attribute_names(hid_t object, const Where& where);

Object create_dataset(hid_t parent, const std::string& path, hid_t type, hid_t space, const Shape& chunk,
                      const Where& where);
Type dataset_type(hid_t dataset, const Where& where);
Space dataset_space(hid_t dataset, const Where& where);
void write_dataset(hid_t dataset, hid_t memory_type, hid_t memory, hid_t selected, const void* values,
                   const Where& where);
void read_dataset(hid_t dataset, hid_t memory_type, hid_t memory, hid_t selected, hid_t transfer, void* values,
                  const Where& where);

Space make_space(const Shape& shape, const Where& where);
[[nodiscard]] Shape shape_of(hid_t space, const Where& where);
/// Select `count` rows from `first` on; the space has at least one axis.
void select_rows(hid_t space, std::size_t first, std::size_t count, const Where& where);

[[nodiscard]] bool attribute_exists(hid_t object, const std::string& name, const Where& where);
Attribute create_attribute(hid_t object, const std::string& name, hid_t type, hid_t space, const Where& where);
Attribute open_attribute(hid_t object, const std::string& name, const Where& where);
Type attribute_type(hid_t attribute, const Where& where);
Space attribute_space(hid_t attribute, const Where& where);
void write_attribute(hid_t attribute, hid_t memory_type, const void* values, const Where& where);
void read_attribute(hid_t attribute, hid_t memory_type, void* values, const Where& where);

void set_scale(hid_t dataset, const std::string& name, const Where& where);
[[nodiscard]] bool is_scale(hid_t dataset, const Where& where);
void attach_scale(hid_t dataset, hid_t scale, unsigned axis, const Where& where);
/// The name of the scale attached to an axis, or "".
[[nodiscard]] std::string scale_name(hid_t dataset, unsigned axis, const Where& where);

} // namespace rondo::store::h5
