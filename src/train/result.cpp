#include <rondo/train/result.hpp>

#include "predictions.hpp"
#include "tables.hpp"

#include <rondo/comm/agree.hpp>
#include <rondo/comm/collective.hpp>
#include <rondo/comm/pieces.hpp>
#include <rondo/store/checksum.hpp>
#include <rondo/store/hdf5_file.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace rondo::train {
namespace {

void write_parameters(store::FileWriter& file, const Report& report) {
    std::vector<std::string> names, scales, estimated;
    std::vector<double> initial, lower, upper;
    std::vector<std::int32_t> is_estimated;
    for (const gradient::Parameter& parameter : report.problem->parameters) {
        names.push_back(parameter.name);
        initial.push_back(parameter.initial);
        lower.push_back(parameter.transform.lower);
        upper.push_back(parameter.transform.upper);
        scales.emplace_back(optimise::name_of(parameter.transform.scale));
        is_estimated.push_back(parameter.estimated ? 1 : 0);
        if (parameter.estimated) {
            estimated.push_back(parameter.name);
        }
    }
    const std::vector<std::string> axis{"/parameters/names"};
    file.write("/parameters/names", names);
    file.make_scale("/parameters/names", "names");
    file.write("/parameters/values", report.end->natural, {}, axis);
    file.write("/parameters/initial", initial, {}, axis);
    file.write("/parameters/lower", lower, {}, axis);
    file.write("/parameters/upper", upper, {}, axis);
    file.write("/parameters/scale", scales, {}, axis);
    file.write("/parameters/estimated", is_estimated, {}, axis);
    file.write("/gradient/names", estimated);
    file.make_scale("/gradient/names", "names");
    file.write("/gradient/values", report.end->training.gradient, {}, {"/gradient/names"});
}

void write_summary(store::FileWriter& file, const Report& report) {
    file.write_attribute("/", "loss", report.end->training.loss);
    file.write_attribute("/", "n_trajectories", report.problem->ensemble->size());
    file.write_attribute("/", "n_training", static_cast<std::int64_t>(report.split->training.size()));
    file.write_attribute("/", "engine", name_of(report.problem->solver.engine));
    file.write_attribute("/", "method", name_of(report.problem->solver.method));
    file.write_attribute("/", "sensitivity", name_of(report.problem->solver.sensitivity));
    if (report.state == nullptr) {
        return;
    }
    constexpr const char* endings[] = {"finished", "converged", "stopped_early", "interrupted"};
    file.write_attribute("/", "ending", std::string_view{endings[static_cast<std::size_t>(report.summary->ending)]});
    file.write_attribute("/", "ending_reason", std::string_view{report.summary->reason});
    file.write_attribute("/", "n_updates", report.state->optimiser.update);
    write_history(file, report.state->history);
    std::vector<gradient::Failure> failures;
    for (const auto& [trajectory, failure] : report.state->failures) {
        failures.push_back(failure);
    }
    write_failures(file, failures);
}

/// One value a trajectory, from the ranks that solved them, in order.
template <class T, class ValueOf>
void write_column(const comm::Comm& comm, std::optional<store::FileWriter>& file, const Report& report,
                  const std::string& name, store::ElementType type, const ValueOf& value_of) {
    const std::string path = "/trajectories/" + name;
    const gradient::Shard& shard = report.end->everything.shard;
    std::vector<T> mine;
    mine.reserve(shard.outcomes.size());
    for (std::size_t i = 0; i < shard.outcomes.size(); ++i) {
        mine.push_back(value_of(shard.outcomes[i], i));
    }
    comm::run_agreed(comm, [&] {
        if (file) {
            file->create(path, type, {static_cast<std::size_t>(report.problem->ensemble->size())},
                         {"/trajectories/id"});
        }
    });
    std::size_t next = 0;
    comm::for_each_piece<T>(comm, mine, std::size_t{1} << 18U, [&](const comm::Piece<T>& piece) {
        file->write_rows(path, next, piece.data);
        next += piece.data.size();
    });
}

/// Small numbers from all ranks as words, written by rank 0.
template <class WordOf>
void write_words(const comm::Comm& comm, std::optional<store::FileWriter>& file, const std::string& name,
                 std::span<const std::int64_t> mine, const WordOf& word_of) {
    std::vector<std::string> words;
    comm::for_each_piece<std::int64_t>(comm, mine, std::size_t{1} << 18U, [&](const comm::Piece<std::int64_t>& piece) {
        for (const std::int64_t value : piece.data) {
            words.emplace_back(word_of(value));
        }
    });
    comm::run_agreed(comm, [&] {
        if (file) {
            file->write("/trajectories/" + name, words, {}, {"/trajectories/id"});
        }
    });
}

void write_trajectories(const comm::Comm& comm, std::optional<store::FileWriter>& file, const Report& report) {
    const ensemble::Ensemble& ensemble = *report.problem->ensemble;
    comm::run_agreed(comm, [&] {
        if (!file) {
            return;
        }
        file->write("/trajectories/id", ensemble.labels);
        file->make_scale("/trajectories/id", "id");
        std::vector<std::string> sets(ensemble.labels.size(), "training");
        for (const std::int64_t i : report.split->validation) {
            sets[static_cast<std::size_t>(i)] = "validation";
        }
        file->write("/trajectories/set", sets, {}, {"/trajectories/id"});
    });
    const gradient::Shard& shard = report.end->everything.shard;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    using solve::Outcome;
    using store::ElementType;
    write_column<double>(comm, file, report, "loss", ElementType::float64,
                         [&](const Outcome& o, std::size_t i) { return o.solved ? shard.rows[i] : nan; });
    write_column<std::int64_t>(comm, file, report, "attempts", ElementType::int64,
                               [](const Outcome& o, std::size_t) { return std::int64_t{o.attempts}; });
    write_column<std::int64_t>(comm, file, report, "n_steps", ElementType::int64,
                               [](const Outcome& o, std::size_t) { return o.n_steps; });
    write_column<std::int64_t>(comm, file, report, "n_rhs", ElementType::int64,
                               [](const Outcome& o, std::size_t) { return o.n_rhs; });
    write_column<double>(comm, file, report, "wall_s", ElementType::float64,
                         [](const Outcome& o, std::size_t) { return o.wall_s; });
    std::vector<std::int64_t> solved, method;
    for (const Outcome& outcome : shard.outcomes) {
        solved.push_back(outcome.solved ? 1 : 0);
        method.push_back(static_cast<std::int64_t>(outcome.method));
    }
    write_words(comm, file, "status", solved, [](std::int64_t v) { return v != 0 ? "solved" : "failed"; });
    write_words(comm, file, "method", method,
                [](std::int64_t v) { return std::string{name_of(static_cast<solve::Method>(v))}; });
}

/// `/timing/seconds` [ranks x phases] with axes `rank` and `phase`.
void write_timing(const comm::Comm& comm, std::optional<store::FileWriter>& file, const Summary& summary) {
    const std::vector<std::string> phases{"solve", "wait", "update", "validate", "checkpoint"};
    std::vector<double> mine;
    for (const std::string& phase : phases) {
        const auto found = summary.phases.find(phase);
        mine.push_back(found == summary.phases.end() ? 0.0 : found->second);
    }
    const auto all = comm::gather(comm, std::span<const double>{mine});
    comm::run_agreed(comm, [&] {
        if (!file) {
            return;
        }
        std::vector<std::int64_t> ranks(static_cast<std::size_t>(comm.size()));
        std::iota(ranks.begin(), ranks.end(), 0);
        std::vector<double> seconds;
        for (const auto& row : all) {
            seconds.insert(seconds.end(), row.begin(), row.end());
        }
        file->write("/timing/phase", phases);
        file->make_scale("/timing/phase", "phase");
        file->write("/timing/rank", ranks);
        file->make_scale("/timing/rank", "rank");
        file->write("/timing/seconds", seconds, {ranks.size(), phases.size()}, {"/timing/rank", "/timing/phase"});
    });
}

} // namespace

EndPoint evaluate_end_point(gradient::Evaluator& evaluator, const ensemble::Split& split, std::vector<double> natural) {
    EndPoint end{.natural = std::move(natural)};
    end.training =
        evaluator.evaluate({.trajectories = split.training, .natural = end.natural, .want = solve::Want::gradient});
    end.everything = evaluate_everything(evaluator, end.natural);
    return end;
}

gradient::Evaluation evaluate_everything(gradient::Evaluator& evaluator, std::span<const double> natural) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(evaluator.problem().ensemble->size()));
    std::iota(all.begin(), all.end(), 0);
    return evaluator.evaluate({.trajectories = all,
                               .natural = natural,
                               .want = solve::Want::loss,
                               .predictions = true,
                               .balance = ensemble::Balance::block});
}

void add_last_row(State& state, std::span<const double> reported, const gradient::Evaluation& training) {
    const auto& point = state.optimiser.point;
    if (std::ranges::equal(point, reported)) {
        state.history.push_back({.update = state.optimiser.update,
                                 .epoch = state.epoch,
                                 .loss = training.loss,
                                 .wall_s = state.wall_s,
                                 .n_solved = training.n_solved,
                                 .n_failed = training.n_failed});
    }
}

void write_report(const comm::Comm& comm, const Report& report) {
    std::optional<store::FileWriter> file;
    comm::run_agreed(comm, [&] {
        if (comm.rank() == 0) {
            file.emplace(report.file);
            store::write_provenance(*file, report.provenance);
            write_parameters(*file, report);
            write_summary(*file, report);
        }
    });
    write_trajectories(comm, file, report);
    write_predictions(comm, file, *report.problem, report.end->everything);
    if (report.summary != nullptr) {
        write_timing(comm, file, *report.summary);
    } else {
        const auto failures = gradient::gather_failures(comm, gradient::failures_of(report.end->everything.shard));
        comm::run_agreed(comm, [&] {
            if (file) {
                write_failures(*file, failures);
            }
        });
    }
    comm::run_agreed(comm, [&] {
        if (file) {
            store::write_checksum(*file);
            file->close();
        }
    });
}

std::vector<double> gather_predictions(const comm::Comm& comm, const gradient::Problem& problem,
                                       const gradient::Evaluation& everything) {
    std::vector<double> all;
    comm::for_each_piece<double>(
        comm, half_of(everything.shard, problem.model->n_observables(), Half::values), std::size_t{1} << 18U,
        [&](const comm::Piece<double>& piece) { all.insert(all.end(), piece.data.begin(), piece.data.end()); });
    return all;
}

} // namespace rondo::train
