#pragma once

#include <rondo/expression/graph.hpp>
#include <rondo/model/abi.hpp>
#include <rondo/model/spec.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace rondo::model {

/// A model in C++ as its shared object describes it, copied out of the object.
struct Library {
    std::filesystem::path file;
    std::vector<std::string> states, parameters, covariates, observables;
    std::vector<abi::TracedNode> nodes;
    std::vector<std::uint32_t> rates, initial, observed;
};

/// Open a model library and copy its traced graph.
/// @throws InputError  the file is not there, is no shared object or has no model; as copy_model
/// Tests   tests/model/library_test.cpp
[[nodiscard]] Library load_library(const std::filesystem::path& file, const std::string& where);

/// Copy a traced graph, checking every position in it.
/// @throws InputError  it was traced for another version, or is inconsistent
[[nodiscard]] Library copy_model(const abi::TracedModel& model, const std::filesystem::path& file,
                                 const std::string& where);

/// A library's nodes in our graph.
struct ImportedNodes {
    std::vector<expression::NodeId> rates, initial, observables;
};

/// Rebuild the library's nodes; its covariates are found by name among the ensemble's.
/// @throws InputError  a covariate is not in the data
[[nodiscard]] ImportedNodes import_nodes(const Library& library, const Spec& spec, expression::Graph& graph);

} // namespace rondo::model
