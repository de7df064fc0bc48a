#include "complain.hpp"

#include "functions.hpp"
#include "strange.hpp"

#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <string>
#include <vector>

namespace rondo::expression {

std::string complain_unknown_name(std::string_view name, const Scope& scope) {
    if (const Function* const function = find_function(name)) {
        return fmt::format("\"{}\" is a function and needs its arguments; write {}", name, function->usage);
    }
    if (const auto advice = explain_foreign_name(name); !advice.empty()) {
        return fmt::format("the name \"{}\" is unknown; write {}", name, advice);
    }
    if (name == "t" || name == "index") {
        return fmt::format("\"{}\" ({}) has no meaning here; remove it", name,
                           name == "t" ? "time" : "the number of the trajectory");
    }
    std::vector<std::string> names;
    for (const auto& [known, id] : scope.names) {
        names.push_back(known);
    }
    return fmt::format("the name \"{}\" is unknown{}", name, known_words_hint(name, names));
}

std::string complain_unknown_function(std::string_view name, const Scope& scope) {
    if (scope.names.contains(name) || name == "pi" || name == "e") {
        return fmt::format("\"{0}\" is a name here, not a function; write {0}*(...) to multiply", name);
    }
    if (const auto advice = explain_foreign_function(name); !advice.empty()) {
        return fmt::format("the function \"{}\" is unknown; write {}", name, advice);
    }
    return fmt::format("the function \"{}\" is unknown{}", name,
                       known_words_hint(name, function_names(scope.allows_random)));
}

std::string complain_missing_value(const Token& found) {
    if (found.kind == Token::Kind::end) {
        return "the expression ends where a value is expected; write what is missing";
    }
    if (found.symbol == "not") {
        return fmt::format("\"{0}\" cannot stand here (it binds looser than comparisons and arithmetic); "
                           "put parentheses around it: ({0} ...)",
                           found.spelling);
    }
    return fmt::format("a value is missing before \"{}\"; write it", found.spelling);
}

std::string complain_missing_operator(const Token& found, std::string_view text) {
    if (found.symbol == ")") {
        return "this \")\" closes nothing; remove it, or add \"(\" before";
    }
    if (found.symbol == ",") {
        return looks_decimal(text, found.place)
                   ? "a comma is no decimal point; write decimal numbers with a point"
                   : "a comma has no meaning here (it only separates the arguments of a function); remove it";
    }
    if (const auto advice = explain_foreign_name(found.spelling); advice == "and" || advice == "or") {
        return fmt::format("\"{}\" is not an operator; write {}", found.spelling, advice);
    }
    return fmt::format("an operator is missing before \"{}\"; write * to multiply", found.spelling);
}

bool looks_decimal(std::string_view text, std::size_t comma) {
    const auto is_digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    return comma > 0 && is_digit(comma - 1) && is_digit(comma + 1);
}

} // namespace rondo::expression
