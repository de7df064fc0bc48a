#include "lexer.hpp"

#include "strange.hpp"

#include <rondo/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace rondo::expression {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// The letters, digits and underscores from `place` on.
std::string_view word_at(std::string_view text, std::size_t place) {
    std::size_t end = place;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) {
        ++end;
    }
    return text.substr(place, end - place);
}

/// "and", "or", "not" or nothing.
std::string_view logic_word(std::string_view word) {
    return word == "and" || word == "or" || word == "not" ? word : std::string_view{};
}

/// What stands right behind a number must not look like a part of it.
void check_number_end(const Source& source, std::string_view number, std::size_t end) {
    if (end < source.text.size() && source.text[end] == '.') {
        fail_at(source, end, fmt::format("the number {}. has a second decimal point; remove one", number));
    }
    const std::string_view tail = word_at(source.text, end);
    if (tail.empty() || !logic_word(tail).empty()) {
        return;
    }
    const std::string written = fmt::format("\"{}{}\" is neither a number nor a name", number, tail);
    const bool has_digit = tail.size() > 1 && std::ranges::all_of(tail.substr(1), is_digit);
    if ((tail[0] == 'd' || tail[0] == 'D') && has_digit) {
        fail_at(source, end, fmt::format("{}; write {}e{} for a power of ten", written, number, tail.substr(1)));
    }
    if (tail[0] == '_') {
        fail_at(source, end, fmt::format("{}; write numbers without underscores", written));
    }
    if (tail == "e" || tail == "E") {
        fail_at(source, end,
                fmt::format("{} (an exponent needs digits, as in {}e3); write {}*e for the constant e", written, number,
                            number));
    }
    fail_at(source, end, fmt::format("{}; write {}*{} to multiply", written, number, tail));
}

Token read_number(const Source& source, std::size_t place) {
    const char* const begin = source.text.data() + place;
    Token token{Token::Kind::number, place, {}, {}, 0};
    const auto [end, status] = std::from_chars(begin, source.text.data() + source.text.size(), token.value);
    token.spelling = source.text.substr(place, static_cast<std::size_t>(end - begin));
    if (status != std::errc{}) {
        fail_at(source, place,
                fmt::format("the number {} is out of range (doubles reach from 5e-324 to 1.8e308); "
                            "write a number inside, or 0",
                            token.spelling));
    }
    check_number_end(source, token.spelling, place + token.spelling.size());
    return token;
}

} // namespace

Token read_token(const Source& source, std::size_t place) {
    const std::string_view text = source.text;
    while (place < text.size() && is_blank(text[place])) {
        ++place;
    }
    if (place == text.size()) {
        while (place > 0 && is_blank(text[place - 1])) {
            --place;
        }
        return {Token::Kind::end, place, {}, {}, 0};
    }
    const char c = text[place];
    if (is_digit(c) || (c == '.' && place + 1 < text.size() && is_digit(text[place + 1]))) {
        return read_number(source, place);
    }
    if (is_letter(c)) {
        const std::string_view word = word_at(text, place), logic = logic_word(word);
        return {logic.empty() ? Token::Kind::name : Token::Kind::symbol, place, word, logic, 0};
    }
    if (const std::string strange = explain_strange(text.substr(place)); !strange.empty()) {
        fail_at(source, place, strange);
    }
    for (const std::string_view pair : {"<=", ">=", "==", "!=", "&&", "||"}) {
        if (text.substr(place, 2) == pair) {
            return {Token::Kind::symbol, place, pair, pair == "&&" ? "and" : (pair == "||" ? "or" : pair), 0};
        }
    }
    const std::string_view one = text.substr(place, 1);
    return {Token::Kind::symbol, place, one, one == "!" ? "not" : one, 0};
}

} // namespace rondo::expression
