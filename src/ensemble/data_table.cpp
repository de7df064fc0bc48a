#include "data_table.hpp"

#include "checks.hpp"

#include <rondo/base/error.hpp>

#include <fmt/format.h>

#include <utility>

namespace rondo::ensemble {

Ensemble read_data_table(const Source& source, Labels labels) {
    const store::Table table = store::read_csv(source.data_file);
    if (table.n_rows() == 0) {
        throw InputError{fmt::format("{}: the table has no rows (nothing to fit); add data", table.file)};
    }
    const NewLabels new_labels = labels.size() == 0 ? NewLabels::allow : NewLabels::refuse;
    TablePoints data = table.find("observable") ? read_long_table(source, table, labels, new_labels)
                                                : read_wide_table(source, table, labels, new_labels);
    Rows rows = group(std::move(data.points), labels.size(), source.columns.size(), data.has_sigma);
    check_all_have_data(source, labels.names(), [&](std::size_t i) { return rows.offset[i] < rows.offset[i + 1]; });
    Ensemble ensemble;
    ensemble.labels = labels.names();
    ensemble.columns = source.columns;
    ensemble.offset = std::move(rows.offset);
    ensemble.time = std::move(rows.time);
    ensemble.value = std::move(rows.value);
    ensemble.sigma = std::move(rows.sigma);
    return ensemble;
}

} // namespace rondo::ensemble
