#include "checks.hpp"
#include "formulas.hpp"
#include "trajectories.hpp"

#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>
#include <rondo/expression/parse.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace rondo::ensemble {
namespace {

void add_name(std::vector<std::string>& names, const std::string& name, const std::string& where) {
    if (!is_identifier(name)) {
        throw InputError{
            fmt::format("{}: \"{}\" cannot name a covariate (expressions could not use it; allowed: letters, "
                        "digits and underscores, no digit first); rename it",
                        where, name)};
    }
    if (expression::is_reserved(name)) {
        throw InputError{fmt::format(
            "{}: \"{}\" cannot name a covariate (the word has a meaning in expressions); rename it", where, name)};
    }
    if (std::ranges::find(names, name) != names.end()) {
        throw InputError{fmt::format(
            "{}: covariate \"{}\" is given twice (here and before); leave one out or rename it", where, name)};
    }
    names.push_back(name);
}

void check_generated(const Source& source, const std::string& label, std::span<const double> values) {
    for (std::size_t g = 0; g < values.size(); ++g) {
        if (!std::isfinite(values[g])) {
            throw InputError{
                fmt::format("{}: covariate {} = {} for trajectory \"{}\" is not finite; correct the expression",
                            source.covariates[g].where, source.covariates[g].name, plain_text(values[g]), label)};
        }
    }
}

} // namespace

std::vector<std::string> joined_names(const Source& source, std::span<const std::string> of_table,
                                      std::span<const std::string> of_data_set) {
    std::vector<std::string> names{"index"};
    for (const std::string& name : of_table) {
        add_name(names, name, source.trajectories_file.string());
    }
    for (const std::string& name : of_data_set) {
        add_name(names, name, fmt::format("{}: /trajectories", source.data_file.string()));
    }
    for (const Formula& formula : source.covariates) {
        add_name(names, formula.name, formula.where);
    }
    return names;
}

void add_covariates(Ensemble& ensemble, const Source& source, const CovariateTable& table) {
    const auto n = static_cast<std::size_t>(ensemble.size());
    const std::size_t n_table = table.names.size(), n_set = ensemble.covariate_names.size();
    expects(table.values.size() == n * n_table, "a row of the table for each trajectory");
    const std::vector<std::string> names = joined_names(source, table.names, ensemble.covariate_names);
    const std::size_t n_given = 1 + n_table + n_set, n_all = names.size();
    Formulas formulas{source.covariates, std::span{names}.first(n_given), FormulaKind::covariates};

    std::vector<double> all(n * n_all);
    for (std::size_t i = 0; i < n; ++i) {
        const std::span<double> row{&all[i * n_all], n_all};
        row[0] = static_cast<double>(i + 1);
        std::copy_n(table.values.begin() + static_cast<std::ptrdiff_t>(i * n_table), n_table, row.begin() + 1);
        std::copy_n(ensemble.covariates.begin() + static_cast<std::ptrdiff_t>(i * n_set), n_set,
                    row.begin() + 1 + static_cast<std::ptrdiff_t>(n_table));
        if (formulas.size() > 0) {
            const std::span<double> generated = row.subspan(n_given);
            formulas.evaluate(static_cast<std::int64_t>(i), row, source.initial_time, source.seed, generated);
            check_generated(source, ensemble.labels[i], generated);
        }
    }
    ensemble.covariate_names = names;
    ensemble.covariates = std::move(all);
}

} // namespace rondo::ensemble
