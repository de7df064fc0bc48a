#include "file_state.hpp"
#include "make_dataset.hpp"
#include "part_driver.hpp"
#include "rows.hpp"
#include "seal.hpp"

#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>

#include <utility>

namespace rondo::store {
namespace {

/// Do a piece of work on an open file; whatever it throws, the file cannot be closed in good order any more.
template <class Work>
void attempt(const std::unique_ptr<WriterState>& state, Work work) {
    expects(state && state->file && !state->failed, "a file being written is open and nothing has failed");
    state->failed = true;
    try {
        work();
    } catch (const StoreError&) {
        state->part.throw_if_failed(); // a full disk explains more than what HDF5 made of it
        throw;
    }
    state->part.throw_if_failed();
    state->failed = false;
}

template <Element T>
void write_array(const std::unique_ptr<WriterState>& state, std::string_view path, std::span<const T> values,
                 const Shape& shape, const std::vector<std::string>& scales, Compression compression) {
    attempt(state, [&] {
        const h5::Where where{state->part.target(), path, true};
        expects(shape.empty() || (shape.front() * row_size(shape)) == values.size(), "the shape holds all values");
        const h5::Object dataset =
            make_dataset(state->file.get(), element_type<T>(), shape.empty() ? Shape{values.size()} : shape, scales,
                         compression, where);
        if (!values.empty()) {
            write_values<T>(values, where, [&](hid_t memory_type, const void* data) {
                h5::write_dataset(dataset.get(), memory_type, H5S_ALL, H5S_ALL, data, where);
            });
        }
    });
}

template <Element T>
void write_one(const std::unique_ptr<WriterState>& state, std::string_view path, const T& value) {
    attempt(state, [&] {
        const h5::Where where{state->part.target(), path, true};
        const h5::Object dataset = make_dataset(state->file.get(), element_type<T>(), {}, {}, Compression::none, where);
        write_values<T>(std::span{&value, 1}, where, [&](hid_t memory_type, const void* data) {
            h5::write_dataset(dataset.get(), memory_type, H5S_ALL, H5S_ALL, data, where);
        });
    });
}

template <Element T>
void write_range(const std::unique_ptr<WriterState>& state, std::string_view path, std::size_t first,
                 std::span<const T> values) {
    attempt(state, [&] {
        const h5::Where where{state->part.target(), path, true};
        const h5::Object dataset = h5::open_object(state->file.get(), std::string{path}, where);
        const h5::Space stored = h5::dataset_space(dataset.get(), where);
        Shape shape = h5::shape_of(stored.get(), where);
        const h5::Type type = h5::dataset_type(dataset.get(), where);
        const h5::Type own_type = file_type(element_type<T>(), where);
        expects(h5::checked(H5Tequal(type.get(), own_type.get()), "H5Tequal", where) > 0,
                "rows have the dataset's own type");
        if (values.empty()) {
            return;
        }
        expects(!shape.empty() && row_size(shape) > 0 && values.size() % row_size(shape) == 0, "values are whole rows");
        const std::size_t count = values.size() / row_size(shape);
        expects(first <= shape.front() && count <= shape.front() - first, "rows lie inside the dataset");
        shape.front() = count;
        const h5::Space memory = h5::make_space(shape, where);
        h5::select_rows(stored.get(), first, count, where);
        write_values<T>(values, where, [&](hid_t memory_type, const void* data) {
            h5::write_dataset(dataset.get(), memory_type, memory.get(), stored.get(), data, where);
        });
    });
}

/// `shape` is {} for one value and {n} for a list.
template <Element T>
void attach(const std::unique_ptr<WriterState>& state, std::string_view object, std::string_view name,
            std::span<const T> values, const Shape& shape) {
    attempt(state, [&] {
        const h5::Where where{state->part.target(), object, true};
        const h5::Object owner = h5::open_object(state->file.get(), std::string{object}, where);
        const h5::Space space = h5::make_space(shape, where);
        const h5::Type stored = file_type(element_type<T>(), where);
        const h5::Attribute attribute =
            h5::create_attribute(owner.get(), std::string{name}, stored.get(), space.get(), where);
        if (!values.empty()) {
            write_values<T>(values, where, [&](hid_t memory_type, const void* data) {
                h5::write_attribute(attribute.get(), memory_type, data, where);
            });
        }
    });
}

} // namespace

WriterState::WriterState(std::filesystem::path path) : part{std::move(path)} {
    const h5::Where where{part.target(), {}, true};
    h5::prepare_library();
    const h5::Properties access = h5::file_access(where);
    h5::checked(set_part_driver(access.get(), part), "H5Pset_driver", where);
    file = h5::create_file(part.part(), access.get(), where);
}

FileWriter::FileWriter(std::filesystem::path path) : state_{std::make_unique<WriterState>(std::move(path))} {}
FileWriter::FileWriter(FileWriter&&) noexcept = default;
FileWriter& FileWriter::operator=(FileWriter&&) noexcept = default;
FileWriter::~FileWriter() = default;

const std::filesystem::path& FileWriter::path() const { return state_->part.target(); }

void FileWriter::write(std::string_view path, std::span<const double> values, const Shape& shape,
                       const std::vector<std::string>& scales, Compression compression) {
    write_array(state_, path, values, shape, scales, compression);
}

void FileWriter::write(std::string_view path, std::span<const std::int64_t> values, const Shape& shape,
                       const std::vector<std::string>& scales, Compression compression) {
    write_array(state_, path, values, shape, scales, compression);
}

void FileWriter::write(std::string_view path, std::span<const std::int32_t> values, const Shape& shape,
                       const std::vector<std::string>& scales, Compression compression) {
    write_array(state_, path, values, shape, scales, compression);
}

void FileWriter::write(std::string_view path, std::span<const std::string> values, const Shape& shape,
                       const std::vector<std::string>& scales) {
    write_array(state_, path, values, shape, scales, Compression::none);
}

void FileWriter::write_scalar(std::string_view path, double value) { write_one(state_, path, value); }
void FileWriter::write_scalar(std::string_view path, std::int64_t value) { write_one(state_, path, value); }
void FileWriter::write_scalar(std::string_view path, std::int32_t value) { write_one(state_, path, value); }
void FileWriter::write_scalar(std::string_view path, std::string_view value) {
    write_one(state_, path, std::string{value});
}

void FileWriter::create(std::string_view path, ElementType type, const Shape& shape,
                        const std::vector<std::string>& scales, Compression compression) {
    attempt(state_, [&] {
        const h5::Where where{state_->part.target(), path, true};
        static_cast<void>(make_dataset(state_->file.get(), type, shape, scales, compression, where));
    });
}

void FileWriter::write_rows(std::string_view path, std::size_t first, std::span<const double> values) {
    write_range(state_, path, first, values);
}
void FileWriter::write_rows(std::string_view path, std::size_t first, std::span<const std::int64_t> values) {
    write_range(state_, path, first, values);
}
void FileWriter::write_rows(std::string_view path, std::size_t first, std::span<const std::int32_t> values) {
    write_range(state_, path, first, values);
}
void FileWriter::write_rows(std::string_view path, std::size_t first, std::span<const std::string> values) {
    write_range(state_, path, first, values);
}

void FileWriter::make_scale(std::string_view path, std::string_view name) {
    attempt(state_, [&] {
        const h5::Where where{state_->part.target(), path, true};
        const h5::Object dataset = h5::open_object(state_->file.get(), std::string{path}, where);
        expects(h5::shape_of(h5::dataset_space(dataset.get(), where).get(), where).size() == 1,
                "a dimension scale has one axis");
        h5::set_scale(dataset.get(), std::string{name}, where);
    });
}

void FileWriter::create_group(std::string_view path) {
    attempt(state_, [&] {
        const h5::Where where{state_->part.target(), path, true};
        expects(is_object_path(path), "a group has an absolute path");
        make_parents(state_->file.get(), path, where);
        if (!h5::link_exists(state_->file.get(), std::string{path}, where)) {
            static_cast<void>(h5::create_group(state_->file.get(), std::string{path}, where));
        }
    });
}

void FileWriter::write_attribute(std::string_view object, std::string_view name, double value) {
    attach<double>(state_, object, name, std::span{&value, 1}, {});
}
void FileWriter::write_attribute(std::string_view object, std::string_view name, std::int64_t value) {
    attach<std::int64_t>(state_, object, name, std::span{&value, 1}, {});
}
void FileWriter::write_attribute(std::string_view object, std::string_view name, std::int32_t value) {
    attach<std::int32_t>(state_, object, name, std::span{&value, 1}, {});
}
void FileWriter::write_attribute(std::string_view object, std::string_view name, std::string_view value) {
    const std::string text{value};
    attach<std::string>(state_, object, name, std::span{&text, 1}, {});
}
void FileWriter::write_attribute(std::string_view object, std::string_view name, std::span<const double> values) {
    attach(state_, object, name, values, {values.size()});
}
void FileWriter::write_attribute(std::string_view object, std::string_view name, std::span<const std::int64_t> values) {
    attach(state_, object, name, values, {values.size()});
}
void FileWriter::write_attribute(std::string_view object, std::string_view name, std::span<const std::string> values) {
    attach(state_, object, name, values, {values.size()});
}

void FileWriter::close() {
    attempt(state_, [this] {
        const h5::Where where{state_->part.target(), {}, true};
        h5::flush(state_->file.get(), where);
        h5::close(std::move(state_->file), where);
        state_->part.throw_if_failed();
        seal(state_->part);
        state_->part.commit();
    });
}

std::uint64_t FileWriter::content_checksum() const {
    std::uint64_t checksum = 0;
    attempt(state_, [&] { checksum = checksum_of(state_->file.get(), {state_->part.target(), {}, true}); });
    return checksum;
}

} // namespace rondo::store
