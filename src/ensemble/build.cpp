#include <rondo/ensemble/build.hpp>

#include "checks.hpp"
#include "data_set.hpp"
#include "data_table.hpp"
#include "events.hpp"
#include "generated.hpp"
#include "trajectories.hpp"

namespace rondo::ensemble {
namespace {

enum class DataKind : std::uint8_t { none, table, data_set };

DataKind data_kind(const Source& source) {
    if (source.data_file.empty()) {
        return DataKind::none;
    }
    return is_data_set(source.data_file) ? DataKind::data_set : DataKind::table;
}

Ensemble read_or_generate(const Source& source, const Labels& labels) {
    switch (data_kind(source)) {
    case DataKind::none:
        return generate(source, labels);
    case DataKind::table:
        return read_data_table(source, labels);
    case DataKind::data_set:
        break;
    }
    return read_data_set(source, labels);
}

} // namespace

std::vector<std::string> covariate_names(const Source& source) {
    const bool has_data_set = data_kind(source) == DataKind::data_set;
    return joined_names(source, table_covariates(source),
                        has_data_set ? data_set_covariates(open_data_set(source.data_file))
                                     : std::vector<std::string>{});
}

Ensemble build(const Source& source) {
    const CovariateTable table = read_trajectories(source);
    Ensemble ensemble = read_or_generate(source, table.labels);
    add_covariates(ensemble, source, table);
    if (source.data_file.empty()) {
        fill_targets(ensemble, source);
    } else {
        check_all_observed(source, ensemble);
    }
    add_events(ensemble, source);
    return ensemble;
}

} // namespace rondo::ensemble
