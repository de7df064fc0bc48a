#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::testing {

/// A JSON value as tests read it: numbers stay text until asked for.
struct Json {
    std::string text;               ///< of a string, number or word
    std::vector<Json> items;        ///< of an array or object
    std::vector<std::string> names; ///< of an object's items

    [[nodiscard]] const Json& operator[](std::string_view name) const {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] == name) {
                return items[i];
            }
        }
        throw std::runtime_error{"JSON has no member " + std::string{name}};
    }
    [[nodiscard]] const Json& operator[](std::size_t i) const { return items.at(i); }
    [[nodiscard]] std::size_t size() const { return items.size(); }
    /// The number that the text spells, or a quotient of two such as `8/3`.
    [[nodiscard]] double number() const {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        return *end == '/' ? value / std::strtod(end + 1, nullptr) : value;
    }
    [[nodiscard]] std::vector<double> numbers() const {
        std::vector<double> values;
        for (const Json& item : items) {
            values.push_back(item.number());
        }
        return values;
    }
    [[nodiscard]] std::vector<std::string> texts() const {
        std::vector<std::string> values;
        for (const Json& item : items) {
            values.push_back(item.text);
        }
        return values;
    }
};

/// Reads well-formed JSON (escapes in strings are kept as they stand).
class JsonReader {
public:
    explicit JsonReader(std::string_view text) : text_{text} {}

    Json value() {
        skip();
        Json json;
        if (take('{')) {
            while (!take('}')) {
                json.names.push_back(string());
                expect(':');
                json.items.push_back(value());
                take(',');
            }
        } else if (take('[')) {
            while (!take(']')) {
                json.items.push_back(value());
                take(',');
            }
        } else if (peek() == '"') {
            json.text = string();
        } else {
            while (at_ < text_.size() && std::string_view{",]} \t\r\n"}.find(text_[at_]) == std::string_view::npos) {
                json.text += text_[at_++];
            }
        }
        return json;
    }

private:
    [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip() {
        while (at_ < text_.size() && std::string_view{" \t\r\n"}.find(text_[at_]) != std::string_view::npos) {
            ++at_;
        }
    }
    bool take(char c) {
        skip();
        if (peek() != c) {
            return false;
        }
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!take(c)) {
            throw std::runtime_error{"JSON: expected " + std::string(1, c) + " at " + std::to_string(at_)};
        }
    }
    std::string string() {
        expect('"');
        std::string text;
        while (peek() != '"') {
            if (peek() == '\\') {
                text += text_[at_++];
            }
            if (at_ >= text_.size()) {
                throw std::runtime_error{"JSON: a string does not end"};
            }
            text += text_[at_++];
        }
        ++at_;
        return text;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

inline Json read_json(const std::filesystem::path& path) {
    std::ifstream file{path};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (text.empty()) {
        throw std::runtime_error{"cannot read " + path.string()};
    }
    return JsonReader{text}.value();
}

} // namespace rondo::testing
