#include "helpers.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

namespace rondo::model {
namespace {

/// The identifiers of a text, in order.
std::vector<std::string_view> words(std::string_view text) {
    const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::vector<std::string_view> found;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && in_word(text[end])) {
            ++end;
        }
        if (end > i) {
            found.push_back(text.substr(i, end - i));
        }
        i = std::max(end, i + 1);
    }
    return found;
}

class Ordering {
public:
    Ordering(expression::Graph& graph, expression::Scope& scope, const std::vector<Definition>& helpers)
        : graph_{graph}, scope_{scope}, helpers_{helpers}, done_(helpers.size(), false) {}

    void add(std::size_t i) {
        if (done_[i]) {
            return;
        }
        const Definition& helper = helpers_[i];
        const auto start = std::ranges::find(path_, helper.name);
        if (start != path_.end()) {
            std::vector<std::string> circle(start, path_.end());
            circle.push_back(helper.name);
            throw InputError{fmt::format("{}: the expressions define each other in a circle: {} (none could be "
                                         "evaluated first); break it",
                                         helper.where, join(circle, " -> "))};
        }
        path_.push_back(helper.name);
        for (const std::string_view word : words(helper.text)) {
            const auto used = std::ranges::find_if(helpers_, [&](const Definition& d) { return d.name == word; });
            if (used != helpers_.end()) {
                add(static_cast<std::size_t>(used - helpers_.begin()));
            }
        }
        path_.pop_back();
        scope_.names[helper.name] = expression::parse(graph_, scope_, helper.text, helper.where);
        done_[i] = true;
    }

private:
    expression::Graph& graph_;
    expression::Scope& scope_;
    const std::vector<Definition>& helpers_;
    std::vector<bool> done_;
    std::vector<std::string> path_;
};

} // namespace

void add_helpers(expression::Graph& graph, expression::Scope& scope, const std::vector<Definition>& helpers) {
    Ordering ordering{graph, scope, helpers};
    for (std::size_t i = 0; i < helpers.size(); ++i) {
        ordering.add(i);
    }
}

} // namespace rondo::model
