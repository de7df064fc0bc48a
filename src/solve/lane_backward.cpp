#include "lane_backward.hpp"

#include "field.hpp"

#include <algorithm>

namespace rondo::solve {

LaneBackward::LaneBackward(const model::Model& model, const LaneMethod& method)
    : model_{model}, method_{method}, n_{model.n_states()}, m_{model.n_active()}, lambda_(n_ * n_lanes),
      carry_(n_ * n_lanes), stages_(method.n_stages * n_ * n_lanes), direct_(n_ * n_lanes),
      gradient_((n_ + m_) * n_lanes), state_(n_), initial_((1 + m_) * n_), event_gradient_(m_) {}

void LaneBackward::run(const LaneList& list, LaneTape& tape, LaneSet& set) {
    list_ = &list;
    tape_ = &tape;
    set_ = &set;
    scratch_.resize(method_.scratch_size(set.system()));
    for (LaneArray* const array : {&lambda_, &carry_, &stages_, &direct_, &gradient_}) {
        std::fill(array->begin(), array->end(), 0.0);
    }
    const std::size_t n_iterations = tape.times.size();
    jump_back(n_iterations);
    for (std::size_t i = n_iterations; i-- > 0;) {
        step_back(i);
        jump_back(i);
    }
}

LaneBack LaneBackward::back(const double* time, const double* time_after, const double* h, const double* slot) {
    return {&set_->system(),
            time,
            time_after,
            h,
            slot,
            lambda_.data(),
            carry_.data(),
            stages_.data(),
            direct_.data(),
            gradient_.data(),
            scratch_.data()};
}

const double* LaneBackward::slot_of(std::size_t iteration) {
    return tape_->slot_of(iteration,
                          [this](std::size_t first, std::size_t last, double* slot) { replay(first, last, slot); });
}

/// What happened in lanes before the step of iteration `boundary`, the last first.
void LaneBackward::jump_back(std::size_t boundary) {
    const std::size_t n_iterations = tape_->times.size();
    const std::size_t begin = boundary == 0 ? 0 : tape_->times[boundary - 1].end_of_jumps;
    const std::size_t end = boundary == n_iterations ? tape_->jumps.size() : tape_->times[boundary].end_of_jumps;
    unsigned begun = 0;
    for (std::size_t j = begin; j < end; ++j) {
        begun |= tape_->jumps[j].kind == Jump::Kind::finish ? 0U : 1U << tape_->jumps[j].lane;
    }
    if (begun != 0 && boundary < n_iterations) {
        release(boundary, begun);
    }
    for (std::size_t j = end; j-- > begin;) {
        undo(tape_->jumps[j]);
    }
}

void LaneBackward::release(std::size_t boundary, unsigned lanes) {
    const LaneTape::Times& times = tape_->times[boundary];
    alignas(64) std::array<double, n_lanes> time{};
    for (std::size_t l = 0; l < n_lanes; ++l) {
        time[l] = times.origin[l] + times.tau[l];
    }
    method_.release(back(time.data(), time.data(), times.h, slot_of(boundary)), lanes);
}

void LaneBackward::clear_lane(std::size_t lane) {
    for (std::size_t i = 0; i < n_; ++i) {
        lambda_[i * n_lanes + lane] = 0;
        carry_[i * n_lanes + lane] = 0;
    }
    for (std::size_t i = 0; i < m_; ++i) {
        gradient_[(n_ + i) * n_lanes + lane] = 0;
    }
    n_steps_[lane] = 0;
}

void LaneBackward::undo_events(const Jump& jump, std::span<double> lambda) {
    const Stop& stop = jump.stop;
    if (!stop.has_events()) {
        return;
    }
    const ensemble::Trajectory trajectory = list_->trajectory(jump.which);
    const Field field{model_, list_->request->parameters, trajectory.covariates};
    const std::size_t count = stop.event_end - stop.event_begin;
    std::fill(event_gradient_.begin(), event_gradient_.end(), 0.0);
    events_.apply_adjoint(field, stop.time, trajectory.events.subspan(stop.event_begin, count),
                          std::span{tape_->numbers}.subspan(jump.before, count), lambda.data(), event_gradient_.data());
    for (std::size_t k = 0; k < m_; ++k) {
        gradient_[(n_ + k) * n_lanes + jump.lane] += event_gradient_[k];
    }
}

void LaneBackward::undo(const Jump& jump) {
    if (jump.kind == Jump::Kind::finish) {
        clear_lane(jump.lane);
        set_->place(jump.lane, list_->trajectory(jump.which));
        return;
    }
    Outcome& outcome = list_->outcomes[jump.which];
    if (!outcome.solved) {
        return;
    }
    take_lane(lambda_.data(), jump.lane, state_);
    undo_events(jump, state_);
    if (jump.kind == Jump::Kind::event) {
        put_lane(state_, jump.lane, lambda_.data());
        return;
    }
    if (jump.kick != LaneTape::no_kick) {
        for (std::size_t i = 0; i < n_; ++i) {
            state_[i] += tape_->numbers[jump.kick + i];
        }
    }
    const Request& request = *list_->request;
    const Field field{model_, request.parameters, list_->trajectory(jump.which).covariates};
    field.initial_tangent(request.initial_time, initial_.data());
    const std::span<double> row = list_->row(jump.which);
    for (std::size_t k = 0; k < m_; ++k) {
        double sum = gradient_[(n_ + k) * n_lanes + jump.lane];
        for (std::size_t i = 0; i < n_; ++i) {
            sum += initial_[(1 + k) * n_ + i] * state_[i];
        }
        row[1 + k] += sum;
    }
    outcome.n_rhs += n_steps_[jump.lane] * method_.rates_per_step;
}

void LaneBackward::step_back(std::size_t iteration) {
    const LaneTape::Times& times = tape_->times[iteration];
    alignas(64) std::array<double, n_lanes> time{}, time_after{}, h{};
    for (std::size_t l = 0; l < n_lanes; ++l) {
        time[l] = times.origin[l] + times.tau[l];
        time_after[l] = times.origin[l] + times.after[l];
        h[l] = times.h[l];
        n_steps_[l] += h[l] != 0 ? 1 : 0;
    }
    const LaneBack now = back(time.data(), time_after.data(), h.data(), slot_of(iteration));
    const std::size_t begin = iteration == 0 ? 0 : tape_->times[iteration - 1].end_of_points;
    for (std::size_t p = begin; p < times.end_of_points; ++p) {
        const double* const point = tape_->point(p);
        method_.gather(now, point, point + n_lanes);
    }
    method_.back(now);
}

/// Take the steps of iterations first .. last - 1 again, beginning with what `slot` holds; the same numbers come out.
void LaneBackward::replay(std::size_t first, std::size_t last, double* slot) {
    const LaneArray kept = set_->covariates();
    std::size_t jump = first == 0 ? 0 : tape_->times[first - 1].end_of_jumps;
    for (std::size_t j = 0; j < jump; ++j) { // who held the lanes
        if (tape_->jumps[j].kind == Jump::Kind::start) {
            set_->place(tape_->jumps[j].lane, list_->trajectory(tape_->jumps[j].which));
        }
    }
    LaneClock clock;
    const double no_tolerance = 1.0;
    for (std::size_t i = first; i < last; ++i, slot += tape_->slot_size()) {
        const LaneTape::Times& times = tape_->times[i];
        unsigned fresh = 0, accepted = 0;
        for (; jump < times.end_of_jumps; ++jump) {
            const Jump& what = tape_->jumps[jump];
            if (what.kind == Jump::Kind::finish) {
                continue;
            }
            if (what.kind == Jump::Kind::start) {
                set_->place(what.lane, list_->trajectory(what.which));
            }
            put_lane({tape_->numbers.data() + what.after, n_}, what.lane, slot);
            fresh |= 1U << what.lane;
        }
        std::copy_n(times.origin, n_lanes, clock.origin);
        std::copy_n(times.tau, n_lanes, clock.tau);
        std::copy_n(times.after, n_lanes, clock.after);
        std::copy_n(times.h, n_lanes, clock.h);
        for (std::size_t l = 0; l < n_lanes; ++l) {
            clock.way[l] = clock.after[l] + 1.0; // only the first wish depends on it, which nobody reads
            accepted |= clock.h[l] != 0 ? 1U << l : 0U;
        }
        const LaneStep step{&set_->system(),           &clock,         {1.0, &no_tolerance}, slot,
                            slot + tape_->slot_size(), scratch_.data()};
        if (fresh != 0) {
            method_.begin(step, fresh);
        }
        method_.step(step);
        method_.settle(step, accepted);
    }
    set_->covariates() = kept;
}

} // namespace rondo::solve
