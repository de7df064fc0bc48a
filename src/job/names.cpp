#include "names.hpp"

#include "value_text.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>
#include <rondo/expression/parse.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace rondo::job {
namespace {

/// Names taken so far, with what they mean.
using Taken = std::map<std::string, std::string>;

void take(Taken& taken, const std::string& where, const std::string& name, const std::string& meaning) {
    if (!is_identifier(name)) {
        throw InputError{
            fmt::format("{} {} is not a name (a name has letters, digits and underscores and does not start with a "
                        "digit); rename it",
                        where, in_quotes(name))};
    }
    if (expression::is_reserved(name)) {
        throw InputError{
            fmt::format("{} \"{}\" is reserved (expressions give it a meaning of its own); rename it", where, name)};
    }
    const auto [other, is_new] = taken.emplace(name, meaning);
    if (!is_new && other->second == meaning) {
        throw InputError{fmt::format("{} \"{}\" is named twice; remove one", where, name)};
    }
    if (!is_new) {
        throw InputError{
            fmt::format("{} \"{}\" is already the name of {} (expressions could not tell them apart); rename one",
                        where, name, other->second)};
    }
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
    return std::ranges::find(words, word) != words.end();
}

} // namespace

std::string prefix(const Job& job, const std::string& table, const std::string& key) {
    const auto place = job.places.find(key.empty() ? table : table + "." + key);
    return fmt::format("{}: [{}]", place != job.places.end() ? place->second : job.model.where, table);
}

void check_names(const Job& job, const std::vector<std::string>& states, const std::vector<std::string>& parameters) {
    Taken taken;
    for (const std::string& name : states) {
        take(taken, prefix(job, "model", "states") + " states:", name, "a state");
    }
    for (const std::string& name : parameters) {
        take(taken, prefix(job, "model", "parameters") + " parameters:", name, "a parameter");
    }
    for (const model::Definition& one : job.model.expressions) {
        take(taken, prefix(job, "model.expressions", one.name), one.name, "an expression");
    }
    for (const ensemble::Formula& one : job.data.covariates) {
        take(taken, prefix(job, "ensemble.covariates", one.name), one.name, "a covariate");
    }
    for (const model::Definition& one : job.model.observables) {
        const bool is_the_state = contains(states, one.name) && one.text == one.name;
        if (!is_the_state) {
            take(taken, prefix(job, "model.observables", one.name), one.name, "an observable");
        }
    }
}

void check_entries(const Job& job, const std::string& table, const std::string& thing,
                   const std::vector<std::string>& given, const std::vector<std::string>& known, Every every) {
    const std::set<std::string> are_given(given.begin(), given.end()), are_known(known.begin(), known.end());
    for (const std::string& name : given) {
        if (!are_known.contains(name)) {
            throw InputError{fmt::format("{} {} is not {}{}", prefix(job, table, name), in_quotes(name), thing,
                                         known_words_hint(name, known))};
        }
    }
    for (const std::string& name : known) {
        if (every == Every::yes && !are_given.contains(name)) {
            throw InputError{
                fmt::format("{} has no entry for \"{}\", {}; add it", prefix(job, table, ""), name, thing)};
        }
    }
}

} // namespace rondo::job
