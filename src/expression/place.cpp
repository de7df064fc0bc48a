#include "place.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace rondo::expression {
namespace {

/// What the terminal shows of a line, one entry a character: tabs as one blank, invisible characters as `?`.
std::vector<std::string> shown_characters(std::string_view line) {
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < line.size();) {
        const Character c = character_at(line, i);
        const bool is_broken = c.code == 0xFFFD;
        shown.emplace_back(c.code == '\t'                       ? " "
                           : (is_broken || !is_visible(c.code)) ? "?"
                                                                : line.substr(i, c.size_bytes));
        i += c.size_bytes;
    }
    return shown;
}

} // namespace

Character character_at(std::string_view text, std::size_t place) {
    for (std::size_t n = 1; n <= 4 && place + n <= text.size(); ++n) {
        const std::string_view bytes = text.substr(place, n);
        if (is_utf8(bytes)) {
            constexpr unsigned lead_bits[] = {0x7F, 0x1F, 0x0F, 0x07};
            char32_t code = static_cast<unsigned char>(bytes[0]) & lead_bits[n - 1];
            for (const char next : bytes.substr(1)) {
                code = (code << 6U) | (static_cast<unsigned char>(next) & 0x3FU);
            }
            return {code, n};
        }
    }
    return {0xFFFD, 1};
}

bool is_visible(char32_t code) {
    const bool is_control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const bool is_format = (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
                           (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF;
    return !is_control && !is_format;
}

std::string sentence_at(const Source& source, std::size_t place, std::string_view message) {
    const std::string_view text = source.text;
    const std::size_t before = place == 0 ? std::string_view::npos : text.find_last_of("\r\n", place - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::size_t end = std::min(text.find_first_of("\r\n", place), text.size());
    const std::vector<std::string> line = shown_characters(text.substr(begin, end - begin));
    const std::size_t column = shown_characters(text.substr(begin, place - begin)).size();

    constexpr std::size_t window = 100;
    std::size_t from = 0, to = line.size();
    if (line.size() > window) {
        from = std::min(column > window / 2 ? column - window / 2 : 0, line.size() - window);
        to = from + window;
    }
    const std::string left = from > 0 ? "..." : "", right = to < line.size() ? "..." : "";
    std::string shown;
    for (std::size_t i = from; i < to; ++i) {
        shown += line[i];
    }
    return fmt::format("{}: {}\n{}{}{}\n{}^", source.where, message, left, shown, right,
                       std::string(left.size() + column - from, ' '));
}

void fail_at(const Source& source, std::size_t place, std::string_view message) {
    throw InputError{sentence_at(source, place, message)};
}

} // namespace rondo::expression
