#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::store {

/// A CSV file in memory, all cells as text.
struct Table {
    std::string file;                 ///< path as given, for messages
    std::vector<std::string> columns; ///< not empty, no two alike
    std::vector<std::string> cells;   ///< row-major [n_rows x columns.size()], surrounding blanks removed
    std::vector<std::int64_t> lines;  ///< [n_rows] line of the file on which each row begins

    [[nodiscard]] std::size_t n_rows() const { return lines.size(); }
    [[nodiscard]] const std::string& cell(std::size_t row, std::size_t column) const;

    [[nodiscard]] std::optional<std::size_t> find(std::string_view column) const;

    /// @throws InputError  no such column; names the known and the nearest
    [[nodiscard]] std::size_t require(std::string_view column) const;

    /// The finite number in a cell.
    /// @throws InputError  it is none; names file, line, column and text
    [[nodiscard]] double number(std::size_t row, std::size_t column) const;

    /// As `number`, but NaN for the usual marks of a missing value: an empty cell, NA, NaN, nan or a single point.
    [[nodiscard]] double number_or_nan(std::size_t row, std::size_t column) const;
};

/// What a table may need at most; more is an error before the memory is taken.
struct CsvLimits {
    std::uint64_t max_bytes = std::uint64_t{8} << 30U;
    std::size_t max_cells = std::size_t{1} << 28U;
};

/// Read a CSV table: the first line names the columns, each further line is a row.
///
/// RFC 4180 quotes (separators, line ends and doubled quotes inside them); line ends LF, CRLF or CR; a UTF-8 byte order
/// mark; separated by comma, or where the header has none by tab, else by semicolon. Empty lines and lines that begin
/// with
/// `#` are skipped.
///
/// Ranks   local
/// Cost    about 5 times the file's size in memory, for short cells more
/// @throws InputError  the file is missing (names the nearest), empty, too large, not UTF-8 text, or a row, quote or
/// column name is wrong;
///                     the text names file and line
/// @throws StoreError  reading failed
/// Source  RFC 4180
/// Tests   tests/store/csv_test.cpp
[[nodiscard]] Table read_csv(const std::filesystem::path& path, const CsvLimits& limits = {});

/// Write a table (replaced atomically) that `read_csv` reads back as the same cells, but for surrounding blanks.
///
/// @param columns  names, not empty
/// @param cells    row-major [rows x columns.size()]
/// @throws StoreError  the file cannot be written
void write_csv(const std::filesystem::path& path, std::span<const std::string> columns,
               std::span<const std::string> cells);

} // namespace rondo::store
