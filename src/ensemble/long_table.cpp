#include "checks.hpp"
#include "columns.hpp"
#include "data_table.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace rondo::ensemble {
namespace {

std::size_t observable_number(const Source& source, const store::Table& table, std::size_t row,
                              const std::string& name) {
    const auto found = std::ranges::find(source.columns, name);
    if (found == source.columns.end()) {
        throw InputError{fmt::format("{}: observable \"{}\" is unknown{}", place(table, row), name,
                                     known_words_hint(name, source.columns))};
    }
    return static_cast<std::size_t>(found - source.columns.begin());
}

} // namespace

TablePoints read_long_table(const Source& source, const store::Table& table, Labels& labels, NewLabels new_labels) {
    const std::vector<std::string> known{"trajectory", "time", "observable", "value", "sigma"};
    refuse_unknown_columns(table, known);
    const std::size_t time = table.require("time"), observable = table.require("observable"),
                      value = table.require("value");
    const auto sigma = table.find("sigma");
    TrajectoryColumn trajectory{table, labels, new_labels};
    TablePoints result;
    result.has_sigma = sigma ? HasSigma::yes : HasSigma::no;
    result.points.reserve(table.n_rows());
    for (std::size_t row = 0; row < table.n_rows(); ++row) {
        Point point;
        point.trajectory = trajectory.number(row);
        point.time = table.number(row, time);
        point.column = observable_number(source, table, row, table.cell(row, observable));
        point.value = table.number_or_nan(row, value);
        point.sigma = sigma ? table.number_or_nan(row, *sigma) : std::numeric_limits<double>::quiet_NaN();
        check_point(source, point, [&] { return place(table, row); });
        result.points.push_back(point);
    }
    return result;
}

} // namespace rondo::ensemble
