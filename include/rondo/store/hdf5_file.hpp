#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::store {

struct WriterState;
struct ReaderState;

/// Lengths of a dataset's axes, slowest first (row-major). A dataset with no axis holds one value.
using Shape = std::vector<std::size_t>;

/// What a dataset that rondo writes holds. Text is UTF-8 of any length without NUL.
enum class ElementType { float64, int64, int32, text };

/// The C++ types that stand for the four element types.
template <class T>
concept Element = std::same_as<T, double> || std::same_as<T, std::int64_t> || std::same_as<T, std::int32_t> ||
    std::same_as<T, std::string>;

/// How numbers lie in the file. Text and empty datasets are never compressed.
enum class Compression { none, deflate };

/// Writes one HDF5 file and puts it in place all at once.
///
/// Everything goes to `<path>.part.<pid>` in the same directory; `close()` makes it durable and renames it to `path`.
/// Until then `path` keeps its old content, and a writer that is destroyed without `close()` leaves no trace. A full
/// disk is a StoreError of the call that meets it; after any error the writer can only be destroyed.
///
/// Paths are absolute (`/history/loss`); groups on the way are created. Where `scales` is given it holds the path of
/// the dimension scale of each axis, or "" for none; each is a 1-D dataset written before, as long as its axis, in the
/// same group or one above. xarray opens a group in which every axis has a scale; a 1-D dataset may be its own
/// (`make_scale`).
///
/// Ranks   local; one rank writes a file. One thread at a time, over all files.
/// @throws StoreError  the file cannot be created, written or put in place; the text names file and object
/// Tests   tests/store/hdf5_write_test.cpp
class FileWriter {
public:
    explicit FileWriter(std::filesystem::path path);
    FileWriter(FileWriter&&) noexcept;
    FileWriter& operator=(FileWriter&&) noexcept;
    ~FileWriter();

    [[nodiscard]] const std::filesystem::path& path() const;

    /// Write a dataset. An empty `shape` stands for one axis with all values.
    void write(std::string_view path, std::span<const double> values, const Shape& shape = {},
               const std::vector<std::string>& scales = {}, Compression compression = Compression::none);
    void write(std::string_view path, std::span<const std::int64_t> values, const Shape& shape = {},
               const std::vector<std::string>& scales = {}, Compression compression = Compression::none);
    void write(std::string_view path, std::span<const std::int32_t> values, const Shape& shape = {},
               const std::vector<std::string>& scales = {}, Compression compression = Compression::none);
    void write(std::string_view path, std::span<const std::string> values, const Shape& shape = {},
               const std::vector<std::string>& scales = {});

    /// Write a dataset of one value and no axis.
    void write_scalar(std::string_view path, double value);
    void write_scalar(std::string_view path, std::int64_t value);
    void write_scalar(std::string_view path, std::int32_t value);
    void write_scalar(std::string_view path, std::string_view value);

    /// Make a dataset to be filled by `write_rows`. Rows never written read as 0 or "".
    void create(std::string_view path, ElementType type, const Shape& shape,
                const std::vector<std::string>& scales = {}, Compression compression = Compression::none);

    /// Fill rows first, first + 1, ... of the slowest axis; `values` holds whole rows of the dataset's own type.
    void write_rows(std::string_view path, std::size_t first, std::span<const double> values);
    void write_rows(std::string_view path, std::size_t first, std::span<const std::int64_t> values);
    void write_rows(std::string_view path, std::size_t first, std::span<const std::int32_t> values);
    void write_rows(std::string_view path, std::size_t first, std::span<const std::string> values);

    /// Make a 1-D dataset a dimension scale that shows as the axis `name`. A dataset named in `scales` that is no scale
    /// yet becomes one under the last part of its path.
    void make_scale(std::string_view path, std::string_view name);

    /// Create an empty group (one that exists already stays as it is).
    void create_group(std::string_view path);

    /// Attach an attribute to the root ("/") or to an existing group or dataset; lists become 1-D attributes.
    void write_attribute(std::string_view object, std::string_view name, double value);
    void write_attribute(std::string_view object, std::string_view name, std::int64_t value);
    void write_attribute(std::string_view object, std::string_view name, std::int32_t value);
    void write_attribute(std::string_view object, std::string_view name, std::string_view value);
    void write_attribute(std::string_view object, std::string_view name, std::span<const double> values);
    void write_attribute(std::string_view object, std::string_view name, std::span<const std::int64_t> values);
    void write_attribute(std::string_view object, std::string_view name, std::span<const std::string> values);

    /// Flush, seal (see `Integrity`), sync, rename to `path()`, sync the directory. Nothing can be written afterwards.
    void close();

    /// See checksum.hpp.
    [[nodiscard]] std::uint64_t content_checksum() const;

private:
    std::unique_ptr<WriterState> state_;
};

/// Whether to compare a file with its seal before HDF5 parses it.
///
/// Every file that FileWriter closes ends with a seal: 24 bytes behind the HDF5 content, which HDF5 itself ignores,
/// with the length and hash of all bytes before it. HDF5 can crash on damaged bytes, so they are found before it sees
/// them. A file without a seal (made or changed by other software, which drops it) is read as it is.
enum class Integrity {
    automatic, ///< check files of up to 64 MiB
    check,     ///< read the whole file once and check
    trust      ///< do not check: for the other ranks, where one has checked a large file
};

/// A range of the slowest axis.
struct Rows {
    std::size_t first = 0;
    std::size_t count = 0;
};

/// What a thing in a file is.
enum class NodeKind { group, dataset, other };

/// An attribute with its value as text: lists as `a, b, c`, long ones cut.
struct AttributeText {
    std::string name;
    std::string text;
};

/// Describes a group or dataset.
struct Node {
    std::string path;
    NodeKind kind = NodeKind::other;
    std::string type;              ///< datasets: text, float64, int32, uint8, ...; for others what HDF5 calls them
    Shape shape;                   ///< of a dataset
    std::vector<std::string> axes; ///< of a dataset: the name of each axis' dimension scale, "" where none
    std::vector<AttributeText> attributes; ///< sorted by name, without those that only hold dimension scales together
};

/// More bytes than this in one read are refused unless the reader is opened with another limit.
inline constexpr std::size_t default_read_limit = std::size_t{16} << 30U;

/// Reads one HDF5 file, written by rondo or by anyone.
///
/// Numbers convert where no value can change silently: floating and integer types to double, integer types to int64 and
/// int32 (a value that does not fit is an error), text of fixed or variable length to std::string.
///
/// Ranks   local; every rank may open the same file. One thread at a time, over all files. Files are not locked
///         (HDF5_USE_FILE_LOCKING is set to FALSE unless the user has set it), because locking fails on cluster file
///         systems.
/// @throws InputError  no such file (the text names the nearest), a directory, or not HDF5
/// @throws StoreError  the file is damaged or cannot be read; a dataset is missing, of another type, or larger than the
/// limit Tests   tests/store/hdf5_read_test.cpp, tests/store/damage_test.cpp
class FileReader {
public:
    explicit FileReader(std::filesystem::path path, Integrity integrity = Integrity::automatic,
                        std::size_t max_bytes = default_read_limit);
    FileReader(FileReader&&) noexcept;
    FileReader& operator=(FileReader&&) noexcept;
    ~FileReader();

    [[nodiscard]] const std::filesystem::path& path() const;

    /// True if a group or dataset of this path exists.
    [[nodiscard]] bool exists(std::string_view path) const;
    [[nodiscard]] bool has_attribute(std::string_view object, std::string_view name) const;

    [[nodiscard]] Shape shape(std::string_view path) const;

    /// All values of a dataset, or those of a range of rows, row-major.
    template <Element T>
    [[nodiscard]] std::vector<T> read(std::string_view path) const;
    template <Element T>
    [[nodiscard]] std::vector<T> read(std::string_view path, Rows rows) const;

    /// The value of a dataset that holds exactly one.
    template <Element T>
    [[nodiscard]] T read_scalar(std::string_view path) const;

    /// All values of an attribute; the value of one that holds exactly one.
    template <Element T>
    [[nodiscard]] std::vector<T> attribute(std::string_view object, std::string_view name) const;
    template <Element T>
    [[nodiscard]] T attribute_scalar(std::string_view object, std::string_view name) const;

    /// Describe one object; describe what lies directly in a group, sorted by name. Links to elsewhere are not
    /// followed.
    [[nodiscard]] Node node(std::string_view path) const;
    [[nodiscard]] std::vector<Node> children(std::string_view group) const;

    /// See checksum.hpp.
    [[nodiscard]] std::uint64_t content_checksum() const;

private:
    std::unique_ptr<ReaderState> state_;
};

/// The version of the HDF5 library in use, for the provenance.
[[nodiscard]] std::string hdf5_version();

} // namespace rondo::store
