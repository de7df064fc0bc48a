#include "tables.hpp"

#include <rondo/base/error.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <type_traits>

namespace rondo::train {
namespace {

/// Write one column of a table of structs.
template <class Row, class Value>
void write_column(store::FileWriter& file, const std::string& path, std::span<const Row> rows, const Value& value_of,
                  const std::vector<std::string>& scales) {
    std::vector<std::decay_t<decltype(value_of(rows[0]))>> column;
    column.reserve(rows.size());
    for (const Row& row : rows) {
        column.push_back(value_of(row));
    }
    file.write(path, std::span<const typename decltype(column)::value_type>{column}, {}, scales);
}

/// Read a column that must have `n` rows.
template <class T>
std::vector<T> read_column(const store::FileReader& file, const std::string& path, std::size_t n) {
    auto column = file.read<T>(path);
    if (column.size() != n) {
        throw StoreError{
            fmt::format("{}: {} has {} rows where its group has {} (the file is damaged); use another file",
                        file.path().string(), path, column.size(), n)};
    }
    return column;
}

} // namespace

void write_history(store::FileWriter& file, std::span<const HistoryRow> rows) {
    const auto column = [&](const std::string& name, const auto& value_of) {
        const bool is_scale = name == "update";
        write_column(file, "/history/" + name, rows, value_of,
                     is_scale ? std::vector<std::string>{} : std::vector<std::string>{"/history/update"});
        if (is_scale) {
            file.make_scale("/history/update", "update");
        }
    };
    column("update", [](const HistoryRow& row) { return row.update; });
    column("epoch", [](const HistoryRow& row) { return row.epoch; });
    column("loss", [](const HistoryRow& row) { return row.loss; });
    column("validation_loss", [](const HistoryRow& row) { return row.validation_loss; });
    column("gradient_norm", [](const HistoryRow& row) { return row.gradient_norm; });
    column("learning_rate", [](const HistoryRow& row) { return row.learning_rate; });
    column("wall_s", [](const HistoryRow& row) { return row.wall_s; });
    column("n_solved", [](const HistoryRow& row) { return row.n_solved; });
    column("n_failed", [](const HistoryRow& row) { return row.n_failed; });
}

std::vector<HistoryRow> read_history(const store::FileReader& file) {
    const auto update = file.read<std::int64_t>("/history/update");
    const std::size_t n = update.size();
    const auto epoch = read_column<std::int64_t>(file, "/history/epoch", n);
    const auto loss = read_column<double>(file, "/history/loss", n);
    const auto validation_loss = read_column<double>(file, "/history/validation_loss", n);
    const auto gradient_norm = read_column<double>(file, "/history/gradient_norm", n);
    const auto learning_rate = read_column<double>(file, "/history/learning_rate", n);
    const auto wall_s = read_column<double>(file, "/history/wall_s", n);
    const auto n_solved = read_column<std::int64_t>(file, "/history/n_solved", n);
    const auto n_failed = read_column<std::int64_t>(file, "/history/n_failed", n);
    std::vector<HistoryRow> rows;
    for (std::size_t i = 0; i < n; ++i) {
        rows.push_back({update[i], epoch[i], loss[i], validation_loss[i], gradient_norm[i], learning_rate[i], wall_s[i],
                        n_solved[i], n_failed[i]});
    }
    return rows;
}

void write_failures(store::FileWriter& file, std::span<const gradient::Failure> failures) {
    using gradient::Failure;
    const std::vector<std::string> scales{"/failures/trajectory"};
    write_column(file, "/failures/trajectory", failures, [](const Failure& f) { return f.trajectory; }, {});
    file.make_scale("/failures/trajectory", "trajectory");
    write_column(
        file, "/failures/update", failures, [](const Failure& f) { return f.update; }, scales);
    write_column(
        file, "/failures/time_reached", failures, [](const Failure& f) { return f.outcome.time_reached; }, scales);
    write_column(
        file, "/failures/attempts", failures, [](const Failure& f) { return std::int64_t{f.outcome.attempts}; },
        scales);
    write_column(
        file, "/failures/method", failures, [](const Failure& f) { return std::string{name_of(f.outcome.method)}; },
        scales);
    write_column(
        file, "/failures/n_steps", failures, [](const Failure& f) { return f.outcome.n_steps; }, scales);
    write_column(
        file, "/failures/n_rhs", failures, [](const Failure& f) { return f.outcome.n_rhs; }, scales);
    write_column(
        file, "/failures/wall_s", failures, [](const Failure& f) { return f.outcome.wall_s; }, scales);
    write_column(
        file, "/failures/reason", failures, [](const Failure& f) { return f.outcome.reason; }, scales);
}

std::vector<gradient::Failure> read_failures(const store::FileReader& file) {
    const auto trajectory = file.read<std::int64_t>("/failures/trajectory");
    const std::size_t n = trajectory.size();
    const auto update = read_column<std::int64_t>(file, "/failures/update", n);
    const auto time = read_column<double>(file, "/failures/time_reached", n);
    const auto attempts = read_column<std::int64_t>(file, "/failures/attempts", n);
    const auto method = read_column<std::string>(file, "/failures/method", n);
    const auto n_steps = read_column<std::int64_t>(file, "/failures/n_steps", n);
    const auto n_rhs = read_column<std::int64_t>(file, "/failures/n_rhs", n);
    const auto wall_s = read_column<double>(file, "/failures/wall_s", n);
    const auto reason = read_column<std::string>(file, "/failures/reason", n);
    std::vector<gradient::Failure> failures;
    for (std::size_t i = 0; i < n; ++i) {
        failures.push_back({.trajectory = trajectory[i],
                            .outcome = {.attempts = static_cast<int>(attempts[i]),
                                        .method = solve::method_from(method[i]).value_or(solve::Method::automatic),
                                        .n_steps = n_steps[i],
                                        .n_rhs = n_rhs[i],
                                        .time_reached = time[i],
                                        .wall_s = wall_s[i],
                                        .reason = reason[i]},
                            .update = update[i]});
    }
    return failures;
}

} // namespace rondo::train
