#include "predictions.hpp"

#include <rondo/comm/agree.hpp>
#include <rondo/comm/pieces.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

namespace rondo::train {
namespace {

constexpr std::size_t piece_rows = 1U << 16U;

/// Axes and what all ranks know: offsets, times, data.
void write_frame(store::FileWriter& file, const gradient::Problem& problem) {
    const ensemble::Ensemble& ensemble = *problem.ensemble;
    const auto& observables = problem.model->observables;
    const std::size_t n_rows = ensemble.time.size();
    file.write("/predictions/observables", observables);
    file.make_scale("/predictions/observables", "observables");
    std::vector<std::int64_t> row(n_rows), owner(n_rows), bound(ensemble.offset.size());
    for (std::size_t i = 0; i < n_rows; ++i) {
        row[i] = static_cast<std::int64_t>(i);
    }
    for (std::size_t i = 0; i < bound.size(); ++i) {
        bound[i] = static_cast<std::int64_t>(i);
    }
    for (std::size_t i = 0; i + 1 < ensemble.offset.size(); ++i) {
        std::fill(owner.begin() + ensemble.offset[i], owner.begin() + ensemble.offset[i + 1],
                  static_cast<std::int64_t>(i));
    }
    file.write("/predictions/row", row);
    file.make_scale("/predictions/row", "row");
    file.write("/predictions/bound", bound);
    file.make_scale("/predictions/bound", "bound");
    file.write("/predictions/offset", ensemble.offset, {}, {"/predictions/bound"});
    file.write("/predictions/time", ensemble.time, {}, {"/predictions/row"});
    file.write("/predictions/trajectory", owner, {}, {"/predictions/row"});
    const bool same_columns = ensemble.columns == observables;
    if (!same_columns) {
        file.write("/predictions/columns", ensemble.columns);
        file.make_scale("/predictions/columns", "columns");
    }
    file.write("/predictions/data", ensemble.value, {n_rows, ensemble.n_columns()},
               {"/predictions/row", same_columns ? "/predictions/observables" : "/predictions/columns"});
    for (const char* name : {"/predictions/value", "/predictions/sigma"}) {
        file.create(name, store::ElementType::float64, {n_rows, observables.size()},
                    {"/predictions/row", "/predictions/observables"});
    }
}

void write_from_ranks(const comm::Comm& comm, std::optional<store::FileWriter>& file, const std::string& path,
                      std::span<const double> mine, std::size_t n_columns) {
    std::size_t next = 0;
    comm::for_each_piece<double>(comm, mine, piece_rows * n_columns, [&](const comm::Piece<double>& piece) {
        file->write_rows(path, next, piece.data);
        next += piece.data.size() / n_columns;
    });
}

} // namespace

std::vector<double> half_of(const gradient::Shard& shard, std::size_t n_observables, Half half) {
    std::vector<double> values;
    const std::size_t first = half == Half::values ? 0 : n_observables;
    for (const std::vector<double>& rows : shard.predictions) {
        for (std::size_t i = first; i < rows.size(); i += 2 * n_observables) {
            values.insert(values.end(), rows.begin() + static_cast<std::ptrdiff_t>(i),
                          rows.begin() + static_cast<std::ptrdiff_t>(i + n_observables));
        }
    }
    return values;
}

void write_predictions(const comm::Comm& comm, std::optional<store::FileWriter>& file, const gradient::Problem& problem,
                       const gradient::Evaluation& everything) {
    comm::run_agreed(comm, [&] {
        if (file) {
            write_frame(*file, problem);
        }
    });
    const std::size_t n = problem.model->n_observables();
    write_from_ranks(comm, file, "/predictions/value", half_of(everything.shard, n, Half::values), n);
    const bool has_sigma = model::uses_sigma(problem.model->loss);
    if (has_sigma && !problem.model->sigma_from_data) {
        write_from_ranks(comm, file, "/predictions/sigma", half_of(everything.shard, n, Half::sigmas), n);
        return;
    }
    comm::run_agreed(comm, [&] {
        if (!file) {
            return;
        }
        const std::size_t n_values = problem.ensemble->time.size() * n;
        const bool from_data = problem.ensemble->sigma.size() == n_values;
        const std::vector<double> none(from_data ? 0 : n_values, std::numeric_limits<double>::quiet_NaN());
        file->write_rows("/predictions/sigma", 0, from_data ? problem.ensemble->sigma : none);
    });
}

} // namespace rondo::train
