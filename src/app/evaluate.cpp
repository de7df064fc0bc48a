#include "commands.hpp"
#include "output.hpp"
#include "prepare.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>
#include <rondo/comm/agree.hpp>
#include <rondo/train/checkpoint.hpp>
#include <rondo/train/result.hpp>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <utility>
#include <vector>

namespace rondo::app {
namespace {

/// The file's values in the order of the job's parameters.
/// @throws InputError  the file and the job do not have the same parameters
std::vector<double> values_for(const Prepared& prepared, const std::filesystem::path& file) {
    const auto stored = train::read_parameters(file);
    std::vector<double> values;
    for (const auto& parameter : prepared.problem.parameters) {
        const auto found = std::ranges::find(stored.names, parameter.name);
        if (found == stored.names.end()) {
            throw InputError{fmt::format("{}: has no parameter \"{}\", which {} needs{}", file.string(), parameter.name,
                                         prepared.job.file.string(), known_words_hint(parameter.name, stored.names))};
        }
        values.push_back(stored.values[static_cast<std::size_t>(found - stored.names.begin())]);
    }
    if (stored.names.size() != values.size()) {
        throw InputError{fmt::format("{}: has {} parameters, {} has {}; evaluate with the job that was trained",
                                     file.string(), stored.names.size(), prepared.job.file.string(), values.size())};
    }
    return values;
}

} // namespace

int evaluate(const comm::Comm& comm, const Arguments& arguments) {
    const auto prepared = read_all(comm, arguments, Demand::data);
    comm::run_agreed(comm, [&] {
        if (comm.rank() == 0 && !arguments.output.empty()) {
            prepare_file(arguments.output, arguments);
        }
    });
    auto natural = comm::run_agreed(comm, [&] {
        prepared->problem.parameters = prepared->job.parameters;
        return values_for(*prepared, arguments.checkpoint);
    });
    make_kernels(comm, *prepared);
    gradient::Evaluator evaluator{comm, prepared->problem};
    const auto end = train::evaluate_end_point(evaluator, prepared->split, std::move(natural));
    spdlog::info("training loss {:.17g} over {} trajectories ({} failed)", end.training.loss, end.training.n_asked,
                 end.training.n_failed);
    if (!prepared->split.validation.empty()) {
        const auto held_out = evaluator.evaluate(
            {.trajectories = prepared->split.validation, .natural = end.natural, .want = solve::Want::loss});
        // without priors, as in training: how well the model predicts them
        const double loss = held_out.loss - gradient::add_priors(prepared->problem.parameters, end.natural, {});
        spdlog::info("validation loss {:.17g} over {} trajectories ({} failed)", loss, held_out.n_asked,
                     held_out.n_failed);
    }
    if (!arguments.output.empty()) {
        train::write_report(comm, {.file = arguments.output,
                                   .provenance = provenance(comm, *prepared, arguments, store::FileKind::evaluation),
                                   .problem = &prepared->problem,
                                   .end = &end,
                                   .split = &prepared->split});
        spdlog::info("predictions: {}", arguments.output);
    }
    gradient::require_solved(comm, prepared->problem, end.everything);
    return 0;
}

} // namespace rondo::app
