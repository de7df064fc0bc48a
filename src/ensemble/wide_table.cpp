#include "checks.hpp"
#include "columns.hpp"
#include "data_table.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace rondo::ensemble {
namespace {

/// A wanted column and where the table has it.
struct WideColumn {
    std::size_t number = 0;
    std::size_t value = 0;
    std::optional<std::size_t> sigma;
};

std::string sigma_name(const std::string& column) { return column + "_sigma"; }

bool is_wanted(const Source& source, const std::string& name) {
    return std::ranges::find(source.columns, name) != source.columns.end();
}

std::vector<std::string> known_columns(const Source& source, const store::Table& table) {
    std::vector<std::string> known{"trajectory", "time"};
    for (const std::string& name : source.columns) {
        known.push_back(name);
        if (table.find(name)) { // a sigma without its values is an error
            known.push_back(sigma_name(name));
        }
    }
    return known;
}

std::vector<WideColumn> wide_columns(const Source& source, const store::Table& table) {
    std::vector<WideColumn> columns;
    for (std::size_t d = 0; d < source.columns.size(); ++d) {
        const std::string& name = source.columns[d];
        if (const auto value = table.find(name)) {
            columns.push_back(
                {d, *value, is_wanted(source, sigma_name(name)) ? std::nullopt : table.find(sigma_name(name))});
        }
    }
    if (columns.empty()) {
        throw InputError{
            fmt::format("{}: no column for any of {} (wide table), and no columns observable and value (long "
                        "table); add the data or rename its columns",
                        table.file, join(source.columns))};
    }
    return columns;
}

} // namespace

TablePoints read_wide_table(const Source& source, const store::Table& table, Labels& labels, NewLabels new_labels) {
    refuse_unknown_columns(table, known_columns(source, table));
    const std::size_t time = table.require("time");
    const std::vector<WideColumn> columns = wide_columns(source, table);
    TrajectoryColumn trajectory{table, labels, new_labels};
    TablePoints result;
    result.has_sigma = std::ranges::any_of(columns, [](const WideColumn& c) { return c.sigma.has_value(); })
                           ? HasSigma::yes
                           : HasSigma::no;
    result.points.reserve(table.n_rows() * columns.size());
    for (std::size_t row = 0; row < table.n_rows(); ++row) {
        Point point;
        point.trajectory = trajectory.number(row);
        point.time = table.number(row, time);
        for (const WideColumn& column : columns) {
            point.column = column.number;
            point.value = table.number_or_nan(row, column.value);
            point.sigma =
                column.sigma ? table.number_or_nan(row, *column.sigma) : std::numeric_limits<double>::quiet_NaN();
            check_point(source, point, [&] { return place(table, row); });
            result.points.push_back(point);
        }
    }
    return result;
}

} // namespace rondo::ensemble
