#pragma once

#include <rondo/model/loss.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace rondo::model {

/// A name with the expression that defines it; `where` names the place in errors (`job.toml: [model.rates] hare`).
struct Definition {
    std::string name;
    std::string text;
    std::string where;
};

/// A model as text: the job's `[model]` (or what a C++ library says of itself) and the noise of `[loss]`.
struct Spec {
    std::string where;                     ///< the job file, for errors
    std::vector<std::string> states;
    std::vector<std::string> parameters;   ///< all, fixed and estimated
    std::vector<std::string> covariates;   ///< column names of the ensemble, `index` first
    std::vector<Definition> expressions;   ///< named helpers, in any order
    std::vector<Definition> rates;         ///< one a state
    std::vector<Definition> initial;       ///< one a state
    std::vector<Definition> observables;   ///< empty: each state as itself
    std::vector<Definition> amounts;       ///< event amounts; may use t, parameters and covariates
    std::filesystem::path library;         ///< shared object of a model in C++; empty: the model is given by the texts
    LossSpec loss;
};

} // namespace rondo::model
