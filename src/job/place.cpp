#include "place.hpp"

#include <fmt/format.h>

namespace rondo::job {

bool is_override(const toml::source_region& source) {
    return source.path != nullptr && source.path->starts_with("--set ");
}

std::string place(const toml::source_region& source, const std::string& file) {
    if (is_override(source)) {
        return *source.path;
    }
    return source.begin.line > 0 ? fmt::format("{}:{}", file, source.begin.line) : file;
}

std::string subject(const std::string& place, const std::string& table, const std::string& key) {
    return table.empty() ? fmt::format("{}: {}", place, key) : fmt::format("{}: [{}] {}", place, table, key);
}

} // namespace rondo::job
