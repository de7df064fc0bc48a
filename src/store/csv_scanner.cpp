#include "csv_scanner.hpp"

#include <rondo/base/error.hpp>

#include <fmt/format.h>

namespace rondo::store {
namespace {

std::string trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    return first == text.npos ? std::string{}
                              : std::string{text.substr(first, text.find_last_not_of(blanks) + 1 - first)};
}

} // namespace

void CsvScanner::refuse(std::int64_t line, std::string_view why, std::string_view what_to_do) const {
    throw InputError{fmt::format("{}:{}: {}; {}", file_, line, why, what_to_do)};
}

void CsvScanner::skip_line_end() {
    at_ += text_.substr(at_).starts_with("\r\n") ? 2U : 1U;
    ++line_;
}

void CsvScanner::skip_blanks() {
    while (at_ < text_.size() && at_blank()) {
        ++at_;
    }
}

/// Skip comments and lines of nothing but blanks.
void CsvScanner::skip_ignored() {
    while (at_ < text_.size()) {
        const std::size_t start = at_;
        skip_blanks();
        if (at_ < text_.size() && text_[at_] == '#') {
            while (at_ < text_.size() && !at_line_end()) {
                ++at_;
            }
        } else if (at_ < text_.size() && !at_line_end()) {
            at_ = start;
            return;
        }
        if (at_ < text_.size()) {
            skip_line_end();
        }
    }
}

void CsvScanner::choose_separator() {
    skip_ignored();
    bool is_quoted = false, has_tab = false, has_semicolon = false;
    for (std::size_t i = at_; i < text_.size(); ++i) {
        const char c = text_[i];
        if (c == '"') {
            is_quoted = !is_quoted;
        } else if (is_quoted) {
            continue;
        } else if (c == ',' || c == '\n' || c == '\r') {
            has_tab = has_tab && c != ',';
            has_semicolon = has_semicolon && c != ',';
            break;
        }
        has_tab = has_tab || c == '\t';
        has_semicolon = has_semicolon || c == ';';
    }
    separator_ = has_tab ? '\t' : (has_semicolon ? ';' : ',');
}

bool CsvScanner::next(std::vector<std::string>& cells) {
    skip_ignored();
    if (at_ >= text_.size()) {
        return false;
    }
    record_line_ = line_;
    for (;;) {
        skip_blanks();
        cells.push_back(at_ < text_.size() && text_[at_] == '"' ? quoted_cell() : plain_cell());
        if (at_ >= text_.size()) {
            return true;
        }
        if (at_line_end()) {
            skip_line_end();
            return true;
        }
        ++at_; // the separator
    }
}

std::string CsvScanner::quoted_cell() {
    const std::int64_t opened = line_;
    std::string cell;
    for (++at_;; ++at_) {
        if (at_ >= text_.size()) {
            refuse(opened, "a quote is never closed", "close it, or double each quote inside a quoted cell");
        }
        if (text_[at_] == '"') {
            if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') {
                break;
            }
            ++at_;
        } else if (text_[at_] == '\n' || (text_[at_] == '\r' && !text_.substr(at_).starts_with("\r\n"))) {
            ++line_;
        }
        cell += text_[at_];
    }
    ++at_;
    skip_blanks();
    if (at_ < text_.size() && text_[at_] != separator_ && !at_line_end()) {
        refuse(line_, "text follows a closing quote", "double each quote inside a quoted cell");
    }
    return trimmed(cell);
}

std::string CsvScanner::plain_cell() {
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != separator_ && !at_line_end()) {
        if (text_[at_] == '"') {
            refuse(line_, "a quote stands in the middle of a cell",
                   "quote the whole cell and double each quote inside it");
        }
        ++at_;
    }
    return trimmed(text_.substr(start, at_ - start));
}

} // namespace rondo::store
