#include "csv_scanner.hpp"

#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>
#include <rondo/store/csv.hpp>
#include <rondo/store/text_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace rondo::store {
namespace {

/// Line of the first byte sequence that is not UTF-8 or NUL.
std::int64_t line_of_bad_text(std::string_view text) {
    std::int64_t line = 1;
    for (std::size_t start = 0; start < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string_view one = text.substr(start, end - start);
        if (!is_utf8(one) || one.find('\0') != one.npos) {
            break;
        }
        start = end + 1;
    }
    return line;
}

void require_text(std::string_view text, const std::string& file) {
    constexpr std::string_view hdf5 = "\x89HDF", gzip = "\x1f\x8b", utf16 = "\xff\xfe", utf16_swapped = "\xfe\xff";
    if (text.starts_with(hdf5)) {
        throw InputError{fmt::format("{}: is an HDF5 file, not CSV; give its name the ending .h5", file)};
    }
    if (text.starts_with(gzip)) {
        throw InputError{fmt::format("{}: is compressed with gzip; unpack it first", file)};
    }
    if (text.starts_with(utf16) || text.starts_with(utf16_swapped)) {
        throw InputError{fmt::format("{}: is UTF-16 text; save it as UTF-8", file)};
    }
    if (!is_utf8(text) || text.find('\0') != text.npos) {
        throw InputError{
            fmt::format("{}:{}: is not UTF-8 text (a NUL byte or another encoding, such as Latin-1); save it as UTF-8",
                        file, line_of_bad_text(text))};
    }
}

void require_good_header(const Table& table, std::int64_t line) {
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const std::string& name = table.columns[i];
        if (name.empty()) {
            throw InputError{fmt::format("{}:{}: column {} has no name; name every column in the first line",
                                         table.file, line, i + 1)};
        }
        if (!seen.insert(name).second) {
            throw InputError{
                fmt::format("{}:{}: two columns are called \"{}\"; give each its own name", table.file, line, name)};
        }
    }
    if (std::ranges::all_of(table.columns, [](const std::string& name) { return parse_number(name).has_value(); })) {
        throw InputError{fmt::format("{}:{}: the first line holds numbers; begin with a line that names the columns",
                                     table.file, line)};
    }
}

/// A cell that reads back as itself.
std::string quoted_where_needed(const std::string& cell) {
    if (!cell.empty() && cell.find_first_of(",;\t\"\r\n") == cell.npos && cell.front() != '#' && cell.front() != ' ' &&
        cell.back() != ' ') {
        return cell;
    }
    std::string quoted = "\"";
    for (const char c : cell) {
        quoted += c;
        if (c == '"') {
            quoted += c;
        }
    }
    return quoted + "\"";
}

std::string as_lines(std::span<const std::string> cells, std::size_t n_columns) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool is_empty_line = n_columns == 1 && cells[i].empty();
        text += cells[i].empty() && !is_empty_line ? "" : quoted_where_needed(cells[i]);
        text += (i + 1) % n_columns == 0 ? '\n' : ',';
    }
    return text;
}

} // namespace

const std::string& Table::cell(std::size_t row, std::size_t column) const {
    expects(row < n_rows() && column < columns.size(), "a cell lies inside its table");
    return cells[row * columns.size() + column];
}

std::optional<std::size_t> Table::find(std::string_view column) const {
    const auto found = std::ranges::find(columns, column);
    return found == columns.end() ? std::nullopt : std::optional{static_cast<std::size_t>(found - columns.begin())};
}

std::size_t Table::require(std::string_view column) const {
    if (const auto found = find(column)) {
        return *found;
    }
    throw InputError{fmt::format("{}: column \"{}\" is missing{}", file, column, known_words_hint(column, columns))};
}

double Table::number(std::size_t row, std::size_t column) const {
    const std::string& text = cell(row, column);
    if (const auto value = parse_number(text)) {
        return *value;
    }
    std::string with_point = text;
    std::ranges::replace(with_point, ',', '.');
    throw InputError{fmt::format("{}:{}: column \"{}\": \"{}\" is not a finite number; {}", file, lines[row],
                                 columns[column], text,
                                 with_point != text && parse_number(with_point) ? "write the decimal sign as a point"
                                                                                : "write one, such as 1.5e-3")};
}

double Table::number_or_nan(std::size_t row, std::size_t column) const {
    const std::string& text = cell(row, column);
    const bool is_missing = text.empty() || text == "NA" || text == "NaN" || text == "nan" || text == ".";
    return is_missing ? std::numeric_limits<double>::quiet_NaN() : number(row, column);
}

Table read_csv(const std::filesystem::path& path, const CsvLimits& limits) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    Table table;
    table.file = path.string();
    const std::string whole = read_text(path, limits.max_bytes);
    require_text(whole, table.file);
    std::string_view text = whole;
    text.remove_prefix(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
    CsvScanner scanner{text, table.file};
    scanner.choose_separator();
    if (!scanner.next(table.columns)) {
        throw InputError{fmt::format("{}: is empty; begin with a line that names the columns", table.file)};
    }
    require_good_header(table, scanner.line());
    const std::size_t n_columns = table.columns.size();
    while (scanner.next(table.cells)) {
        const std::size_t n_cells = table.cells.size() - table.lines.size() * n_columns;
        if (n_cells != n_columns) {
            throw InputError{
                fmt::format("{}:{}: the row has {} cells but the header names {} columns ({}); add or remove cells",
                            table.file, scanner.line(), n_cells, n_columns, join(table.columns))};
        }
        if (table.cells.size() > limits.max_cells) {
            throw InputError{fmt::format("{}:{}: the table has more than {} cells; store data of this size as HDF5",
                                         table.file, scanner.line(), limits.max_cells)};
        }
        table.lines.push_back(scanner.line());
    }
    return table;
}

void write_csv(const std::filesystem::path& path, std::span<const std::string> columns,
               std::span<const std::string> cells) {
    expects(!columns.empty() && cells.size() % columns.size() == 0, "a table has columns and whole rows");
    atomic_write_text(path, as_lines(columns, columns.size()) + as_lines(cells, columns.size()));
}

} // namespace rondo::store
