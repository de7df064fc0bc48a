#include "shard.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace rondo::gradient {
namespace {

/// Trajectories a thread takes at a time: enough pieces for an even end, few enough to be cheap.
std::size_t piece_size(std::size_t n, std::size_t n_threads) {
    return n_threads == 1 ? std::max<std::size_t>(n, 1) : std::clamp<std::size_t>(n / (16 * n_threads), 1, 64);
}

class Pieces {
public:
    Pieces(const Problem& problem, const Question& question, Shard& shard, std::size_t row_size, std::size_t n_threads)
        : shard_{shard}, row_size_{row_size}, size_{piece_size(shard.trajectories.size(), n_threads)},
          predictions_{question.predictions}, columns_{2 * problem.model->n_observables()},
          ensemble_{*problem.ensemble}, request_{.model = problem.model,
                                                 .ensemble = problem.ensemble,
                                                 .initial_time = problem.initial_time,
                                                 .parameters = question.natural,
                                                 .want = question.want} {}

    /// Take pieces until none is left; keeps the first exception of any thread.
    void work(solve::Engine& engine) noexcept {
        try {
            for (std::size_t first = next_.fetch_add(size_); first < shard_.trajectories.size();
                 first = next_.fetch_add(size_)) {
                solve_piece(engine, first, std::min(size_, shard_.trajectories.size() - first));
            }
        } catch (...) {
            const std::lock_guard lock{mutex_};
            if (!error_) {
                error_ = std::current_exception();
            }
            next_ = shard_.trajectories.size();
        }
    }

    void rethrow() const {
        if (error_) {
            std::rethrow_exception(error_);
        }
    }

private:
    void solve_piece(solve::Engine& engine, std::size_t first, std::size_t count) {
        const std::span<const std::int64_t> ids{shard_.trajectories.data() + first, count};
        std::vector<double> values;
        if (predictions_) {
            values.resize(n_values(ids));
        }
        engine.solve(request_, ids, {shard_.outcomes.data() + first, count},
                     {shard_.rows.data() + first * row_size_, count * row_size_},
                     predictions_ ? values.data() : nullptr);
        if (predictions_) {
            keep_predictions(first, ids, values);
        }
    }

    [[nodiscard]] std::size_t n_values(std::int64_t trajectory) const {
        return ensemble_.trajectory(trajectory).times.size() * columns_;
    }
    [[nodiscard]] std::size_t n_values(std::span<const std::int64_t> ids) const {
        std::size_t n = 0;
        for (const std::int64_t id : ids) {
            n += n_values(id);
        }
        return n;
    }
    void keep_predictions(std::size_t first, std::span<const std::int64_t> ids, const std::vector<double>& values) {
        auto from = values.begin();
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const auto to = from + static_cast<std::ptrdiff_t>(n_values(ids[i]));
            shard_.predictions[first + i].assign(from, to);
            from = to;
        }
    }

    Shard& shard_;
    std::size_t row_size_;
    std::size_t size_;
    bool predictions_;
    std::size_t columns_;
    const ensemble::Ensemble& ensemble_;
    solve::Request request_;
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::exception_ptr error_;
};

} // namespace

Shard solve_shard(const Problem& problem, const Question& question, std::vector<std::int64_t> trajectories,
                  std::span<const std::unique_ptr<solve::Engine>> engines) {
    const std::size_t row_size = solve::row_size(question.want, problem.model->n_active());
    Shard shard{.trajectories = std::move(trajectories)};
    shard.outcomes.resize(shard.trajectories.size());
    shard.rows.resize(shard.trajectories.size() * row_size);
    if (question.predictions) {
        shard.predictions.resize(shard.trajectories.size());
    }
    const std::size_t n_threads =
        std::clamp<std::size_t>(engines.size(), 1, std::max<std::size_t>(shard.trajectories.size(), 1));
    Pieces pieces{problem, question, shard, row_size, n_threads};
    {
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < n_threads; ++i) {
            helpers.emplace_back([&pieces, &engine = *engines[i]] { pieces.work(engine); });
        }
        pieces.work(*engines[0]);
    }
    pieces.rethrow();
    return shard;
}

} // namespace rondo::gradient
