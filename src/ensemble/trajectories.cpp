#include "trajectories.hpp"

#include "columns.hpp"

#include <rondo/base/contract.hpp>
#include <rondo/base/error.hpp>
#include <rondo/store/csv.hpp>

#include <fmt/format.h>

#include <optional>

namespace rondo::ensemble {
namespace {

/// Add the label of a row; the number of rows before is its number.
void add_label(const store::Table& table, std::size_t row, std::optional<std::size_t> column, Labels& labels) {
    const std::string& label = column ? table.cell(row, *column) : std::to_string(row + 1);
    if (label.empty()) {
        throw InputError{
            fmt::format("{}: the column trajectory is empty; give each row its trajectory", place(table, row))};
    }
    if (const auto before = labels.find(label)) {
        throw InputError{fmt::format("{}: trajectory \"{}\" stands already on line {}; give each trajectory one row",
                                     place(table, row), label, table.lines[static_cast<std::size_t>(*before)])};
    }
    labels.add(label);
}

std::vector<std::size_t> covariate_columns(const store::Table& table) {
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c] != "trajectory") {
            columns.push_back(c);
        }
    }
    return columns;
}

std::vector<std::string> names_of(const store::Table& table, std::span<const std::size_t> columns) {
    std::vector<std::string> names;
    for (const std::size_t c : columns) {
        names.push_back(table.columns[c]);
    }
    return names;
}

} // namespace

std::vector<std::string> table_covariates(const Source& source) {
    if (source.trajectories_file.empty()) {
        return {};
    }
    const store::Table table = store::read_csv(source.trajectories_file);
    return names_of(table, covariate_columns(table));
}

CovariateTable read_trajectories(const Source& source) {
    CovariateTable result;
    if (source.trajectories_file.empty()) {
        return result;
    }
    const store::Table table = store::read_csv(source.trajectories_file);
    if (table.n_rows() == 0) {
        throw InputError{fmt::format("{}: the table has no rows; give one a trajectory", table.file)};
    }
    const bool needs_labels = !source.data_file.empty() && table.n_rows() > 1;
    const auto trajectory = needs_labels ? table.require("trajectory") : table.find("trajectory");
    const std::vector<std::size_t> columns = covariate_columns(table);
    result.names = names_of(table, columns);
    result.values.reserve(table.n_rows() * columns.size());
    for (std::size_t row = 0; row < table.n_rows(); ++row) {
        add_label(table, row, trajectory, result.labels);
        for (const std::size_t c : columns) {
            result.values.push_back(table.number(row, c));
        }
    }
    return result;
}

} // namespace rondo::ensemble
