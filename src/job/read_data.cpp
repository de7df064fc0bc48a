#include "readers.hpp"

#include <rondo/base/error.hpp>

#include <fmt/format.h>

namespace rondo::job {

const TableKeys& data_keys() {
    static const TableKeys keys{
        "data",
        {
            path("file",
                 "The measurements: a long table in CSV (trajectory, time, observable, value, sigma), or HDF5."),
            path("trajectories", "A table in CSV with one row a trajectory; its columns are covariates."),
            path("events", "A table in CSV of dose events: trajectory, time, state, amount and optionally action."),
            number("validation_fraction", train::Options{}.validation_fraction, from_below(0, 1),
                   "Part of the trajectories held out for validation, chosen by train.seed."),
        }};
    return keys;
}

void read_data(Context& context, const toml::node* node, Job& job) {
    TableReader reader{context, data_keys(), node};
    ensemble::Source& source = job.data;
    source.where = context.file;
    source.data_file = reader.path("file");
    source.trajectories_file = reader.path("trajectories");
    source.events_file = reader.path("events");
    job.train.validation_fraction = reader.number("validation_fraction");
    job.has_data = !source.data_file.empty();
    reader.finish();
}

} // namespace rondo::job
