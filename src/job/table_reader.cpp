#include "table_reader.hpp"

#include "ordered.hpp"
#include "place.hpp"
#include "value_text.hpp"

#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace rondo::job {
namespace {

std::string full_name(const std::string& table, const std::string& key) {
    return table.empty() ? key : table + "." + key;
}

} // namespace

void Context::record(const std::string& table, const std::string& key, std::string value) {
    settings[full_name(table, key)] = std::move(value);
}

TableReader::TableReader(Context& context, const TableKeys& keys, const toml::node* node, std::string path)
    : context_{&context}, keys_{&keys}, path_{path.empty() ? keys.table : std::move(path)} {
    if (node == nullptr) {
        return;
    }
    expects(node->is_table(), "who reads a table has seen that it is one");
    table_ = node->as_table();
    refuse_unknown();
}

void TableReader::refuse_unknown() const {
    for (const Entry& entry : in_file_order(*table_)) {
        if (declaration(entry.name) == nullptr) {
            std::vector<std::string> known;
            for (const Key& key : keys_->keys) {
                known.push_back(key.name);
            }
            const std::string where = place(entry.key->source(), context_->file);
            throw InputError{fmt::format("{}: {}key {} is unknown{}", where,
                                         path_.empty() ? "" : fmt::format("[{}] ", path_), in_quotes(entry.name),
                                         known_words_hint(entry.name, known))};
        }
    }
}

bool TableReader::has(const std::string& key) const { return find(key) != nullptr; }

double TableReader::number(const std::string& key) {
    const Key& it = declared(key, Kind::number);
    const std::optional<double> given = number_if(key);
    if (!given) {
        expects(std::holds_alternative<double>(it.fallback), "a number has a default or is required");
    }
    const double value = given ? *given : std::get<double>(it.fallback);
    record(it, number_text(value));
    return value;
}

std::optional<double> TableReader::number_if(const std::string& key) {
    const Key& it = declared(key, Kind::number);
    const toml::node* node = take(it);
    if (node == nullptr) {
        record(it, "");
        return std::nullopt;
    }
    if (!node->is_number()) {
        wrong_type(key);
    }
    const std::optional<double> value = finite_number(*node);
    if (!value) {
        throw InputError{fmt::format("{} = {} is not finite ({} is wanted)", subject(key), shown(*node), wanted(it))};
    }
    if (!it.range.holds(*value)) {
        throw InputError{fmt::format("{} = {} is out of range ({} is wanted)", subject(key), shown(*node), wanted(it))};
    }
    record(it, number_text(*value));
    return value;
}

std::int64_t TableReader::whole(const std::string& key) {
    const Key& it = declared(key, Kind::whole);
    const toml::node* node = take(it);
    if (node == nullptr) {
        record(it, fallback_text(it));
        return std::get<std::int64_t>(it.fallback);
    }
    if (!node->is_integer()) {
        wrong_type(key);
    }
    const std::int64_t value = node->as_integer()->get();
    if (!it.range.holds(static_cast<double>(value))) {
        throw InputError{fmt::format("{} = {} is out of range ({} is wanted)", subject(key), shown(*node), wanted(it))};
    }
    record(it, std::to_string(value));
    return value;
}

bool TableReader::flag(const std::string& key) {
    const Key& it = declared(key, Kind::flag);
    const toml::node* node = take(it);
    if (node != nullptr && !node->is_boolean()) {
        wrong_type(key);
    }
    const bool value = node != nullptr ? node->as_boolean()->get() : std::get<bool>(it.fallback);
    record(it, value ? "true" : "false");
    return value;
}

std::string TableReader::text(const std::string& key) {
    const Key& it = declared(key, Kind::text);
    const toml::node* node = take(it);
    if (node != nullptr && !node->is_string()) {
        wrong_type(key);
    }
    std::string value = node != nullptr ? node->as_string()->get() : fallback_text(it);
    record(it, value);
    return value;
}

std::string TableReader::word(const std::string& key) {
    const Key& it = declared(key, Kind::word);
    const toml::node* node = take(it);
    if (node != nullptr && !node->is_string()) {
        wrong_type(key);
    }
    std::string value = node != nullptr ? node->as_string()->get() : std::get<std::string>(it.fallback);
    if (std::ranges::find(it.words, value) == it.words.end()) {
        throw InputError{
            fmt::format("{} = {} is unknown{}", subject(key), in_quotes(value), known_words_hint(value, it.words))};
    }
    record(it, value);
    return value;
}

std::vector<std::string> TableReader::names(const std::string& key) {
    const Key& it = declared(key, Kind::names);
    const toml::node* node = take(it);
    std::vector<std::string> values;
    if (node != nullptr) {
        if (!node->is_array()) {
            wrong_type(key);
        }
        for (const toml::node& item : *node->as_array()) {
            if (!item.is_string()) {
                throw InputError{
                    fmt::format("{}: {} is {} ({} is wanted)", subject(key), shown(item), kind_text(item), wanted(it))};
            }
            values.push_back(item.as_string()->get());
        }
    }
    record(it, fmt::format("[{}]", quoted_list(values)));
    return values;
}

std::filesystem::path TableReader::path(const std::string& key) {
    const Key& it = declared(key, Kind::path);
    const toml::node* node = take(it);
    if (node != nullptr && !node->is_string()) {
        wrong_type(key);
    }
    const std::string value = node != nullptr ? node->as_string()->get() : std::string{};
    if (node != nullptr && value.empty()) {
        throw InputError{
            fmt::format("{} is empty ({} is wanted); leave the key out if there is none", subject(key), wanted(it))};
    }
    record(it, value);
    return value.empty() ? std::filesystem::path{} : resolved(context_->directory, value);
}

const toml::node* TableReader::node(const std::string& key) {
    const Key* it = declaration(key);
    expects(it != nullptr && (it->kind == Kind::several || it->kind == Kind::table),
            "a key read as a node is declared so");
    asked_.insert(key);
    const toml::node* found = take(*it);
    if (found != nullptr && it->kind == Kind::table && !found->is_table()) {
        wrong_type(key);
    }
    return found;
}

void TableReader::refuse(const std::string& key, const std::string& because, const std::string& instead) const {
    if (has(key)) {
        throw InputError{fmt::format("{} has no effect ({}); {}", subject(key), because, instead)};
    }
}

void TableReader::wrong_type(const std::string& key) const {
    const toml::node* node = find(key);
    expects(node != nullptr, "only a value that is there has a wrong type");
    throw InputError{fmt::format("{} = {} is {} ({} is wanted)", subject(key), shown(*node), kind_text(*node),
                                 wanted(*declaration(key)))};
}

void TableReader::require(const std::string& key, const std::string& extra) const {
    if (!has(key)) {
        throw InputError{fmt::format("{} key \"{}\" is missing ({}{} is wanted)", table_subject(), key,
                                     wanted(*declaration(key)), extra)};
    }
}

std::string TableReader::subject(const std::string& key) const { return table_subject(key) + " " + key; }

std::string TableReader::table_subject(const std::string& key) const {
    const toml::node* node = find(key);
    if (node == nullptr) {
        node = table_;
    }
    const std::string where = node != nullptr ? place(node->source(), context_->file) : context_->file;
    return path_.empty() ? where + ":" : fmt::format("{}: [{}]", where, path_);
}

void TableReader::finish() const {
    for (const Key& key : keys_->keys) {
        expects(asked_.contains(key.name), "every declared key is read");
    }
}

const Key& TableReader::declared(const std::string& key, Kind kind) {
    const Key* it = declaration(key);
    expects(it != nullptr && it->kind == kind, "a key is read as it is declared");
    asked_.insert(key);
    if (it->required) {
        require(key);
    }
    return *it;
}

const toml::node* TableReader::find(const std::string& key) const {
    return table_ != nullptr ? table_->get(key) : nullptr;
}

const Key* TableReader::declaration(const std::string& key) const {
    const auto found = std::ranges::find(keys_->keys, key, &Key::name);
    return found != keys_->keys.end() ? &*found : nullptr;
}

const toml::node* TableReader::take(const Key& key) {
    const toml::node* found = find(key.name);
    if (found != nullptr) {
        context_->places[full_name(path_, key.name)] = place(found->source(), context_->file);
    }
    return found;
}

void TableReader::record(const Key& key, std::string value) { context_->record(path_, key.name, std::move(value)); }

std::optional<double> finite_number(const toml::node& node) {
    if (const auto* whole = node.as_integer()) {
        return static_cast<double>(whole->get());
    }
    const auto* number = node.as_floating_point();
    return number != nullptr && std::isfinite(number->get()) ? std::optional{number->get()} : std::nullopt;
}

std::optional<std::string> expression_text(const toml::node& node) {
    if (const auto* text = node.as_string()) {
        const bool is_blank = text->get().find_first_not_of(" \t\r\n") == std::string::npos;
        return is_blank ? std::nullopt : std::optional{text->get()};
    }
    if (const auto* whole = node.as_integer()) {
        return std::to_string(whole->get());
    }
    const std::optional<double> number = finite_number(node);
    return number ? std::optional{number_text(*number)} : std::nullopt;
}

std::filesystem::path resolved(const std::filesystem::path& directory, const std::string& path) {
    return (directory / path).lexically_normal();
}

} // namespace rondo::job
