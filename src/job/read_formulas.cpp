#include "readers.hpp"

#include "ordered.hpp"
#include "place.hpp"
#include "value_text.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <optional>

namespace rondo::job {
namespace {

[[noreturn]] void not_an_expression(const std::string& subject, const toml::node& node) {
    throw InputError{node.is_string()
                         ? fmt::format("{} = {} is empty (an expression is wanted)", subject, shown(node))
                         : fmt::format("{} = {} is {} (an expression is wanted: a string or a finite number)", subject,
                                       shown(node), node.is_number() ? "not finite" : kind_text(node))};
}

} // namespace

std::vector<model::Definition> read_formulas(Context& context, const toml::node* node, const std::string& path) {
    std::vector<model::Definition> formulas;
    if (node == nullptr) {
        return formulas;
    }
    for (const Entry& entry : in_file_order(*node->as_table())) {
        const std::string where = place(entry.node->source(), context.file);
        const std::string about = subject(where, path, entry.name);
        if (!is_identifier(entry.name)) {
            throw InputError{
                fmt::format("{}: [{}] {} is not a name (a name has letters, digits and underscores and does "
                            "not start with a digit); rename it",
                            where, path, in_quotes(entry.name))};
        }
        const std::optional<std::string> text = expression_text(*entry.node);
        if (!text) {
            not_an_expression(about, *entry.node);
        }
        context.record(path, entry.name, *text);
        context.places[path + "." + entry.name] = where;
        formulas.push_back({.name = entry.name, .text = *text, .where = about});
    }
    return formulas;
}

std::string expression_of(TableReader& reader, const std::string& key) {
    const toml::node* node = reader.node(key);
    if (node == nullptr) {
        reader.context().record(reader.name(), key, "");
        return {};
    }
    const std::optional<std::string> text = expression_text(*node);
    if (!text && !node->is_string() && !node->is_number()) {
        reader.wrong_type(key);
    }
    if (!text) {
        not_an_expression(reader.subject(key), *node);
    }
    reader.context().record(reader.name(), key, *text);
    return *text;
}

} // namespace rondo::job
