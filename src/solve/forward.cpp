#include "forward.hpp"

#include <rondo/base/contract.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace rondo::solve {
namespace {

std::unique_ptr<Problem> make_problem(Forward::Purpose purpose, const Field*& field) {
    if (purpose == Forward::Purpose::sensitivities) {
        return std::make_unique<AugmentedProblem>(field);
    }
    return std::make_unique<StateProblem>(field);
}

} // namespace

void parameter_scales(std::span<const double> parameters, std::span<const std::size_t> active,
                      std::span<double> scales) {
    expects(scales.size() == active.size(), "one scale for each active parameter");
    for (std::size_t k = 0; k < active.size(); ++k) {
        const double scale = std::fabs(parameters[active[k]]);
        scales[k] = scale > 0.0 ? scale : 1.0;
    }
}

Forward::Forward(const model::Model& model, Purpose purpose, const Setting& setting, std::size_t record_budget_bytes)
    : purpose_{purpose}, n_{model.n_states()}, m_{purpose == Purpose::sensitivities ? model.n_active() : 0},
      problem_{make_problem(purpose, field_)},
      integrator_{*problem_, {n_, 1 + m_}, 0, setting}, record_{record_budget_bytes}, atol_(n_ * (1 + m_)),
      scales_(m_) {}

Verdict Forward::solve(const Case& task, std::span<double> row) {
    const std::int64_t rhs_before = integrator_.n_rates();
    task_ = &task;
    field_ = task.field;
    row_ = row;
    verdict_ = {};
    verdict_.time = task.initial_time;
    observer_.begin(*field_, task.trajectory, task.want, task.predictions);
    bool good = begin();
    if (good && !task.stops.empty() && task.stops[0].time == task.initial_time) {
        good = look(0, integrator_.state()) && change(0);
    }
    for (std::size_t i = 0; good && i < task.segments.size(); ++i) {
        good = travel(task.segments[i]) && change(task.segments[i].last);
    }
    row_[0] = observer_.loss();
    verdict_.solved = good;
    verdict_.n_rhs = integrator_.n_rates() - rhs_before;
    return std::move(verdict_);
}

/// Tolerances and initial values.
bool Forward::begin() {
    const double t = task_->initial_time;
    if (m_ > 0) {
        parameter_scales(field_->parameters(), field_->model().active, scales_);
    }
    std::fill_n(atol_.begin(), n_, task_->atol);
    for (std::size_t k = 0; k < m_; ++k) {
        std::fill_n(atol_.begin() + static_cast<std::ptrdiff_t>((1 + k) * n_), n_, task_->atol / scales_[k]);
    }
    integrator_.set_tolerances(task_->rtol, atol_, {});
    if (purpose_ == Purpose::adjoint) {
        record_.clear(n_);
        kicks_.gx.assign(task_->stops.size() * n_, 0.0);
        kicks_.before_events.clear();
        kicks_.largest = 0;
    }
    double* const y = integrator_.state();
    if (m_ > 0) {
        field_->initial_tangent(t, y);
    } else {
        field_->initial(t, y);
    }
    for (std::size_t i = 0; i < n_ * (1 + m_); ++i) {
        if (!std::isfinite(y[i])) {
            return fail(fmt::format("the initial value of \"{}\" is not finite", field_->model().states[i % n_]));
        }
    }
    return true;
}

/// Integrate through a segment, reading its stops on the way.
bool Forward::travel(const Segment& segment) {
    const auto& stops = task_->stops;
    const std::size_t last = segment.last;
    const double from = segment.first == 0 ? task_->initial_time : stops[segment.first - 1].time;
    using Progress = Integrator::Progress;
    integrator_.start(from, stops[last].time);
    if (purpose_ == Purpose::adjoint) {
        record_.begin_segment();
    }
    std::size_t next = segment.first;
    while (true) {
        if (verdict_.n_steps >= task_->max_steps) {
            return fail(fmt::format("max_steps: {} steps did not reach the last time", task_->max_steps));
        }
        const Progress progress = integrator_.advance();
        verdict_.time = integrator_.time();
        if (progress == Progress::failed) {
            return fail(integrator_.failure() + name_culprit());
        }
        ++verdict_.n_steps;
        if (purpose_ == Purpose::adjoint && !record_.add(integrator_)) {
            verdict_.record_full = true;
            return fail("the forward solution outgrew the memory kept for the adjoint");
        }
        for (; next < last && stops[next].time <= integrator_.time(); ++next) {
            if (!look(next, integrator_.interpolate(stops[next].time))) {
                return false;
            }
        }
        if (progress == Progress::arrived) {
            return look(last, integrator_.state());
        }
    }
}

/// Read the points of a stop.
bool Forward::look(std::size_t index, const double* y) {
    const Stop& stop = task_->stops[index];
    if (!observer_.take(stop, y)) {
        return fail(observer_.reason());
    }
    if (!observer_.has_gradient()) {
        return true;
    }
    const double* const gx = observer_.gx();
    const double* const gp = observer_.gp();
    double* const gradient = row_.data() + 1;
    for (std::size_t k = 0; k < field_->m(); ++k) {
        gradient[k] += gp[k];
    }
    for (std::size_t k = 0; k < m_; ++k) {
        const double* const s = y + (1 + k) * n_;
        double sum = 0;
        for (std::size_t i = 0; i < n_; ++i) {
            sum += gx[i] * s[i];
        }
        gradient[k] += sum;
    }
    if (purpose_ == Purpose::adjoint) {
        for (std::size_t i = 0; i < n_; ++i) {
            kicks_.gx[index * n_ + i] = gx[i];
            kicks_.largest = std::max(kicks_.largest, std::fabs(gx[i]));
        }
    }
    if (task_->want == Want::curvature) {
        observer_.add_curvature(stop, y, y + n_, gradient + field_->m());
    }
    return true;
}

/// Apply the events of a stop.
bool Forward::change(std::size_t index) {
    const Stop& stop = task_->stops[index];
    if (!stop.has_events()) {
        return true;
    }
    double* const y = integrator_.state();
    const auto events = task_->trajectory.events.subspan(stop.event_begin, stop.event_end - stop.event_begin);
    const bool finite = events_.apply(*field_, stop.time, events, y, m_ > 0 ? y + n_ : nullptr,
                                      purpose_ == Purpose::adjoint ? &kicks_.before_events : nullptr);
    return finite || fail("the amount of an event is not finite");
}

bool Forward::fail(std::string reason) {
    verdict_.reason = std::move(reason);
    verdict_.reason += fmt::format(" (time {}, {} steps)", number_text(verdict_.time), verdict_.n_steps);
    return false;
}

/// Which rate was not finite, if one was.
std::string Forward::name_culprit() const {
    const GuardedProblem& guarded = integrator_.guarded();
    if (guarded.culprit != GuardedProblem::Culprit::rate) {
        return {};
    }
    const model::Model& model = field_->model();
    const std::string& state = model.states[guarded.entry % n_];
    const std::size_t column = guarded.entry / n_;
    return column == 0 ? fmt::format(" (of \"{}\")", state)
                       : fmt::format(" (of the derivative of \"{}\" by \"{}\")", state,
                                     model.parameters[model.active[column - 1]]);
}

} // namespace rondo::solve
