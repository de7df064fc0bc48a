#include "lanes.hpp"

#include "finite_row.hpp"

#include <rondo/base/contract.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace rondo::solve {
namespace {

/// Trajectories of a list as a list of their own: results are copied back.
class Selection {
public:
    Selection(const LaneList& from, std::vector<std::size_t> which) : from_{from}, which_{std::move(which)} {
        const std::size_t size = from.rows.size() / from.size();
        for (const std::size_t i : which_) {
            trajectories_.push_back(from.trajectories[i]);
            outcomes_.push_back(from.outcomes[i]);
            if (!from.predictions.empty()) {
                predictions_.push_back(from.predictions[i]);
            }
        }
        rows_.resize(which_.size() * size);
    }

    [[nodiscard]] LaneList list() { return {from_.request, trajectories_, outcomes_, rows_, predictions_}; }

    void copy_back() {
        const std::size_t size = rows_.size() / which_.size();
        for (std::size_t i = 0; i < which_.size(); ++i) {
            from_.outcomes[which_[i]] = outcomes_[i];
            std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(i * size), size, from_.row(which_[i]).begin());
        }
    }

private:
    const LaneList& from_;
    std::vector<std::size_t> which_;
    std::vector<std::int64_t> trajectories_;
    std::vector<Outcome> outcomes_;
    std::vector<double> rows_;
    std::vector<double*> predictions_;
};

bool is_stiff(const Outcome& outcome) { return !outcome.solved && outcome.reason.starts_with(LaneForward::stiff); }

} // namespace

Lanes::Lanes(const Options& options, const model::Model& model, std::size_t tape_budget_bytes)
    : options_{options}, model_{model}, budget_bytes_{tape_budget_bytes} {
    expects(options.sensitivity != Sensitivity::automatic, "an engine is made from resolved options");
    expects(options.method == Method::tsit5 || options.method == Method::rodas5p || options.method == Method::automatic,
            "lanes have one-step methods");
    expects(model.lanes != nullptr, "the model has kernels for lanes");
}

void Lanes::solve(const Request& request, std::span<const std::int64_t> trajectories, std::span<Outcome> outcomes,
                  std::span<double> rows, double* predictions) {
    expects(request.model->lanes == model_.lanes, "an engine solves the model it was made for");
    expects(outcomes.size() == trajectories.size() &&
                rows.size() == trajectories.size() * row_size(request.want, model_.n_active()),
            "one outcome and one row for each trajectory");
    if (trajectories.empty()) {
        return;
    }
    const auto begin = std::chrono::steady_clock::now();
    LaneList list{&request, trajectories, outcomes, rows, {}};
    for (std::size_t i = 0; predictions != nullptr && i < trajectories.size(); ++i) {
        list.predictions.push_back(predictions);
        predictions += list.trajectory(i).times.size() * 2 * model_.n_observables();
    }
    std::fill(outcomes.begin(), outcomes.end(), Outcome{});
    const bool derives = request.want != Want::loss && model_.n_active() > 0;
    const bool adjoint = request.want == Want::gradient && options_.sensitivity == Sensitivity::adjoint;
    const Purpose purpose = !derives ? Purpose::loss : adjoint ? Purpose::adjoint : Purpose::sensitivities;
    solve_by(options_.method == Method::rodas5p ? Method::rodas5p : Method::tsit5, purpose, list);

    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (is_stiff(outcomes[i])) {
            outcomes[i].attempts = 0; // it was not tried, only begun
            left.push_back(i);
        }
    }
    if (!left.empty()) {
        Selection stiff{list, left};
        solve_by(Method::rodas5p, purpose, stiff.list());
        stiff.copy_back();
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!outcomes[i].solved && options_.max_attempts > 1) {
            solve_alone(list, i);
        }
    }
    const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (std::size_t i = 0; i < list.size(); ++i) {
        outcomes[i].wall_s = wall_s / static_cast<double>(list.size());
        if (!outcomes[i].solved) {
            std::ranges::fill(list.row(i), 0.0);
        }
    }
}

void Lanes::solve_by(Method method, Purpose purpose, const LaneList& list) {
    Solver& by = solver(method, purpose);
    for (std::size_t first = 0; first < list.size();) {
        first = by.forward->run(list, first);
        if (purpose == Purpose::adjoint) {
            by.backward->run(list, by.forward->tape(), by.forward->set());
        }
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        list.outcomes[i].method = method;
        require_finite(model_, list.row(i), list.outcomes[i]);
    }
}

Lanes::Solver& Lanes::solver(Method method, Purpose purpose) {
    Solver& found = solvers_[method == Method::tsit5 ? 0 : 1][static_cast<std::size_t>(purpose)];
    if (!found.forward) {
        const LaneMethod& loops = method == Method::tsit5 ? *core().tsit5 : *core().rodas5p;
        const bool leaves_stiff = method == Method::tsit5 && options_.method == Method::automatic;
        found.forward = std::make_unique<LaneForward>(model_, purpose, loops, options_, leaves_stiff, budget_bytes_);
        if (purpose == Purpose::adjoint) {
            found.backward = std::make_unique<LaneBackward>(model_, loops);
        }
    }
    return found;
}

/// The next rungs of the ladder.
void Lanes::solve_alone(const LaneList& list, std::size_t which) {
    if (!single_) {
        Options options = options_;
        options.engine = EngineKind::single;
        options.method = Method::bdf;
        options.max_attempts = options_.max_attempts - 1;
        single_ = std::make_unique<Single>(options, model_);
    }
    const Outcome before = list.outcomes[which];
    const std::span<Outcome> outcome = list.outcomes.subspan(which, 1);
    single_->solve(*list.request, list.trajectories.subspan(which, 1), outcome, list.row(which),
                   list.predictions.empty() ? nullptr : list.predictions[which]);
    outcome[0].attempts += before.attempts;
    outcome[0].n_steps += before.n_steps;
    outcome[0].n_rhs += before.n_rhs;
}

} // namespace rondo::solve
