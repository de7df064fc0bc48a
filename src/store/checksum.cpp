#include "file_state.hpp"
#include "rows.hpp"

#include <rondo/store/checksum.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace rondo::store {
namespace {

constexpr std::string_view checksum_path = "/checksum";
constexpr std::size_t piece_bytes = std::size_t{8} << 20U;

void add_number(Hash64& hash, std::uint64_t number) {
    std::array<std::byte, sizeof number> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes.at(i) = static_cast<std::byte>(number >> (8 * i));
    }
    hash.add(bytes);
}

void add_text(Hash64& hash, std::string_view text) {
    add_number(hash, text.size());
    hash.add(text);
}

void add_shape(Hash64& hash, const Shape& shape) {
    add_number(hash, shape.size());
    for (const std::size_t length : shape) {
        add_number(hash, length);
    }
}

void add_values(Hash64& hash, const Source& source, const StoredType& stored, const h5::Where& where) {
    if (source.count == 0) {
        return;
    }
    if (stored.kind == StoredClass::fixed_text || stored.kind == StoredClass::variable_text) {
        for (const std::string& text : read_values<std::string>(source, default_read_limit, where)) {
            add_text(hash, text);
        }
        return;
    }
    const h5::Type memory_type = little_endian(source.type, where);
    std::vector<std::byte> bytes(source.count * stored.size);
    source.read(memory_type.get(), H5P_DEFAULT, bytes.data());
    hash.add(bytes);
}

void add_attributes(Hash64& hash, hid_t object, const h5::Where& where) {
    for (const std::string& name : h5::attribute_names(object, where)) {
        const h5::Attribute attribute = h5::open_attribute(object, name, where);
        const h5::Type type = h5::attribute_type(attribute.get(), where);
        const StoredType stored = describe_type(type.get(), where);
        if (stored.kind == StoredClass::other) {
            continue;
        }
        const Shape shape = h5::shape_of(h5::attribute_space(attribute.get(), where).get(), where);
        const std::size_t count = count_within(shape, stored.size, default_read_limit, where);
        add_text(hash, name);
        add_text(hash, stored.text);
        add_shape(hash, shape);
        add_values(hash, values_of(attribute.get(), type.get(), count, where), stored, where);
    }
}

void add_dataset(Hash64& hash, hid_t dataset, const h5::Where& where) {
    const h5::Type type = h5::dataset_type(dataset, where);
    const StoredType stored = describe_type(type.get(), where);
    if (stored.kind == StoredClass::other) {
        h5::refuse(where, fmt::format("holds {}, which has no checksum", stored.text), "store numbers or text");
    }
    const Shape shape = h5::shape_of(h5::dataset_space(dataset, where).get(), where);
    add_text(hash, stored.text);
    add_shape(hash, shape);
    const std::size_t n_rows = shape.empty() ? 1 : shape.front();
    const std::size_t row_bytes = std::max<std::size_t>(1, row_size(shape) * stored.size);
    const std::size_t n_piece = std::max<std::size_t>(1, piece_bytes / row_bytes);
    for (std::size_t first = 0; first < n_rows; first += n_piece) {
        const Rows rows{first, std::min(n_piece, n_rows - first)};
        add_values(hash, rows_of(dataset, type.get(), shape, rows, where), stored, where);
    }
}

void add_object(Hash64& hash, hid_t object, const std::string& path, const h5::Where& file, int depth) {
    constexpr int deepest = 64;
    const h5::Where where{file.file, path, file.writing};
    if (depth > deepest) {
        h5::refuse(where, "lies too deep for a file of rondo", "the file is damaged: use another copy");
    }
    const NodeKind kind = h5::kind_of(object, where);
    add_number(hash, static_cast<std::uint64_t>(kind));
    add_text(hash, path);
    add_attributes(hash, object, where);
    if (kind == NodeKind::dataset) {
        add_dataset(hash, object, where);
    } else if (kind == NodeKind::group) {
        for (const std::string& name : h5::link_names(object, where)) {
            const std::string child = fmt::format("{}/{}", path == "/" ? "" : path, name);
            if (child != checksum_path && h5::is_hard_link(object, name, where)) {
                add_object(hash, h5::open_object(object, name, where).get(), child, file, depth + 1);
            }
        }
    }
}

std::string text_of(std::uint64_t checksum) { return fmt::format("xxh64:{:016x}", checksum); }

} // namespace

std::uint64_t checksum_of(hid_t file, const h5::Where& where) {
    Hash64 hash;
    add_object(hash, h5::open_object(file, "/", where).get(), "/", where, 0);
    return hash.value();
}

std::uint64_t content_checksum(const FileReader& file) { return file.content_checksum(); }

std::uint64_t content_checksum(const FileWriter& file) { return file.content_checksum(); }

void verify_checksum(const FileReader& file) {
    const h5::Where where{file.path(), checksum_path};
    if (!file.exists(checksum_path)) {
        h5::refuse(where, "is missing (the file was not finished)", "use another copy");
    }
    const auto stored = file.read_scalar<std::string>(checksum_path);
    const std::string computed = text_of(content_checksum(file));
    if (stored != computed) {
        h5::refuse(
            where,
            fmt::format("is {}, but the content gives {} (the file is damaged or was changed)", stored, computed),
            "use another copy");
    }
}

void write_checksum(FileWriter& file) { file.write_scalar(checksum_path, text_of(content_checksum(file))); }

} // namespace rondo::store
