#include "names.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>
#include <rondo/expression/parse.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace rondo::model {
namespace {

void take(std::map<std::string, std::string_view>& taken, const std::string& where, const std::string& name,
          std::string_view meaning) {
    if (!is_identifier(name)) {
        throw InputError{fmt::format("{}: [model] the {} \"{}\" is not a name (a name has letters, digits and "
                                     "underscores and does not start with a digit); rename it",
                                     where, meaning, name)};
    }
    if (expression::is_reserved(name)) {
        throw InputError{fmt::format("{}: [model] the {} \"{}\" has a reserved name (t, index, functions and and, or, "
                                     "not mean something else in expressions); rename it",
                                     where, meaning, name)};
    }
    const auto [place, fresh] = taken.emplace(name, meaning);
    if (!fresh) {
        throw InputError{place->second == meaning
                             ? fmt::format("{}: [model] the {} \"{}\" is named twice; remove one", where, meaning, name)
                             : fmt::format("{}: [model] \"{}\" is the name of two things, {} and {} (expressions could "
                                           "not tell them apart); rename one",
                                           where, name, place->second, meaning)};
    }
}

} // namespace

void check_names(const Spec& spec) {
    std::map<std::string, std::string_view> taken;
    for (const std::string& name : spec.states) {
        take(taken, spec.where, name, "state");
    }
    for (const std::string& name : spec.parameters) {
        take(taken, spec.where, name, "parameter");
    }
    for (const std::string& name : spec.covariates) {
        if (name != "index") {
            take(taken, spec.where, name, "covariate");
        }
    }
    for (const Definition& helper : spec.expressions) {
        take(taken, spec.where, helper.name, "expression");
    }
    for (const Definition& observable : spec.observables) {
        const bool is_the_state =
            std::ranges::find(spec.states, observable.name) != spec.states.end() && observable.text == observable.name;
        if (!is_the_state) {
            take(taken, spec.where, observable.name, "observable");
        }
    }
}

std::vector<Definition> in_order(const std::vector<Definition>& definitions, const std::vector<std::string>& wanted,
                                 const std::string& where, const std::string& table, const std::string& thing) {
    for (const Definition& definition : definitions) {
        if (std::ranges::find(wanted, definition.name) == wanted.end()) {
            throw InputError{fmt::format("{}: {} \"{}\" is not a {}{}", where, table, definition.name, thing,
                                         known_words_hint(definition.name, wanted))};
        }
    }
    std::vector<Definition> ordered;
    for (const std::string& name : wanted) {
        const auto is_it = [&](const Definition& definition) { return definition.name == name; };
        const auto found = std::ranges::find_if(definitions, is_it);
        if (found == definitions.end()) {
            throw InputError{fmt::format("{}: {} has no entry for the {} \"{}\"; write {} = \"...\" there", where,
                                         table, thing, name, name)};
        }
        ordered.push_back(*found);
    }
    return ordered;
}

} // namespace rondo::model
