#pragma once

#include "columns.hpp"
#include "labels.hpp"
#include "rows.hpp"

#include <rondo/ensemble/build.hpp>
#include <rondo/store/csv.hpp>

#include <vector>

namespace rondo::ensemble {

/// The points of a table.
struct TablePoints {
    std::vector<Point> points;
    HasSigma has_sigma = HasSigma::no;
};

/// Read a long table (trajectory, time, observable, value[, sigma]): one point a row.
[[nodiscard]] TablePoints read_long_table(const Source& source, const store::Table& table, Labels& labels,
                                          NewLabels new_labels);

/// Read a wide table (trajectory, time, and a column an observable): one point a row and observable. A column
/// `<name>_sigma` is the sigma of `name`, unless it is itself a wanted column.
[[nodiscard]] TablePoints read_wide_table(const Source& source, const store::Table& table, Labels& labels,
                                          NewLabels new_labels);

/// Labels, rows and values of an ensemble from the data CSV, whichever of the two forms it has.
///
/// @param labels  of the trajectories table; empty where there is none: then in order of first appearance
[[nodiscard]] Ensemble read_data_table(const Source& source, Labels labels);

} // namespace rondo::ensemble
