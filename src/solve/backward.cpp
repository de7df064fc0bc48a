#include "backward.hpp"

#include <rondo/base/contract.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rondo::solve {

Backward::Backward(const model::Model& model, const Setting& setting)
    : n_{model.n_states()}, m_{model.n_active()}, problem_{field_, record_},
      integrator_{problem_, {n_, 1}, m_, setting}, atol_(n_), integral_atol_(m_), scales_(m_), initial_(n_ * (1 + m_)) {
}

Verdict Backward::solve(const Case& task, Forward& forward, std::int64_t steps_taken, std::span<double> gradient) {
    const std::int64_t rhs_before = integrator_.n_rates();
    const Kicks& kicks = forward.kicks();
    task_ = &task;
    field_ = task.field;
    record_ = &forward.record();
    steps_left_ = task.max_steps - steps_taken;
    verdict_ = {};
    verdict_.solved = true;
    verdict_.time = task.stops.empty() ? task.initial_time : task.stops.back().time;
    if (kicks.largest == 0.0) {
        return verdict_;
    }
    parameter_scales(field_->parameters(), field_->model().active, scales_);
    std::fill(atol_.begin(), atol_.end(), task.atol * kicks.largest);
    for (std::size_t k = 0; k < m_; ++k) {
        integral_atol_[k] = task.atol * kicks.largest / scales_[k];
    }
    integrator_.set_tolerances(task.rtol, atol_, integral_atol_);
    double* const lambda = integrator_.state();
    std::fill_n(lambda, n_, 0.0);
    std::fill_n(integrator_.integrals(), m_, 0.0);
    std::size_t segment = task.segments.size();
    for (std::size_t index = task.stops.size(); verdict_.solved && index-- > 0;) {
        const Stop& stop = task.stops[index];
        if (stop.has_events()) {
            const std::size_t count = stop.event_end - stop.event_begin;
            events_.apply_adjoint(*field_, stop.time, task.trajectory.events.subspan(stop.event_begin, count),
                                  std::span{kicks.before_events}.subspan(stop.event_begin, count), lambda,
                                  gradient.data());
        }
        for (std::size_t i = 0; i < n_; ++i) {
            lambda[i] += kicks.gx[index * n_ + i];
        }
        if (segment > 0 && index == task.segments[segment - 1].last) {
            --segment;
        }
        const double before = index > 0 ? task.stops[index - 1].time : task.initial_time;
        const bool moves = std::any_of(lambda, lambda + n_, [](double value) { return value != 0.0; });
        if (moves && before < stop.time) {
            verdict_.solved = travel(segment, stop.time, before);
        }
    }
    if (verdict_.solved) {
        field_->initial_tangent(task.initial_time, initial_.data());
        for (std::size_t k = 0; k < m_; ++k) {
            double sum = integrator_.integrals()[k];
            for (std::size_t i = 0; i < n_; ++i) {
                sum += initial_[(1 + k) * n_ + i] * lambda[i];
            }
            gradient[k] += sum;
        }
    }
    verdict_.n_rhs = integrator_.n_rates() - rhs_before;
    return verdict_;
}

/// Integrate back from a stop to the one before.
bool Backward::travel(std::size_t segment, double from, double to) {
    using Progress = Integrator::Progress;
    record_->enter(segment);
    problem_.forget();
    integrator_.start(from, to);
    while (true) {
        Progress progress = Progress::failed;
        std::string why = fmt::format("max_steps: {} steps, forward and back, were not enough", task_->max_steps);
        if (verdict_.n_steps < steps_left_) {
            progress = integrator_.advance();
            why = progress == Progress::failed ? integrator_.failure() : "";
        }
        verdict_.time = integrator_.time();
        if (progress == Progress::failed) {
            verdict_.reason =
                fmt::format("adjoint: {} (time {}, {} steps back)", why, number_text(verdict_.time), verdict_.n_steps);
            return false;
        }
        ++verdict_.n_steps;
        if (progress == Progress::arrived) {
            return true;
        }
    }
}

} // namespace rondo::solve
