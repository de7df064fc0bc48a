#include <rondo/optimise/prior.hpp>

#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include "words.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <optional>

namespace rondo::optimise {

const std::vector<std::string>& prior_names() {
    static const std::vector<std::string> names{"normal",  "laplace",   "cauchy", "student_t",
                                                "uniform", "lognormal", "gamma"};
    return names;
}

std::string_view name_of(PriorKind kind) { return prior_names()[static_cast<std::size_t>(kind)]; }

namespace {

struct Argument {
    const char* name;
    bool is_positive;
};

/// The arguments of a distribution, in order.
const std::vector<Argument>& arguments_of(PriorKind kind) {
    static const std::array<std::vector<Argument>, 7> all{{
        {{"mean", false}, {"sigma", true}},
        {{"location", false}, {"scale", true}},
        {{"location", false}, {"scale", true}},
        {{"freedom", true}, {"location", false}, {"scale", true}},
        {{"lower", false}, {"upper", false}},
        {{"mu", false}, {"sigma", true}},
        {{"shape", true}, {"rate", true}},
    }};
    return all[static_cast<std::size_t>(kind)];
}

/// For instance `normal(mean, sigma)`.
std::string form_of(PriorKind kind) {
    std::vector<std::string> names;
    for (const Argument& argument : arguments_of(kind)) {
        names.emplace_back(argument.name);
    }
    return fmt::format("{}({})", name_of(kind), join(names));
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view{}
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The parts between commas; none for an empty list.
std::vector<std::string_view> split(std::string_view list) {
    std::vector<std::string_view> parts;
    if (trimmed(list).empty()) {
        return parts;
    }
    for (std::size_t comma = list.find(','); comma != std::string_view::npos; comma = list.find(',')) {
        parts.push_back(trimmed(list.substr(0, comma)));
        list.remove_prefix(comma + 1);
    }
    parts.push_back(trimmed(list));
    return parts;
}

[[noreturn]] void refuse(const std::string& where, std::string_view text, const std::string& rest) {
    throw InputError{fmt::format("{}: prior \"{}\" {}", where, text, rest)};
}

/// Standard residual (x - location) / scale, with the place of both among the arguments.
double standardised(const Prior& prior, double x, std::size_t location) {
    return (x - prior.arguments[location]) / prior.arguments[location + 1];
}

constexpr double log_root_two_pi = 0.91893853320467274178; // log(sqrt(2 pi))

} // namespace

Prior parse_prior(std::string_view text, const std::string& where) {
    const std::string_view whole = trimmed(text);
    const std::size_t open = whole.find('(');
    if (open == std::string_view::npos || whole.back() != ')') {
        refuse(where, text, "is not of the form name(number, number); write for instance \"normal(0, 1)\"");
    }
    const std::string_view name = trimmed(whole.substr(0, open));
    const std::optional<PriorKind> kind = value_named<PriorKind>(prior_names(), name);
    if (!kind) {
        refuse(where, text,
               fmt::format("names an unknown distribution \"{}\"{}", name, known_words_hint(name, prior_names())));
    }
    const std::vector<Argument>& wanted = arguments_of(*kind);
    const std::vector<std::string_view> given = split(whole.substr(open + 1, whole.size() - open - 2));
    if (given.size() != wanted.size()) {
        refuse(where, text,
               fmt::format("has {} argument{} where {} are needed; write {}", given.size(),
                           given.size() == 1 ? "" : "s", wanted.size(), form_of(*kind)));
    }
    Prior prior{*kind, {}};
    for (std::size_t i = 0; i < given.size(); ++i) {
        const std::optional<double> value = parse_number(given[i]);
        if (!value) {
            refuse(where, text,
                   fmt::format("has \"{}\" as {}, which is not a number; write {} with numbers", given[i],
                               wanted[i].name, form_of(*kind)));
        }
        if (wanted[i].is_positive && !(*value > 0)) {
            refuse(where, text,
                   fmt::format("has {} = {}, which is not positive; write {} with {} > 0", wanted[i].name,
                               number_text(*value), form_of(*kind), wanted[i].name));
        }
        prior.arguments.push_back(*value);
    }
    if (*kind == PriorKind::uniform && !(prior.arguments[0] < prior.arguments[1])) {
        refuse(where, text, "has no room between its bounds; write uniform(lower, upper) with lower < upper");
    }
    return prior;
}

double negative_log(const Prior& prior, double x) {
    const std::vector<double>& a = prior.arguments;
    expects(a.size() == arguments_of(prior.kind).size(), "a prior has the arguments of its kind");
    constexpr double nowhere = std::numeric_limits<double>::infinity();
    switch (prior.kind) {
    case PriorKind::normal: {
        const double z = standardised(prior, x, 0);
        return 0.5 * z * z + std::log(a[1]) + log_root_two_pi;
    }
    case PriorKind::laplace:
        return std::abs(standardised(prior, x, 0)) + std::log(2.0 * a[1]);
    case PriorKind::cauchy: {
        const double z = standardised(prior, x, 0);
        return std::log1p(z * z) + std::log(std::numbers::pi * a[1]);
    }
    case PriorKind::student_t: {
        const double z = standardised(prior, x, 1);
        return 0.5 * (a[0] + 1.0) * std::log1p(z * z / a[0]) + std::lgamma(0.5 * a[0]) -
               std::lgamma(0.5 * (a[0] + 1.0)) + 0.5 * std::log(a[0] * std::numbers::pi) + std::log(a[2]);
    }
    case PriorKind::uniform:
        return x >= a[0] && x <= a[1] ? std::log(a[1] - a[0]) : nowhere;
    case PriorKind::lognormal: {
        if (!(x > 0)) {
            return nowhere;
        }
        const double z = (std::log(x) - a[0]) / a[1];
        return 0.5 * z * z + std::log(x) + std::log(a[1]) + log_root_two_pi;
    }
    case PriorKind::gamma:
        return x > 0 ? a[1] * x - (a[0] - 1.0) * std::log(x) - a[0] * std::log(a[1]) + std::lgamma(a[0]) : nowhere;
    }
    return nowhere;
}

double negative_log_slope(const Prior& prior, double x) {
    const std::vector<double>& a = prior.arguments;
    expects(a.size() == arguments_of(prior.kind).size(), "a prior has the arguments of its kind");
    switch (prior.kind) {
    case PriorKind::normal:
        return standardised(prior, x, 0) / a[1];
    case PriorKind::laplace:
        return x == a[0] ? 0.0 : std::copysign(1.0 / a[1], x - a[0]);
    case PriorKind::cauchy: {
        const double z = standardised(prior, x, 0);
        return 2.0 * z / (a[1] * (1.0 + z * z));
    }
    case PriorKind::student_t: {
        const double z = standardised(prior, x, 1);
        return (a[0] + 1.0) * z / (a[2] * (a[0] + z * z));
    }
    case PriorKind::uniform:
        return 0.0;
    case PriorKind::lognormal:
        return x > 0 ? (1.0 + (std::log(x) - a[0]) / (a[1] * a[1])) / x : 0.0;
    case PriorKind::gamma:
        return x > 0 ? a[1] - (a[0] - 1.0) / x : 0.0;
    }
    return 0.0;
}

} // namespace rondo::optimise
