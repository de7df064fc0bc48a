#include "strange.hpp"

#include "place.hpp"

#include <fmt/format.h>

namespace rondo::expression {
namespace {

struct Habit {
    std::string_view written;
    std::string_view advice;
};

constexpr std::string_view brackets =
    "has no meaning here (there is no indexing, and only ( and ) group); write ( and )";
constexpr std::string_view conditional = "is not an operator; write if(condition, a, b)";

/// Longer spellings before their beginnings.
constexpr Habit habits[] = {
    {"**", "is not an operator; write ^ for powers"},
    {"===", "is not an operator; write =="},
    {"!==", "is not an operator; write !="},
    {"=<", "is not an operator; write <="},
    {"=>", "is not an operator; write >="},
    {"<>", "is not an operator; write !="},
    {"//", "is not an operator; write floor(a/b) for whole division"},
    {"?", conditional},
    {":", conditional},
    {"[", brackets},
    {"]", brackets},
    {"{", brackets},
    {"}", brackets},
    {"%", "is not an operator; write a - b*floor(a/b) for the remainder"},
    {"#", "has no meaning in an expression (comments are not allowed); remove it"},
    {";", "has no meaning in an expression (there is one expression a text); remove it"},
};

/// Signs of typeset formulas.
struct Sign {
    char32_t code;
    std::string_view advice;
};
constexpr Sign signs[] = {
    {0xD7, "*"},           {0xB7, "*"},   {0x22C5, "*"},     {0x2219, "*"},       {0x2212, "-"},       {0x2013, "-"},
    {0x2014, "-"},         {0x2010, "-"}, {0xF7, "/"},       {0x2044, "/"},       {0xB2, "^2"},        {0xB3, "^3"},
    {0x221A, "sqrt(...)"}, {0x3C0, "pi"}, {0x2264, "<="},    {0x2265, ">="},      {0x2260, "!="},      {0x2227, "and"},
    {0x2228, "or"},        {0xAC, "not"}, {0xA0, "a blank"}, {0x202F, "a blank"}, {0x2009, "a blank"},
};

std::string explain_character(std::string_view rest) {
    const Character c = character_at(rest, 0);
    if (c.code == 0xFFFD && c.size_bytes == 1) {
        return fmt::format("the byte 0x{:02X} is not UTF-8; save the file as UTF-8 and write names in ASCII",
                           static_cast<unsigned>(static_cast<unsigned char>(rest[0])));
    }
    const auto number = static_cast<std::uint32_t>(c.code);
    if (number < 0x80) {
        return is_visible(c.code)
                   ? fmt::format("the character \"{}\" has no meaning in an expression; remove it", rest[0])
                   : fmt::format("the control character 0x{:02X} is not allowed; remove it", number);
    }
    const std::string shown = is_visible(c.code) ? fmt::format(" \"{}\"", rest.substr(0, c.size_bytes)) : std::string{};
    for (const Sign& sign : signs) {
        if (sign.code == c.code) {
            return fmt::format("the character{} (U+{:04X}) is not ASCII; write {}", shown, number, sign.advice);
        }
    }
    return fmt::format("the character{} (U+{:04X}) is not ASCII (names are letters, digits and underscores); "
                       "write it in ASCII, for instance \"alpha\"",
                       shown, number);
}

} // namespace

std::string explain_strange(std::string_view rest) {
    for (const Habit& habit : habits) {
        if (rest.starts_with(habit.written)) {
            return fmt::format("\"{}\" {}", habit.written, habit.advice);
        }
    }
    const char c = rest[0], next = rest.size() > 1 ? rest[1] : '\0';
    if ((c == '&' || c == '|') && next != c) {
        return fmt::format("\"{}\" is not an operator; write {}", c, c == '&' ? "and" : "or");
    }
    if (c == '=' && next != '=') {
        return "\"=\" is not a comparison (and nothing is assigned here); write == to compare";
    }
    return std::string_view{"+-*/^(),<>=!&|"}.find(c) != std::string_view::npos ? std::string{}
                                                                                : explain_character(rest);
}

std::string_view explain_foreign_function(std::string_view name) {
    constexpr Habit functions[] = {
        {"ln", "log(x), the natural logarithm"},
        {"log2", "log(x)/log(2)"},
        {"fabs", "abs(x)"},
        {"arcsin", "asin(x)"},
        {"arccos", "acos(x)"},
        {"arctan", "atan(x)"},
        {"power", "x^y"},
        {"sqr", "x^2"},
        {"square", "x^2"},
        {"cbrt", "x^(1/3)"},
        {"sgn", "sign(x)"},
        {"ceiling", "ceil(x)"},
        {"round", "floor(x + 0.5)"},
        {"mod", "a - b*floor(a/b)"},
        {"fmod", "a - b*floor(a/b)"},
        {"sigmoid", "1/(1 + exp(-x))"},
        {"logistic", "1/(1 + exp(-x))"},
        {"heaviside", "if(x > 0, 1, 0), or step(x, width) for a smooth one"},
        {"ifelse", "if(condition, a, b)"},
        {"where", "if(condition, a, b)"},
        {"piecewise", "if(condition, a, b)"},
    };
    for (const Habit& habit : functions) {
        if (habit.written == name) {
            return habit.advice;
        }
    }
    return {};
}

std::string_view explain_foreign_name(std::string_view name) {
    constexpr Habit names[] = {
        {"true", "1"},  {"True", "1"}, {"false", "0"}, {"False", "0"}, {"Pi", "pi"}, {"PI", "pi"},
        {"AND", "and"}, {"OR", "or"},  {"NOT", "not"}, {"And", "and"}, {"Or", "or"}, {"Not", "not"},
    };
    for (const Habit& habit : names) {
        if (habit.written == name) {
            return habit.advice;
        }
    }
    return {};
}

} // namespace rondo::expression
