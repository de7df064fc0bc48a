#include "overrides.hpp"

#include "value_text.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace rondo::job {
namespace {

std::string source_of(const std::string& given) { return "--set " + given; }

/// A key whose place is the override itself; `order` keeps new keys in the order given.
toml::key new_key(const std::string& name, const std::string& given, std::size_t order) {
    toml::source_region source;
    source.begin = {.line = static_cast<toml::source_index>(order + 1), .column = 1};
    source.end = source.begin;
    source.path = std::make_shared<const std::string>(source_of(given));
    return toml::key{name, std::move(source)};
}

/// `value = <text>` where that is one key of TOML, else the text as a string.
toml::table parsed(const std::string& text, const std::string& given) {
    const std::string source = source_of(given);
    const std::string as_string = fmt::format("value = {}", in_quotes(text));
    const bool is_simple = text.find_first_of("\n\r") == std::string::npos && text.find('\0') == std::string::npos;
    if (is_simple && is_utf8(text)) {
        try {
            return toml::parse("value = " + text, std::string_view{source});
        } catch (const toml::parse_error&) {
            return toml::parse(as_string, std::string_view{source});
        }
    }
    if (!is_utf8(text)) {
        throw InputError{fmt::format("{}: the value is not UTF-8; write it in UTF-8", source)};
    }
    return toml::parse(as_string, std::string_view{source});
}

std::vector<std::string> split_path(std::string_view path, const std::string& given) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        parts.emplace_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    constexpr std::size_t deepest = 8;
    const bool is_named = std::ranges::none_of(parts, [](const std::string& part) { return part.empty(); });
    if (!is_named || parts.size() > deepest) {
        throw InputError{
            fmt::format("{}: \"{}\" names no key; write it as table.key=value, for instance solver.rtol=1e-8",
                        source_of(given), path)};
    }
    return parts;
}

void apply(toml::table& document, const std::string& given, std::size_t order) {
    const std::size_t equals = given.find('=');
    if (equals == std::string::npos) {
        throw InputError{fmt::format(
            "{}: there is no = in it; write it as table.key=value, for instance solver.rtol=1e-8", source_of(given))};
    }
    const std::vector<std::string> path = split_path(std::string_view{given}.substr(0, equals), given);
    toml::table* table = &document;
    std::string walked;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        walked += (i > 0 ? "." : "") + path[i];
        if (!table->contains(path[i])) {
            toml::table made;
            made.is_inline(i > 0);
            table->insert_or_assign(new_key(path[i], given, order), std::move(made));
        }
        toml::node& next = *table->get(path[i]);
        if (!next.is_table()) {
            throw InputError{fmt::format("{}: {} = {} is {}, so there is nothing to set inside it; set {} itself",
                                         source_of(given), walked, shown(next), kind_text(next), walked)};
        }
        table = next.as_table();
    }
    toml::table value = parsed(given.substr(equals + 1), given);
    value.get("value")->visit(
        [&](auto&& it) { table->insert_or_assign(new_key(path.back(), given, order), std::move(it)); });
}

} // namespace

void apply_overrides(toml::table& document, std::span<const std::string> overrides) {
    for (std::size_t i = 0; i < overrides.size(); ++i) {
        apply(document, overrides[i], i);
    }
}

} // namespace rondo::job
