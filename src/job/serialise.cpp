#include "serialise.hpp"

#include "ordered.hpp"
#include "value_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace rondo::job {
namespace {

bool is_list_of_tables(const toml::node& node) {
    const toml::array* list = node.as_array();
    return list != nullptr && !list->empty() && std::ranges::all_of(*list, [](const toml::node& item) {
               return item.is_table() && !item.as_table()->is_inline();
           });
}

/// Written under a header of its own, after the plain entries of its parent.
bool has_header(const toml::node& node) {
    return (node.is_table() && !node.as_table()->is_inline()) || is_list_of_tables(node);
}

void write(const toml::table& table, const std::string& path, std::string& out) {
    const std::vector<Entry> entries = in_file_order(table);
    for (const Entry& entry : entries) {
        if (!has_header(*entry.node)) {
            out += fmt::format("{} = {}\n", key_text(entry.name), value_text(*entry.node));
        }
    }
    for (const Entry& entry : entries) {
        if (!has_header(*entry.node)) {
            continue;
        }
        const std::string name = path.empty() ? key_text(entry.name) : path + "." + key_text(entry.name);
        if (const toml::table* inner = entry.node->as_table()) {
            out += fmt::format("\n[{}]\n", name);
            write(*inner, name, out);
            continue;
        }
        for (const toml::node& item : *entry.node->as_array()) {
            out += fmt::format("\n[[{}]]\n", name);
            write(*item.as_table(), name, out);
        }
    }
}

} // namespace

std::string serialise(const toml::table& document) {
    std::string out;
    write(document, "", out);
    return out;
}

} // namespace rondo::job
