#include "readers.hpp"

#include <rondo/base/cast.hpp>
#include <rondo/base/error.hpp>

#include <fmt/format.h>

#include <limits>

namespace rondo::job {

const TableKeys& ensemble_keys() {
    static const TableKeys keys{
        "ensemble",
        {
            shown_as(whole("trajectories", 0, from_to(1, 1e8), "How many trajectories are generated."),
                     "the rows of data.trajectories"),
            required(several("times", "a list of increasing numbers, or a table with start, stop, and step or count",
                             "The times at which every trajectory is observed.")),
            several("target", "an expression in t, index and covariates, or a number",
                    "What every observable should be; without it there is nothing to fit."),
            table("targets", "The same by observable, instead of target."),
            table("covariates", "Generated covariates: expressions in index, earlier covariates and random numbers."),
            whole("seed", 1, at_least(0), "Seed of the random numbers in covariates."),
        }};
    return keys;
}

namespace {

void append(std::vector<ensemble::Formula>& to, const std::vector<model::Definition>& from) {
    for (const model::Definition& one : from) {
        to.push_back({.name = one.name, .text = one.text, .where = one.where});
    }
}

void read_targets(TableReader& reader, ensemble::Source& source) {
    if (reader.has("target") && reader.has("targets")) {
        throw InputError{fmt::format("{} stands beside targets (both say what the observables should be); keep one",
                                     reader.subject("target"))};
    }
    const std::string target = expression_of(reader, "target");
    if (!target.empty()) {
        source.targets.push_back({.name = "", .text = target, .where = reader.subject("target")});
    }
    append(source.targets, read_formulas(reader.context(), reader.node("targets"), "ensemble.targets"));
}

void read_size(TableReader& reader, ensemble::Source& source) {
    if (source.trajectories_file.empty()) {
        reader.require("trajectories", ", or a [data] trajectories table,");
    }
    source.n_trajectories = reader.whole("trajectories");
}

} // namespace

void read_ensemble(Context& context, const toml::node* node, Job& job) {
    ensemble::Source& source = job.data;
    if (node == nullptr) {
        if (source.data_file.empty()) {
            throw InputError{
                fmt::format("{}: [data] key \"file\" is missing and there is no table [ensemble] (nothing says at "
                            "which times to solve); give the one or the other",
                            context.file)};
        }
        return;
    }
    TableReader reader{context, ensemble_keys(), node};
    if (!source.data_file.empty()) {
        throw InputError{fmt::format("{} stands beside [data] file (both say at which times to solve); keep one",
                                     reader.table_subject())};
    }
    read_size(reader, source);
    source.times = read_times(reader);
    read_targets(reader, source);
    append(source.covariates, read_formulas(context, reader.node("covariates"), "ensemble.covariates"));
    source.seed = narrow<std::uint64_t>(reader.whole("seed"));
    job.has_data = !source.targets.empty();
    reader.finish();
}

} // namespace rondo::job
