#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::store {

/// Cuts the text of a CSV file into records of cells.
class CsvScanner {
public:
    /// @param text  outlives the scanner; begins after any byte order mark
    /// @param file  for messages
    CsvScanner(std::string_view text, std::string_view file) : text_{text}, file_{file} {}

    /// Comma, or where the next record has none outside quotes a tab, else a semicolon, else a comma.
    void choose_separator();

    /// Append the cells of the next record that is no comment and not empty; false at the end.
    /// @throws InputError  a quote is never closed, or stands or ends in the middle of a cell
    [[nodiscard]] bool next(std::vector<std::string>& cells);

    /// Line on which the last record began.
    [[nodiscard]] std::int64_t line() const { return record_line_; }

private:
    [[nodiscard]] bool at_line_end() const { return text_[at_] == '\n' || text_[at_] == '\r'; }
    [[nodiscard]] bool at_blank() const { return text_[at_] == ' ' || (text_[at_] == '\t' && separator_ != '\t'); }
    void skip_line_end();
    void skip_blanks();
    void skip_ignored();
    [[nodiscard]] std::string quoted_cell();
    [[nodiscard]] std::string plain_cell();
    [[noreturn]] void refuse(std::int64_t line, std::string_view why, std::string_view what_to_do) const;

    std::string_view text_;
    std::string_view file_;
    std::size_t at_ = 0;
    char separator_ = ',';
    std::int64_t line_ = 1;
    std::int64_t record_line_ = 1;
};

} // namespace rondo::store
