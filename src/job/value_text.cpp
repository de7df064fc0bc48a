#include "value_text.hpp"

#include "ordered.hpp"

#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

namespace rondo::job {
namespace {

/// A double that TOML reads back as a double, not as a whole number.
std::string float_text(double value) {
    const std::string text = number_text(value);
    const bool is_float = !std::isfinite(value) || text.find_first_of(".e") != std::string::npos;
    return is_float ? text : text + ".0";
}

std::string table_text(const toml::table& table) {
    std::vector<std::string> parts;
    for (const Entry& entry : in_file_order(table)) {
        parts.push_back(fmt::format("{} = {}", key_text(entry.name), value_text(*entry.node)));
    }
    return parts.empty() ? "{}" : fmt::format("{{ {} }}", join(parts));
}

} // namespace

std::string value_text(const toml::node& node) {
    if (const auto* text = node.as_string()) {
        return in_quotes(text->get());
    }
    if (const auto* number = node.as_floating_point()) {
        return float_text(number->get());
    }
    if (const auto* number = node.as_integer()) {
        return std::to_string(number->get());
    }
    if (const auto* flag = node.as_boolean()) {
        return flag->get() ? "true" : "false";
    }
    if (const auto* list = node.as_array()) {
        std::vector<std::string> parts;
        for (const toml::node& item : *list) {
            parts.push_back(value_text(item));
        }
        return fmt::format("[{}]", join(parts));
    }
    if (const auto* table = node.as_table()) {
        return table_text(*table);
    }
    std::ostringstream out;
    node.visit([&](const auto& value) { out << value; });
    return out.str();
}

std::string shown(const toml::node& node) {
    if (node.is_table()) {
        return "{...}";
    }
    constexpr std::size_t longest = 60;
    std::string text = value_text(node);
    if (text.size() > longest) {
        std::size_t end = longest;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
            --end; // not inside a character
        }
        text = text.substr(0, end) + "...";
    }
    return text;
}

std::string setting_text(const toml::node& node) {
    if (const auto* text = node.as_string()) {
        return text->get();
    }
    if (const auto* number = node.as_floating_point()) {
        return number_text(number->get());
    }
    return value_text(node);
}

std::string kind_text(const toml::node& node) {
    switch (node.type()) {
    case toml::node_type::string:
        return "a string";
    case toml::node_type::integer:
        return "a whole number";
    case toml::node_type::floating_point:
        return "a number with a decimal point";
    case toml::node_type::boolean:
        return "a boolean";
    case toml::node_type::array:
        return "a list";
    case toml::node_type::table:
        return "a table";
    default:
        return "a date or time";
    }
}

std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\t':
            out += "\\t";
            break;
        case '\r':
            out += "\\r";
            break;
        default: {
            const auto byte = static_cast<unsigned char>(c);
            out += byte < 0x20 || byte == 0x7F ? fmt::format("\\u{:04X}", byte) : std::string{c};
        }
        }
    }
    return out + '"';
}

std::string key_text(std::string_view key) {
    const auto is_bare = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    };
    return !key.empty() && std::ranges::all_of(key, is_bare) ? std::string{key} : in_quotes(key);
}

std::string quoted_list(std::span<const std::string> words) {
    std::vector<std::string> parts;
    for (const std::string& one : words) {
        parts.push_back(in_quotes(one));
    }
    return join(parts);
}

} // namespace rondo::job
