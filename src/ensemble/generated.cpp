#include "generated.hpp"

#include "checks.hpp"
#include "formulas.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace rondo::ensemble {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::size_t number_of_trajectories(const Source& source, const Labels& labels) {
    const auto wanted = source.n_trajectories;
    if (wanted < 0 || (wanted == 0 && labels.size() == 0)) {
        throw InputError{
            fmt::format("{}: [ensemble] trajectories = {} (allowed: 1 or more); say how many to generate, or give "
                        "a [data] trajectories table",
                        source.where, wanted)};
    }
    if (labels.size() > 0 && wanted > 0 && std::cmp_not_equal(wanted, labels.size())) {
        throw InputError{
            fmt::format("{}: [ensemble] trajectories = {}, but {} has {} rows; make them agree or leave out "
                        "[ensemble] trajectories",
                        source.where, wanted, source.trajectories_file.string(), labels.size())};
    }
    return labels.size() > 0 ? labels.size() : static_cast<std::size_t>(wanted);
}

void check_times(const Source& source) {
    const std::string where = source.where + ": [ensemble] times";
    if (source.times.empty()) {
        throw InputError{where + ": there are none (nothing to save); give at least one"};
    }
    for (std::size_t k = 0; k < source.times.size(); ++k) {
        refuse(where, time_fault(source, source.times[k]));
        if (k > 0 && source.times[k] < source.times[k - 1]) {
            throw InputError{fmt::format("{}: {} comes after {} (times must not decrease); sort them", where,
                                         number_text(source.times[k]), number_text(source.times[k - 1]))};
        }
    }
}

/// For each column the number of its formula, if any.
std::vector<std::optional<std::size_t>> formulas_of_columns(const Source& source) {
    std::vector<std::optional<std::size_t>> result(source.columns.size());
    for (std::size_t f = 0; f < source.targets.size(); ++f) {
        const std::string& name = source.targets[f].name;
        const auto found = std::ranges::find(source.columns, name);
        if (found != source.columns.end()) {
            result[static_cast<std::size_t>(found - source.columns.begin())] = f;
        } else if (name.empty()) {
            for (std::size_t d = 0; d < result.size(); ++d) {
                if (!result[d] || source.targets[*result[d]].name.empty()) {
                    result[d] = f;
                }
            }
        } else {
            throw InputError{fmt::format("{}: observable \"{}\" is unknown{}", source.targets[f].where, name,
                                         known_words_hint(name, source.columns))};
        }
    }
    return result;
}

/// A target is a number the user asked for: NaN is a mistake here, not a missing value.
std::string target_fault(const Source& source, const std::string& column, double value) {
    return std::isnan(value) ? column + " = nan is not a number; correct the expression"
                             : value_fault(source, column, value, missing);
}

} // namespace

Ensemble generate(const Source& source, const Labels& labels) {
    const std::size_t n = number_of_trajectories(source, labels);
    check_times(source);
    const std::size_t n_times = source.times.size();
    Ensemble ensemble;
    ensemble.labels = labels.size() > 0 ? labels.names() : numbered_labels(n).names();
    ensemble.columns = source.columns;
    ensemble.time.reserve(n * n_times);
    ensemble.offset.reserve(n + 1);
    ensemble.offset.push_back(0);
    for (std::size_t i = 0; i < n; ++i) {
        ensemble.time.insert(ensemble.time.end(), source.times.begin(), source.times.end());
        ensemble.offset.push_back(static_cast<std::int64_t>(ensemble.time.size()));
    }
    ensemble.value.assign(n * n_times * source.columns.size(), missing);
    return ensemble;
}

void fill_targets(Ensemble& ensemble, const Source& source) {
    if (source.targets.empty()) {
        return;
    }
    const auto formula_of = formulas_of_columns(source);
    const std::size_t n_columns = ensemble.n_columns();
    Formulas formulas{source.targets, ensemble.covariate_names, FormulaKind::targets};
    std::vector<double> values(formulas.size());
    std::size_t row = 0;
    for (std::int64_t i = 0; i < ensemble.size(); ++i) {
        const Trajectory trajectory = ensemble.trajectory(i);
        for (const double time : trajectory.times) {
            formulas.evaluate(i, trajectory.covariates, time, source.seed, values);
            for (std::size_t d = 0; d < n_columns; ++d) {
                if (!formula_of[d]) {
                    continue;
                }
                const double value = values[*formula_of[d]];
                if (const std::string fault = target_fault(source, source.columns[d], value); !fault.empty()) {
                    refuse(fmt::format("{}: trajectory \"{}\", t = {}", source.targets[*formula_of[d]].where,
                                       ensemble.labels[static_cast<std::size_t>(i)], number_text(time)),
                           fault);
                }
                ensemble.value[row * n_columns + d] = value;
            }
            ++row;
        }
    }
}

} // namespace rondo::ensemble
