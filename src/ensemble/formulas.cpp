#include "formulas.hpp"

#include "random_inputs.hpp"

#include <rondo/base/contract.hpp>
#include <rondo/expression/parse.hpp>

namespace rondo::ensemble {

using expression::Input;

Formulas::Formulas(std::span<const Formula> formulas, std::span<const std::string> covariate_names, FormulaKind kind)
    : n_{formulas.size()} {
    expression::Graph graph;
    expression::Scope scope;
    scope.allows_random = kind == FormulaKind::covariates;
    for (std::size_t i = 0; i < covariate_names.size(); ++i) {
        scope.names.insert_or_assign(covariate_names[i], graph.input(Input::covariate, i));
    }
    if (kind == FormulaKind::targets) {
        scope.names.insert_or_assign("t", graph.input(Input::time));
    }
    expression::Program program;
    program.name = "formulas";
    for (const Formula& formula : formulas) {
        program.outputs.push_back(expression::parse(graph, scope, formula.text, formula.where));
        if (kind == FormulaKind::covariates) {
            scope.names.insert_or_assign(formula.name, program.outputs.back());
        }
    }
    WithoutRandom deterministic = replace_random_inputs(graph, program.outputs, scope.n_random);
    program.outputs = std::move(deterministic.outputs);
    random_ = std::move(deterministic.kinds);
    drawn_.resize(random_.size());
    module_ = expression::interpret(deterministic.graph, std::span{&program, 1}, 1);
}

void Formulas::evaluate(std::int64_t trajectory, std::span<const double> covariates, double time, std::uint64_t seed,
                        std::span<double> out) {
    expects(out.size() == n_, "room for each formula");
    const RandomKey key{seed, RandomPurpose::covariate};
    for (std::size_t k = 0; k < random_.size(); ++k) {
        const auto slot = static_cast<std::uint32_t>(k);
        if (random_[k] == Input::uniform) {
            drawn_[k] = random_uniform(key, static_cast<std::uint64_t>(trajectory), slot);
        } else if (random_[k] == Input::normal) {
            drawn_[k] = random_normal(key, static_cast<std::uint64_t>(trajectory), slot);
        }
    }
    const expression::Arguments arguments{
        .time = &time, .state = nullptr, .parameter = nullptr, .covariate = covariates.data(), .seed = drawn_.data()};
    module_->kernel(0)(arguments, out.data());
}

} // namespace rondo::ensemble
