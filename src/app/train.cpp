#include "commands.hpp"
#include "output.hpp"
#include "prepare.hpp"
#include "progress.hpp"
#include "stop_signal.hpp"

#include <rondo/base/error.hpp>
#include <rondo/base/text.hpp>
#include <rondo/comm/agree.hpp>
#include <rondo/comm/collective.hpp>
#include <rondo/job/plan.hpp>
#include <rondo/train/checkpoint.hpp>
#include <rondo/train/result.hpp>
#include <rondo/train/run.hpp>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace rondo::app {
namespace {

constexpr int exit_resumable = 75;

/// @throws InputError  the checkpoint is of another job, or of other data
void require_same_run(const Prepared& prepared, const train::Checkpoint& checkpoint, std::uint64_t data_hash) {
    const job::Job before = job::parse(checkpoint.provenance.job, prepared.job.file);
    const auto keys = job::mathematical_differences(before, prepared.job);
    if (!keys.empty()) {
        throw InputError{fmt::format(
            "{}: the run in {} was made with another {} (its numbers would not be those of one run); set it "
            "back, or begin anew with --overwrite or another --output",
            prepared.job.file.string(), checkpoint.file.parent_path().string(), join(keys))};
    }
    if (checkpoint.data_hash != data_hash) {
        throw InputError{fmt::format(
            "{}: the data are not those of the run in {} (its numbers would not be those of one run); restore "
            "them, or begin anew with --overwrite or another --output",
            prepared.job.file.string(), checkpoint.file.parent_path().string())};
    }
}

/// The newest good checkpoint's state, the same on all ranks; the fresh state where there is none. **Collective.**
train::State first_state(const comm::Comm& comm, const Arguments& arguments, const Prepared& prepared,
                         const std::filesystem::path& directory, std::uint64_t data_hash) {
    train::State fresh = train::start(prepared.job.train, prepared.problem);
    if (!arguments.resume) {
        return fresh;
    }
    const std::string path = comm::run_agreed(comm, [&]() -> std::string {
        if (comm.rank() != 0) {
            return {};
        }
        const auto newest = train::newest_checkpoint(directory);
        for (const std::string& reason : newest.rejected) {
            spdlog::warn("passed over a checkpoint: {}", reason);
        }
        if (!newest.checkpoint && !newest.rejected.empty()) {
            throw StoreError{fmt::format(
                "{}: none of the {} checkpoints there can be used (the run cannot go on); begin anew with --overwrite",
                directory.string(), newest.rejected.size())};
        }
        return newest.checkpoint ? newest.checkpoint->file.string() : std::string{};
    });
    const std::string file = comm::broadcast(comm, path);
    if (file.empty()) {
        spdlog::info("no checkpoint in {}: starting afresh", directory.string());
        return fresh;
    }
    return comm::run_agreed(comm, [&] {
        train::Checkpoint checkpoint = train::read_checkpoint(file);
        require_same_run(prepared, checkpoint, data_hash);
        if (comm.rank() != 0) {
            checkpoint.state.failures.clear();
        }
        spdlog::info("going on from {} (update {}, epoch {})", file, checkpoint.state.optimiser.update,
                     checkpoint.state.epoch);
        return std::move(checkpoint.state);
    });
}

void say_what_runs(const Prepared& prepared, const job::Plan& plan, const std::filesystem::path& directory) {
    const job::Job& job = prepared.job;
    spdlog::info("{}", job.title.empty() ? job.name : job.title);
    spdlog::info("model: {} states, {} observables, {} parameters ({} estimated), {} kernels",
                 prepared.model.n_states(), prepared.model.n_observables(), prepared.model.parameters.size(),
                 prepared.model.n_active(), prepared.model.backend);
    spdlog::info("data: {} trajectories with {} points; {} train, {} held out", plan.n_trajectories, plan.n_points,
                 plan.n_training, plan.n_validation);
    spdlog::info("solver: engine {}, method {}, {} sensitivities, rtol {}, atol {}",
                 name_of(prepared.problem.solver.engine), name_of(prepared.problem.solver.method),
                 name_of(prepared.problem.solver.sensitivity), number_text(prepared.problem.solver.rtol),
                 number_text(prepared.problem.solver.atol));
    spdlog::info("training: {}, learning rate {}, batch {} of {}, {} epochs; {} ranks x {} threads",
                 name_of(job.train.optimiser.rule), number_text(plan.learning_rate), plan.batch_size, plan.n_training,
                 job.train.epochs, plan.n_ranks, plan.threads);
    spdlog::info("output: {}", directory.string());
}

void say_what_came(const Prepared& prepared, const train::EndPoint& end, const train::Summary& summary,
                   const train::State& state, const std::filesystem::path& result) {
    spdlog::info("done: {}; {} updates, {:.1f} s", summary.reason, state.optimiser.update, state.wall_s);
    spdlog::info("loss {:.12g} over {} training trajectories ({} failed)", end.training.loss, end.training.n_asked,
                 end.training.n_failed);
    std::size_t width = 4;
    for (const auto& parameter : prepared.problem.parameters) {
        width = std::max(width, parameter.name.size());
    }
    constexpr std::size_t most = 40;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < prepared.problem.parameters.size(); ++i) {
        const auto& parameter = prepared.problem.parameters[i];
        if (parameter.estimated && ++shown <= most) {
            spdlog::info("  {:<{}}  {:<14.9g} (from {:.6g})", parameter.name, width, end.natural[i], parameter.initial);
        }
    }
    if (shown > most) {
        spdlog::info("  and {} more", shown - most);
    }
    spdlog::info("result: {}; look inside with: rondo inspect {}", result.string(), result.string());
}

} // namespace

int train(const comm::Comm& comm, const Arguments& arguments) {
    catch_stop_signals();
    const auto prepared = read_all(comm, arguments, Demand::derivatives);
    const std::filesystem::path directory =
        arguments.output.empty() ? prepared->job.output_directory : std::filesystem::path{arguments.output};
    comm::run_agreed(comm, [&] {
        if (comm.rank() == 0) {
            prepare_directory(directory, arguments);
        }
    });
    make_kernels(comm, *prepared);
    const job::Plan plan = job::make_plan(prepared->job, prepared->ensemble, comm.size());
    say_what_runs(*prepared, plan, directory);

    const std::uint64_t data_hash = train::data_hash(prepared->ensemble);
    train::State state = first_state(comm, arguments, *prepared, directory, data_hash);
    Progress progress{prepared->job.train.epochs, plan.n_updates, state.optimiser.update};
    const auto made_by = provenance(comm, *prepared, arguments, store::FileKind::checkpoint);
    const train::Hooks hooks{.on_update = [&](const train::HistoryRow& row) { progress.report(row); },
                             .on_checkpoint =
                                 [&](const train::State& now) {
                                     train::write_checkpoint(directory, prepared->job.train.checkpoint.keep, made_by,
                                                             prepared->problem.parameters, data_hash, now);
                                     spdlog::debug("checkpoint after update {}", now.optimiser.update);
                                 },
                             .stop_requested = stop_requested};
    gradient::Evaluator evaluator{comm, prepared->problem};
    const train::Summary summary = train::run(comm, evaluator, prepared->job.train, prepared->split, state, hooks);
    if (summary.ending == train::Ending::interrupted) {
        const auto level =
            comm.rank() == 0 ? spdlog::level::warn : spdlog::level::debug; // all ranks know it, one says it
        spdlog::log(level, "{}; go on with: rondo train {} --resume --output {}", summary.reason, arguments.job,
                    directory.string());
        return exit_resumable;
    }

    const auto coordinates = train::reported_coordinates(state, prepared->split);
    const auto end = train::evaluate_end_point(evaluator, prepared->split,
                                               gradient::natural_values(prepared->problem.parameters, coordinates));
    train::add_last_row(state, coordinates, end.training);
    const std::filesystem::path result = directory / result_name;
    train::write_report(comm, {.file = result,
                               .provenance = provenance(comm, *prepared, arguments, store::FileKind::result),
                               .problem = &prepared->problem,
                               .end = &end,
                               .split = &prepared->split,
                               .state = &state,
                               .summary = &summary});
    say_what_came(*prepared, end, summary, state, result);
    return 0;
}

} // namespace rondo::app
