#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rondo::app {

/// Writes one JSON object. Doubles have 17 significant digits; NaN and infinities, which JSON lacks, become null.
class Json {
public:
    Json() { text_ = "{"; }
    Json& add(std::string_view key, double value);
    Json& add(std::string_view key, std::int64_t value);
    Json& add(std::string_view key, bool value);
    Json& add(std::string_view key, std::string_view value);
    Json& add(std::string_view key, const char* value) { return add(key, std::string_view{value}); }
    Json& add(std::string_view key, std::span<const double> values);
    Json& add(std::string_view key, std::span<const std::string> values);
    /// An object or array that is JSON already.
    Json& add_raw(std::string_view key, std::string_view json);
    [[nodiscard]] std::string text() const { return text_ + "}"; }

    [[nodiscard]] static std::string number(double value);
    [[nodiscard]] static std::string quoted(std::string_view value);

private:
    void key(std::string_view name);
    std::string text_;
};

} // namespace rondo::app
