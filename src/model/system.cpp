#include <rondo/model/system.hpp>

#include "helpers.hpp"
#include "library.hpp"
#include "names.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>
#include <rondo/expression/parse.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace rondo::model {
namespace {

using expression::Graph;
using expression::Input;
using expression::NodeId;
using expression::Scope;

Scope scope_of(const Spec& spec, Graph& graph) {
    Scope scope;
    scope.names["t"] = graph.input(Input::time);
    for (std::size_t i = 0; i < spec.states.size(); ++i) {
        scope.names[spec.states[i]] = graph.input(Input::state, i);
    }
    for (std::size_t i = 0; i < spec.parameters.size(); ++i) {
        scope.names[spec.parameters[i]] = graph.input(Input::parameter, i);
    }
    for (std::size_t i = 0; i < spec.covariates.size(); ++i) {
        scope.names[spec.covariates[i]] = graph.input(Input::covariate, i);
    }
    return scope;
}

std::vector<NodeId> parse_all(Graph& graph, Scope& scope, const std::vector<Definition>& definitions) {
    std::vector<NodeId> nodes;
    for (const Definition& definition : definitions) {
        nodes.push_back(expression::parse(graph, scope, definition.text, definition.where));
    }
    return nodes;
}

/// @throws InputError  a definition uses a kind of input that has no meaning there
void refuse(const Graph& graph, const std::vector<Definition>& definitions, const std::vector<NodeId>& nodes,
            Input kind, const char* reason) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (expression::depends_on(graph, nodes[i], kind)) {
            throw InputError{fmt::format("{}: \"{}\" {}", definitions[i].where, definitions[i].text, reason)};
        }
    }
}

/// The noise of every observable; constant 1 where no expression gives it.
std::vector<NodeId> parse_sigmas(const Spec& spec, System& system, Scope scope,
                                 const std::vector<NodeId>& observables) {
    for (std::size_t i = 0; i < observables.size(); ++i) {
        scope.names[system.observables[i]] = observables[i];
    }
    for (const auto& [name, text] : spec.loss.sigma_of) {
        if (std::ranges::find(system.observables, name) == system.observables.end()) {
            throw InputError{fmt::format("{}: [loss] sigma names \"{}\", which is not an observable{}", spec.where,
                                         name, known_words_hint(name, system.observables))};
        }
    }
    std::vector<NodeId> sigmas;
    for (const std::string& name : system.observables) {
        const auto own = spec.loss.sigma_of.find(name);
        if (!spec.loss.sigma_of.empty() && own == spec.loss.sigma_of.end()) {
            throw InputError{
                fmt::format("{}: [loss] sigma has no entry for the observable \"{}\"; write {} = \"...\" there",
                            spec.where, name, name)};
        }
        const std::string& text = own != spec.loss.sigma_of.end() ? own->second : spec.loss.sigma;
        sigmas.push_back(text.empty() ? system.graph.constant(1.0)
                                      : expression::parse(system.graph, scope, text, spec.where + ": [loss] sigma"));
    }
    return sigmas;
}

/// What the texts leave out is taken from the library.
void fill_from_library(Spec& spec, System& system, std::vector<NodeId>& observables) {
    const Library library = load_library(spec.library, spec.where);
    spec.states = library.states;
    spec.parameters = library.parameters;
    const ImportedNodes imported = import_nodes(library, spec, system.graph);
    system.rates = imported.rates;
    system.initial = imported.initial;
    for (const std::string& name : library.observables) {
        if (std::ranges::count(library.observables, name) > 1) {
            throw InputError{
                fmt::format("{}: [model] library \"{}\" names the observable \"{}\" twice; rename one in its source",
                            spec.where, library.file.string(), name)};
        }
    }
    if (spec.observables.empty() && !library.observables.empty()) {
        system.observables = library.observables;
        observables = imported.observables;
    }
}

} // namespace

System build_system(const Spec& given) {
    Spec spec = given;
    System system;
    std::vector<NodeId> observables;
    if (!spec.library.empty()) {
        fill_from_library(spec, system, observables);
    }
    check_names(spec);
    system.states = spec.states;
    system.parameters = spec.parameters;
    system.covariates = spec.covariates;
    Graph& graph = system.graph;
    Scope scope = scope_of(spec, graph);
    add_helpers(graph, scope, spec.expressions);

    if (system.rates.empty()) {
        system.rates = parse_all(graph, scope, in_order(spec.rates, spec.states, spec.where, "[model.rates]", "state"));
    }
    if (system.initial.empty()) {
        const auto initial = in_order(spec.initial, spec.states, spec.where, "[model.initial]", "state");
        system.initial = parse_all(graph, scope, initial);
        refuse(graph, initial, system.initial, Input::state,
               "uses a state (there is none before the start); write it with parameters and covariates");
        refuse(graph, initial, system.initial, Input::time,
               "uses t (the start is at model.initial_time); write that number");
    }
    if (!spec.observables.empty()) {
        observables = parse_all(graph, scope, spec.observables);
        for (const Definition& observable : spec.observables) {
            system.observables.push_back(observable.name);
        }
    } else if (system.observables.empty()) {
        system.observables = spec.states;
        for (std::size_t i = 0; i < spec.states.size(); ++i) {
            observables.push_back(graph.input(Input::state, i));
        }
    }
    system.amounts = parse_all(graph, scope, spec.amounts);
    refuse(graph, spec.amounts, system.amounts, Input::state,
           "uses a state (an event's amount may use t, parameters and covariates); for a multiple of the state write "
           "action = \"multiply\"");

    const bool has_sigma = !spec.loss.sigma.empty() || !spec.loss.sigma_of.empty();
    system.sigma_from_data = uses_sigma(spec.loss.kind) && !has_sigma;
    system.outputs = observables;
    const std::vector<NodeId> sigmas = parse_sigmas(spec, system, scope, observables);
    system.outputs.insert(system.outputs.end(), sigmas.begin(), sigmas.end());
    return system;
}

} // namespace rondo::model
