#include "file_state.hpp"
#include "find_file.hpp"
#include "rows.hpp"
#include "seal.hpp"

#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <utility>

namespace rondo::store {
namespace {

constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";

/// HDF5 content begins at byte 0, 512, 1024, 2048, ...
bool has_signature(std::ifstream& stream, std::uint64_t size) {
    for (std::uint64_t offset = 0; offset + signature.size() <= size; offset = offset == 0 ? 512 : 2 * offset) {
        std::array<char, signature.size()> bytes{};
        stream.seekg(static_cast<std::streamoff>(offset));
        if (stream.read(bytes.data(), bytes.size()) && std::string_view{bytes.data(), bytes.size()} == signature) {
            return true;
        }
    }
    return false;
}

/// Refuse what is no HDF5 file: as damaged where it is empty, a stub or begins with zeros (what a crash leaves behind).
void require_hdf5(const std::filesystem::path& path) {
    std::ifstream stream{path, std::ios::binary};
    if (!stream) {
        throw StoreError{
            fmt::format("{}: cannot be opened ({}); check its permissions", path.string(), system_text(errno))};
    }
    std::array<char, signature.size()> head{};
    stream.read(head.data(), head.size());
    const auto n_read = static_cast<std::size_t>(stream.gcount());
    stream.clear();
    stream.seekg(0, std::ios::end);
    if (has_signature(stream, static_cast<std::uint64_t>(std::max<std::streamoff>(0, stream.tellg())))) {
        return;
    }
    const bool is_stub = n_read < head.size() && signature.starts_with(std::string_view{head.data(), n_read});
    if (is_stub || std::ranges::all_of(head, [](char c) { return c == '\0'; })) {
        throw StoreError{
            fmt::format("{}: is damaged (it is empty or begins with zeros); use another copy", path.string())};
    }
    throw InputError{
        fmt::format("{}: is not an HDF5 file; give a file that rondo or other HDF5 software wrote", path.string())};
}

void require_good_seal(const std::filesystem::path& path, Integrity integrity) {
    constexpr std::uint64_t small = std::uint64_t{64} << 20U;
    std::error_code error;
    const bool is_checked =
        integrity == Integrity::check ||
        (integrity == Integrity::automatic && std::filesystem::file_size(path, error) <= small && !error);
    if (is_checked && check_seal(path) == SealState::broken) {
        throw StoreError{
            fmt::format("{}: is damaged (its bytes are not those that were written); use another copy", path.string())};
    }
}

h5::Object open_dataset(const ReaderState& state, std::string_view path, const h5::Where& where) {
    h5::Object object = open_existing(state, path, where);
    if (h5::kind_of(object.get(), where) != NodeKind::dataset) {
        h5::refuse(where, "is no dataset but a group", "name a dataset in it");
    }
    return object;
}

template <Element T>
std::vector<T> read_dataset(const ReaderState& state, std::string_view path, const Rows* rows) {
    const h5::Where where{state.path, path};
    const h5::Object dataset = open_dataset(state, path, where);
    const h5::Type type = h5::dataset_type(dataset.get(), where);
    const Shape shape = h5::shape_of(h5::dataset_space(dataset.get(), where).get(), where);
    const std::size_t n_rows = shape.empty() ? 1 : shape.front();
    const Rows wanted = rows == nullptr ? Rows{0, n_rows} : *rows;
    if (wanted.first > n_rows || wanted.count > n_rows - wanted.first || (shape.empty() && wanted.count != 1)) {
        h5::refuse(where, fmt::format("has {} rows, not {} from row {} on", n_rows, wanted.count, wanted.first),
                   "the files do not belong together, or this one is incomplete");
    }
    Shape selected = shape;
    if (!selected.empty()) {
        selected.front() = wanted.count;
    }
    const std::size_t element_size = std::max({sizeof(T), describe_type(type.get(), where).size, std::size_t{1}});
    static_cast<void>(count_within(selected, element_size, state.max_bytes, where));
    return read_values<T>(rows_of(dataset.get(), type.get(), shape, wanted, where), state.max_bytes, where);
}

template <class T>
T only(std::vector<T> values, const h5::Where& where, std::string_view what) {
    if (values.size() != 1) {
        h5::refuse(where, fmt::format("{}holds {} values where one is needed", what, values.size()),
                   "check which file is meant");
    }
    return std::move(values.front());
}

} // namespace

h5::Object open_existing(const ReaderState& state, std::string_view path, const h5::Where& where) {
    const hid_t file = state.file.get();
    expects(!path.empty() && path.front() == '/', "a path in a file is absolute");
    if (!h5::path_exists(file, path, where)) {
        const std::size_t slash = path.rfind('/');
        const std::string group{slash == 0 ? "/" : path.substr(0, slash)};
        std::string hint = fmt::format(" (there is no group {})", group);
        if (h5::path_exists(file, group, where)) {
            const h5::Object parent = h5::open_object(file, group, where);
            hint = h5::kind_of(parent.get(), where) != NodeKind::group
                       ? fmt::format(" ({} is no group)", group)
                       : known_words_hint(path.substr(slash + 1), h5::link_names(parent.get(), where));
        }
        h5::refuse(where, "does not exist" + hint, "check that this is the kind of file that is meant");
    }
    return h5::open_object(file, std::string{path}, where);
}

FileReader::FileReader(std::filesystem::path path, Integrity integrity, std::size_t max_bytes) {
    require_file(path);
    require_good_seal(path, integrity);
    require_hdf5(path);
    h5::prepare_library();
    state_ = std::make_unique<ReaderState>(ReaderState{std::move(path), max_bytes, {}});
    state_->file = h5::open_file(state_->path, {state_->path, {}});
}

FileReader::FileReader(FileReader&&) noexcept = default;
FileReader& FileReader::operator=(FileReader&&) noexcept = default;
FileReader::~FileReader() = default;

const std::filesystem::path& FileReader::path() const { return state_->path; }

bool FileReader::exists(std::string_view path) const {
    return h5::path_exists(state_->file.get(), path, {state_->path, path});
}

bool FileReader::has_attribute(std::string_view object, std::string_view name) const {
    const h5::Where where{state_->path, object};
    return exists(object) &&
           h5::attribute_exists(open_existing(*state_, object, where).get(), std::string{name}, where);
}

Shape FileReader::shape(std::string_view path) const {
    const h5::Where where{state_->path, path};
    return h5::shape_of(h5::dataset_space(open_dataset(*state_, path, where).get(), where).get(), where);
}

template <Element T>
std::vector<T> FileReader::read(std::string_view path) const {
    return read_dataset<T>(*state_, path, nullptr);
}

template <Element T>
std::vector<T> FileReader::read(std::string_view path, Rows rows) const {
    return read_dataset<T>(*state_, path, &rows);
}

template <Element T>
T FileReader::read_scalar(std::string_view path) const {
    return only(read_dataset<T>(*state_, path, nullptr), {state_->path, path}, "");
}

template <Element T>
std::vector<T> FileReader::attribute(std::string_view object, std::string_view name) const {
    const h5::Where where{state_->path, object};
    const h5::Object owner = open_existing(*state_, object, where);
    if (!h5::attribute_exists(owner.get(), std::string{name}, where)) {
        h5::refuse(
            where,
            fmt::format("has no attribute {}{}", name, known_words_hint(name, h5::attribute_names(owner.get(), where))),
            "check that this is the kind of file that is meant");
    }
    const h5::Attribute attribute = h5::open_attribute(owner.get(), std::string{name}, where);
    const h5::Type type = h5::attribute_type(attribute.get(), where);
    const std::size_t element_size = std::max({sizeof(T), describe_type(type.get(), where).size, std::size_t{1}});
    const Shape shape = h5::shape_of(h5::attribute_space(attribute.get(), where).get(), where);
    const std::size_t count = count_within(shape, element_size, state_->max_bytes, where);
    return read_values<T>(values_of(attribute.get(), type.get(), count, where), state_->max_bytes, where);
}

template <Element T>
T FileReader::attribute_scalar(std::string_view object, std::string_view name) const {
    return only(attribute<T>(object, name), {state_->path, object}, fmt::format("attribute {} ", name));
}

std::uint64_t FileReader::content_checksum() const { return checksum_of(state_->file.get(), {state_->path, {}}); }

std::string hdf5_version() {
    unsigned major = 0, minor = 0, release = 0;
    h5::prepare_library();
    H5get_libversion(&major, &minor, &release);
    return fmt::format("{}.{}.{}", major, minor, release);
}

#define RONDO_READS(T)                                                                                                 \
    template std::vector<T> FileReader::read(std::string_view) const;                                                  \
    template std::vector<T> FileReader::read(std::string_view, Rows) const;                                            \
    template T FileReader::read_scalar(std::string_view) const;                                                        \
    template std::vector<T> FileReader::attribute(std::string_view, std::string_view) const;                           \
    template T FileReader::attribute_scalar(std::string_view, std::string_view) const;

RONDO_READS(double)
RONDO_READS(std::int64_t)
RONDO_READS(std::int32_t)
RONDO_READS(std::string)
#undef RONDO_READS

} // namespace rondo::store
