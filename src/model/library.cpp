#include "library.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/handle.hpp>
#include <rondo/base/text.hpp>
#include <rondo/model/system.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <dlfcn.h>
#include <utility>

namespace rondo::model {
namespace {

using expression::Graph;
using expression::Input;
using expression::NodeId;
using expression::Op;

struct SharedObjectTraits {
    using type = void*;
    static type null() noexcept { return nullptr; }
    static void close(type handle) noexcept { dlclose(handle); }
};
using SharedObject = UniqueHandle<SharedObjectTraits>;

std::vector<std::string> copy(const abi::Names& names) { return {names.names, names.names + names.n}; }
std::vector<std::uint32_t> copy(const abi::Positions& positions) {
    return {positions.nodes, positions.nodes + positions.n};
}

[[noreturn]] void refuse(const Library& library, const std::string& where, const std::string& reason) {
    throw InputError{fmt::format("{}: [model] library \"{}\" {}; build it again with rondo_add_model of this rondo",
                                 where, library.file.string(), reason)};
}

/// Every node refers to earlier ones and to inputs that exist; every result refers to a node.
bool is_consistent(const Library& library) {
    for (std::size_t i = 0; i < library.nodes.size(); ++i) {
        const abi::TracedNode& node = library.nodes[i];
        if (node.op > static_cast<std::uint8_t>(Op::select) ||
            node.input > static_cast<std::uint8_t>(Input::covariate)) {
            return false;
        }
        for (int k = 0; k < expression::arity(static_cast<Op>(node.op)); ++k) {
            if (node.argument[k] >= i) {
                return false;
            }
        }
        if (static_cast<Op>(node.op) == Op::input) {
            const std::size_t limits[] = {1, library.states.size(), library.parameters.size(),
                                          library.covariates.size()};
            if (node.index >= limits[node.input]) {
                return false;
            }
        }
    }
    const auto exists = [&](std::uint32_t position) { return position < library.nodes.size(); };
    return std::ranges::all_of(library.rates, exists) && std::ranges::all_of(library.initial, exists) &&
           std::ranges::all_of(library.observed, exists) && library.rates.size() == library.states.size() &&
           library.initial.size() == library.states.size() && library.observed.size() == library.observables.size();
}

std::size_t covariate_of(const Library& library, std::size_t index, const Spec& spec) {
    const std::string& name = library.covariates[index];
    const auto found = std::ranges::find(spec.covariates, name);
    if (found == spec.covariates.end()) {
        throw InputError{
            fmt::format("{}: [model] library \"{}\" needs the covariate \"{}\", which the ensemble does not have{}",
                        spec.where, library.file.string(), name, known_words_hint(name, spec.covariates))};
    }
    return static_cast<std::size_t>(found - spec.covariates.begin());
}

NodeId import_node(const Library& library, const Spec& spec, Graph& graph, const abi::TracedNode& node,
                   const std::vector<NodeId>& done) {
    const auto op = static_cast<Op>(node.op);
    if (op == Op::constant) {
        return graph.constant(node.value);
    }
    if (op == Op::input) {
        const auto kind = static_cast<Input>(node.input);
        return graph.input(kind, kind == Input::covariate ? covariate_of(library, node.index, spec) : node.index);
    }
    const NodeId a = done[node.argument[0]];
    switch (expression::arity(op)) {
    case 1:
        return graph.unary(op, a);
    case 2:
        return graph.binary(op, a, done[node.argument[1]]);
    default:
        return graph.select(a, done[node.argument[1]], done[node.argument[2]]);
    }
}

} // namespace

Library load_library(const std::filesystem::path& file, const std::string& where) {
    const std::filesystem::path absolute = std::filesystem::absolute(file);
    const SharedObject object{dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL)};
    if (!object) {
        throw InputError{
            fmt::format("{}: [model] library \"{}\" cannot be opened ({}); give the path of a shared object built "
                        "with rondo_add_model",
                        where, file.string(), dlerror())};
    }
    using Entry = const abi::TracedModel* (*)();
    const auto entry = reinterpret_cast<Entry>(dlsym(object.get(), abi::entry_point));
    if (entry == nullptr) {
        refuse({.file = file}, where,
               fmt::format("has no function {} (its source needs the line RONDO_MODEL(Name))", abi::entry_point));
    }
    return copy_model(*entry(), file, where);
}

Library copy_model(const abi::TracedModel& model, const std::filesystem::path& file, const std::string& where) {
    Library library{.file = file};
    if (model.version != abi::version) {
        refuse(library, where,
               fmt::format("was built for model interface {}, this rondo has {}", model.version, abi::version));
    }
    library.states = copy(model.states);
    library.parameters = copy(model.parameters);
    library.covariates = copy(model.covariates);
    library.observables = copy(model.observables);
    library.nodes = {model.nodes, model.nodes + model.n_nodes};
    library.rates = copy(model.rates);
    library.initial = copy(model.initial);
    library.observed = copy(model.observed);
    if (!is_consistent(library)) {
        refuse(library, where, "describes an inconsistent model");
    }
    return library;
}

LibraryNames library_names(const std::filesystem::path& file, const std::string& where) {
    Library library = load_library(file, where);
    return {.states = std::move(library.states),
            .parameters = std::move(library.parameters),
            .covariates = std::move(library.covariates),
            .observables = std::move(library.observables)};
}

ImportedNodes import_nodes(const Library& library, const Spec& spec, Graph& graph) {
    std::vector<NodeId> done;
    done.reserve(library.nodes.size());
    for (const abi::TracedNode& node : library.nodes) {
        done.push_back(import_node(library, spec, graph, node, done));
    }
    const auto at = [&](const std::vector<std::uint32_t>& positions) {
        std::vector<NodeId> nodes;
        for (const std::uint32_t position : positions) {
            nodes.push_back(done[position]);
        }
        return nodes;
    };
    return {.rates = at(library.rates), .initial = at(library.initial), .observables = at(library.observed)};
}

} // namespace rondo::model
