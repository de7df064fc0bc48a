#include "json.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rondo::app {

std::string Json::number(double value) { return std::isfinite(value) ? fmt::format("{:.17g}", value) : "null"; }

std::string Json::quoted(std::string_view value) {
    std::string text = "\"";
    for (const char c : value) {
        switch (c) {
        case '"':
            text += "\\\"";
            break;
        case '\\':
            text += "\\\\";
            break;
        case '\n':
            text += "\\n";
            break;
        default:
            if (static_cast<unsigned char>(c) < 0x20) {
                text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
            } else {
                text += c;
            }
        }
    }
    return text + "\"";
}

void Json::key(std::string_view name) { text_ += fmt::format("{}{}: ", text_.size() > 1 ? ", " : "", quoted(name)); }

Json& Json::add_raw(std::string_view name, std::string_view json) {
    key(name);
    text_ += json;
    return *this;
}
Json& Json::add(std::string_view name, double value) { return add_raw(name, number(value)); }
Json& Json::add(std::string_view name, std::int64_t value) { return add_raw(name, fmt::format("{}", value)); }
Json& Json::add(std::string_view name, bool value) { return add_raw(name, value ? "true" : "false"); }
Json& Json::add(std::string_view name, std::string_view value) { return add_raw(name, quoted(value)); }

Json& Json::add(std::string_view name, std::span<const double> values) {
    std::string list;
    for (const double value : values) {
        list += (list.empty() ? "" : ", ") + number(value);
    }
    return add_raw(name, "[" + list + "]");
}

Json& Json::add(std::string_view name, std::span<const std::string> values) {
    std::string list;
    for (const std::string& value : values) {
        list += (list.empty() ? "" : ", ") + quoted(value);
    }
    return add_raw(name, "[" + list + "]");
}

} // namespace rondo::app
