#include "keys.hpp"

#include "value_text.hpp"

#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace rondo::job {

bool Range::holds(double value) const {
    const bool reaches = lower_open ? value > lower : value >= lower;
    const bool stays = upper_open ? value < upper : value <= upper;
    return reaches && stays;
}

std::string Range::text() const {
    const bool has_lower = std::isfinite(lower), has_upper = std::isfinite(upper);
    if (has_lower && has_upper && !lower_open && !upper_open) {
        return fmt::format(" from {} to {}", number_text(lower), number_text(upper));
    }
    const std::string low =
        has_lower ? fmt::format(" {} {}", lower_open ? "above" : "of at least", number_text(lower)) : "";
    const std::string high =
        has_upper ? fmt::format(" {} {}", upper_open ? "below" : "of at most", number_text(upper)) : "";
    return low + (has_lower && has_upper ? " and" : "") + high;
}

Range any_number() { return {}; }
Range at_least(double lower) { return {.lower = lower}; }
Range above(double lower) { return {.lower = lower, .lower_open = true}; }
Range from_to(double lower, double upper) { return {.lower = lower, .upper = upper}; }
Range from_below(double lower, double upper) { return {.lower = lower, .upper = upper, .upper_open = true}; }
Range between(double lower, double upper) {
    return {.lower = lower, .upper = upper, .lower_open = true, .upper_open = true};
}

namespace {

Key make(std::string name, Kind kind, std::string sentence) {
    Key key;
    key.name = std::move(name);
    key.kind = kind;
    key.sentence = std::move(sentence);
    return key;
}

} // namespace

Key number_if(std::string name, Range range, std::string sentence) {
    Key key = make(std::move(name), Kind::number, std::move(sentence));
    key.range = range;
    return key;
}

Key number(std::string name, double fallback, Range range, std::string sentence) {
    Key key = number_if(std::move(name), range, std::move(sentence));
    key.fallback = fallback;
    return key;
}

Key whole(std::string name, std::int64_t fallback, Range range, std::string sentence) {
    Key key = make(std::move(name), Kind::whole, std::move(sentence));
    key.fallback = fallback;
    key.range = range;
    return key;
}

Key flag(std::string name, bool fallback, std::string sentence) {
    Key key = make(std::move(name), Kind::flag, std::move(sentence));
    key.fallback = fallback;
    return key;
}

Key text(std::string name, std::string sentence) {
    Key key = make(std::move(name), Kind::text, std::move(sentence));
    key.fallback = std::string{};
    return key;
}

Key path(std::string name, std::string sentence) {
    Key key = make(std::move(name), Kind::path, std::move(sentence));
    key.fallback = std::string{};
    return key;
}

Key word(std::string name, std::string fallback, std::vector<std::string> words, std::string sentence) {
    Key key = make(std::move(name), Kind::word, std::move(sentence));
    key.fallback = std::move(fallback);
    key.words = std::move(words);
    return key;
}

Key names(std::string name, std::string sentence) { return make(std::move(name), Kind::names, std::move(sentence)); }

Key table(std::string name, std::string sentence) { return make(std::move(name), Kind::table, std::move(sentence)); }

Key several(std::string name, std::string wanted_forms, std::string sentence) {
    Key key = make(std::move(name), Kind::several, std::move(sentence));
    key.wanted = std::move(wanted_forms);
    return key;
}

Key required(Key key) {
    key.fallback = std::monostate{};
    key.required = true;
    return key;
}

Key shown_as(Key key, std::string fallback_words) {
    key.fallback_text = std::move(fallback_words);
    return key;
}

std::string wanted(const Key& key) {
    switch (key.kind) {
    case Kind::number:
        return "a number" + key.range.text();
    case Kind::whole:
        return "a whole number" + key.range.text();
    case Kind::flag:
        return "true or false";
    case Kind::text:
        return "a string";
    case Kind::path:
        return "a string with a path";
    case Kind::word:
        return "one of " + quoted_list(key.words);
    case Kind::names:
        return "a list of names";
    case Kind::table:
        return "a table";
    case Kind::several:
        break;
    }
    return key.wanted;
}

std::string fallback_text(const Key& key) {
    if (!key.fallback_text.empty()) {
        return key.fallback_text;
    }
    if (const auto* value = std::get_if<double>(&key.fallback)) {
        return number_text(*value);
    }
    if (const auto* value = std::get_if<std::int64_t>(&key.fallback)) {
        return std::to_string(*value);
    }
    if (const auto* value = std::get_if<bool>(&key.fallback)) {
        return *value ? "true" : "false";
    }
    const auto* value = std::get_if<std::string>(&key.fallback);
    return value != nullptr ? *value : std::string{};
}

} // namespace rondo::job
