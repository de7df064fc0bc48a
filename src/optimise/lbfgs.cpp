#include <rondo/base/error.hpp>

#include "convergence.hpp"
#include "line_search.hpp"
#include "rules.hpp"
#include "vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace rondo::optimise {
namespace {

/// Every number of the search under its name in State::scalars, so that storing and restoring cannot differ.
template <class Search, class Visit>
void visit_search(Search& search, const Visit& visit) {
    const auto visit_point = [&visit](const std::string& name, auto& point) {
        visit(name + "_step", point.step);
        visit(name + "_loss", point.loss);
        visit(name + "_slope", point.slope);
    };
    visit_point("search_origin", search.origin);
    visit_point("search_low", search.low);
    visit_point("search_high", search.high);
    visit("search_trial", search.trial);
    visit("search_width", search.width);
    visit("search_n_trials", search.n_trials);
    visit("search_is_bracketed", search.is_bracketed);
    visit("search_high_failed", search.high_failed);
}

void store_search(State& state, const LineSearch& search) {
    visit_search(search, [&state](const std::string& name, const auto& value) {
        state.scalars[name] = static_cast<double>(value);
    });
}

LineSearch restore_search(State& state) {
    LineSearch search;
    visit_search(search, [&state](const std::string& name, auto& value) {
        value = static_cast<std::remove_reference_t<decltype(value)>>(number_of(state, name));
    });
    return search;
}

/// The i-th of the pairs kept, oldest first.
std::span<const double> pair_at(const std::vector<double>& flat, std::size_t i, std::size_t m) {
    return std::span<const double>{flat}.subspan(i * m, m);
}

/// Minus the inverse Hessian of the kept pairs times the gradient, by the two-loop recursion.
std::vector<double> quasi_newton_direction(State& state, std::span<const double> gradient) {
    const std::size_t m = gradient.size();
    const std::vector<double>& steps = array_of(state, "steps");
    const std::vector<double>& changes = array_of(state, "gradient_changes");
    const std::size_t n_pairs = m == 0 ? 0 : steps.size() / m;
    std::vector<double> direction(m, 0.0);
    add_scaled(-1.0, gradient, direction);
    std::vector<double> weight(n_pairs);
    for (std::size_t i = n_pairs; i-- > 0;) {
        const auto s = pair_at(steps, i, m);
        const auto y = pair_at(changes, i, m);
        weight[i] = dot(s, direction) / dot(s, y);
        add_scaled(-weight[i], y, direction);
    }
    if (n_pairs > 0) {
        const auto s = pair_at(steps, n_pairs - 1, m);
        const auto y = pair_at(changes, n_pairs - 1, m);
        const double scale = dot(s, y) / dot(y, y);
        for (double& entry : direction) {
            entry *= scale;
        }
    }
    for (std::size_t i = 0; i < n_pairs; ++i) {
        const auto s = pair_at(steps, i, m);
        const auto y = pair_at(changes, i, m);
        add_scaled(weight[i] - dot(y, direction) / dot(s, y), s, direction);
    }
    return direction;
}

/// Keep the newest `memory` pairs; a pair without positive curvature would spoil the matrix and is left out.
void remember_pair(const Options& options, State& state, std::span<const double> step, std::span<const double> change) {
    if (!(dot(step, change) > std::numeric_limits<double>::epsilon() * dot(change, change))) {
        return;
    }
    const auto append = [&](const std::string& name, std::span<const double> newest) {
        std::vector<double>& flat = array_of(state, name);
        flat.insert(flat.end(), newest.begin(), newest.end());
        const std::size_t most = std::max<std::size_t>(options.memory, 1) * newest.size();
        if (flat.size() > most) {
            flat.erase(flat.begin(), flat.begin() + static_cast<std::ptrdiff_t>(flat.size() - most));
        }
    };
    append("steps", step);
    append("gradient_changes", change);
}

void forget_pairs(State& state) {
    array_of(state, "steps").clear();
    array_of(state, "gradient_changes").clear();
}

/// accepted point + step direction.
std::vector<double> point_on_line(State& state, double step) {
    std::vector<double> point = array_of(state, "accepted_point");
    add_scaled(step, array_of(state, "direction"), point);
    return point;
}

/// From the accepted point choose a direction and propose its first trial.
void begin_line(State& state, double rate) {
    const std::vector<double>& gradient = array_of(state, "accepted_gradient");
    std::vector<double> direction = quasi_newton_direction(state, gradient);
    double slope = dot(direction, gradient);
    if (!is_finite(direction) || !(slope < 0)) {
        forget_pairs(state);
        direction = quasi_newton_direction(state, gradient);
        slope = dot(direction, gradient);
    }
    const bool knows_length = !array_of(state, "steps").empty();
    const double length = rate > 0 ? rate : 1.0;
    const double first_trial = knows_length ? 1.0 : length * std::min(1.0, 1.0 / norm(gradient));
    array_of(state, "direction") = std::move(direction);
    store_search(state, begin_search(number_of(state, "accepted_loss"), slope, first_trial));
    state.point = point_on_line(state, first_trial);
}

/// Take over a point with its loss and gradient, then end or begin the next line.
Progress accept(const Options& options, State& state, std::vector<double> point, double loss,
                std::vector<double> gradient, double rate) {
    const std::vector<double> before = array_of(state, "accepted_point");
    const double loss_before = number_of(state, "accepted_loss");
    std::vector<double> step = point;
    add_scaled(-1.0, before, step);
    std::vector<double> change = gradient;
    add_scaled(-1.0, array_of(state, "accepted_gradient"), change);
    remember_pair(options, state, step, change);
    array_of(state, "accepted_point") = std::move(point);
    array_of(state, "accepted_gradient") = std::move(gradient);
    number_of(state, "accepted_loss") = loss;
    const Progress progress{.accepted = true, .converged = false, .step_norm = norm(step)};
    const double gradient_norm = largest(array_of(state, "accepted_gradient"));
    if (is_gradient_small(options, gradient_norm, number_of(state, "first_gradient_norm"), loss)) {
        return end(state, Ending::gradient, fmt::format("largest entry {:.3g}", gradient_norm), progress);
    }
    if (is_step_small(options, before, step)) {
        return end(state, Ending::step, fmt::format("length {:.3g}", progress.step_norm), progress);
    }
    if (std::abs(loss_before - loss) <= options.loss_tolerance * std::max(std::abs(loss_before), std::abs(loss))) {
        return end(state, Ending::loss, fmt::format("by {:.3g} to {:.6g}", loss_before - loss, loss), progress);
    }
    begin_line(state, rate);
    return progress;
}

/// The line has no lower loss: try the negative gradient, and end where that was it.
Progress begin_again(State& state, double rate) {
    if (array_of(state, "steps").empty()) {
        return end(state, Ending::no_lower_loss, "rounding and the tolerances of the solver limit what can be gained",
                   {});
    }
    forget_pairs(state);
    begin_line(state, rate);
    return {};
}

/// The first evaluation: nothing to compare with yet.
Progress accept_first(const Options& options, State& state, const Evaluation& evaluation, double rate) {
    if (!is_usable(evaluation)) {
        throw SolveError{
            "lbfgs: the evaluation at the starting point failed (there is no earlier point to go back to); "
            "choose other initial values"};
    }
    state.memory["accepted_point"] = state.point;
    state.memory["accepted_gradient"] = decayed_gradient(options, state, evaluation);
    state.scalars["accepted_loss"] = decayed_loss(options, state, evaluation);
    const double gradient_norm = largest(array_of(state, "accepted_gradient"));
    state.scalars["first_gradient_norm"] = gradient_norm;
    const Progress progress{.accepted = true, .converged = false, .step_norm = 0.0};
    if (is_gradient_small(options, gradient_norm, gradient_norm, number_of(state, "accepted_loss"))) {
        return end(state, Ending::gradient, fmt::format("largest entry {:.3g}", gradient_norm), progress);
    }
    begin_line(state, rate);
    return progress;
}

} // namespace

void start_lbfgs(const Options& /*options*/, State& state) {
    for (const char* name : {"steps", "gradient_changes", "direction", "low_gradient"}) {
        state.memory[name] = {};
    }
    state.scalars["ending"] = 0.0;
}

Progress advance_lbfgs(const Options& options, State& state, const Evaluation& evaluation, double rate) {
    if (!state.memory.contains("accepted_point")) {
        return accept_first(options, state, evaluation, rate);
    }
    const bool failed = !is_usable(evaluation);
    std::vector<double> gradient = failed ? std::vector<double>{} : decayed_gradient(options, state, evaluation);
    const double loss = failed ? 0.0 : decayed_loss(options, state, evaluation);
    LineSearch search = restore_search(state);
    const double fed = search.trial;
    const double slope = failed ? 0.0 : dot(gradient, array_of(state, "direction"));
    Verdict verdict = feed(search, loss, slope, failed);
    if (verdict == Verdict::take_trial) {
        return accept(options, state, state.point, loss, std::move(gradient), rate);
    }
    if (search.low.step == fed) {
        array_of(state, "low_gradient") = std::move(gradient);
    }
    std::vector<double> next = point_on_line(state, search.trial);
    if (verdict == Verdict::again && next == array_of(state, "accepted_point")) {
        verdict = give_up(search);
    }
    if (verdict == Verdict::take_low) {
        return accept(options, state, point_on_line(state, search.low.step), search.low.loss,
                      array_of(state, "low_gradient"), rate);
    }
    if (verdict == Verdict::nothing) {
        return begin_again(state, rate);
    }
    store_search(state, search);
    state.point = std::move(next);
    return {};
}

} // namespace rondo::optimise
