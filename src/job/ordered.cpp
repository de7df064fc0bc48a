#include "ordered.hpp"

#include "place.hpp"

#include <algorithm>
#include <tuple>

namespace rondo::job {

std::vector<Entry> in_file_order(const toml::table& table) {
    std::vector<Entry> entries;
    for (auto&& [key, node] : table) {
        entries.push_back({.name = std::string{key.str()}, .key = &key, .node = &node});
    }
    std::ranges::stable_sort(entries, {}, [](const Entry& entry) {
        const toml::source_region& source = entry.key->source();
        return std::tuple{is_override(source), source.begin.line, source.begin.column};
    });
    return entries;
}

} // namespace rondo::job
