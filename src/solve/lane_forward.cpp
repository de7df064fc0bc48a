#include "lane_forward.hpp"

#include <rondo/base/contract.hpp>
#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace rondo::solve {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Calls f(lane) for every lane of a set.
template <class F>
void for_each_lane(unsigned set, F&& f) {
    for (; set != 0; set &= set - 1) {
        f(static_cast<std::size_t>(std::countr_zero(set)));
    }
}

unsigned bit(std::size_t lane) { return 1U << lane; }

/// Beyond this stability limits the steps of an explicit method, and so many such steps in a row make a problem stiff.
/// Source  Hairer and Wanner, "Solving ordinary differential equations II", section IV.2.
constexpr double stability_limit = 3.25;
constexpr int stiff_steps = 15, not_stiff_steps = 6;

/// The adjoint's error control sees states only. With half the tolerances its gradients are as good as those of
/// sensitivities under control of their own; the loss alone takes the same steps, so that the two agree to the bit.
constexpr double adjoint_tightening = 0.5;

} // namespace

const std::string LaneForward::stiff = "stability, not accuracy, limits the steps: the problem is stiff";

LaneForward::LaneForward(const model::Model& model, Purpose purpose, const LaneMethod& method, const Options& options,
                         bool leaves_stiff, std::size_t budget_bytes)
    : model_{model}, purpose_{purpose}, method_{method}, loops_{core().loops}, options_{options},
      leaves_stiff_{leaves_stiff}, tightening_{purpose != Purpose::sensitivities &&
                                                       options.sensitivity == Sensitivity::adjoint
                                                   ? adjoint_tightening
                                                   : 1.0},
      n_{model.n_states()}, m_{purpose == Purpose::sensitivities ? model.n_active() : 0},
      set_{model, purpose == Purpose::sensitivities}, observer_{model, set_.covariates().data()},
      tape_{n_, method.slot_size(set_.system()), budget_bytes}, scratch_(method.scratch_size(set_.system())),
      point_(set_.system().size() * n_lanes), gradient_(model.n_active() * n_lanes), atol_(1 + m_),
      state_(set_.system().size()) {
    if (purpose != Purpose::adjoint) {
        pair_.resize(2 * method.slot_size(set_.system()));
    }
}

std::size_t LaneForward::run(const LaneList& list, std::size_t first) {
    const Request& request = *list.request;
    list_ = &list;
    next_ = first;
    set_.begin(request.parameters);
    observer_.begin_set(request.want, request.parameters);
    if (request.want == Want::curvature) {
        triangle_.resize(model_.n_active() * (model_.n_active() + 1) / 2 * n_lanes);
    }
    std::vector<double> scales(m_);
    if (m_ > 0) {
        parameter_scales(request.parameters, model_.active, scales);
    }
    atol_[0] = tightening_ * options_.atol;
    for (std::size_t k = 0; k < m_; ++k) {
        atol_[1 + k] = options_.atol / scales[k];
    }
    clock_ = {};
    tape_.clear();
    active_ = fresh_ = 0;
    due_.fill(never);
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
        load(lane);
    }
    while (active_ != 0) {
        iterate();
    }
    return next_;
}

double* LaneForward::slot() {
    const std::size_t size = tape_.slot_size();
    return purpose_ == Purpose::adjoint ? tape_.slot() : pair_.data() + (flipped_ ? size : 0);
}

LaneStep LaneForward::step() {
    const std::size_t size = tape_.slot_size();
    double* const next = purpose_ == Purpose::adjoint ? tape_.next_slot() : pair_.data() + (flipped_ ? 0 : size);
    return {&set_.system(), &clock_, {tightening_ * options_.rtol, atol_.data()}, slot(), next, scratch_.data()};
}

/// Give a lane the next trajectory that needs steps.
void LaneForward::load(std::size_t lane) {
    active_ &= ~bit(lane);
    due_[lane] = never;
    while (next_ < list_->size() && (purpose_ != Purpose::adjoint || tape_.has_room())) {
        lanes_[lane] = {};
        lanes_[lane].which = next_++;
        if (begin(lane)) {
            active_ |= bit(lane);
            return;
        }
    }
}

/// @return false where the trajectory is over already: solved or not, its outcome is written
bool LaneForward::begin(std::size_t index) {
    Lane& lane = lanes_[index];
    const Request& request = *list_->request;
    const double start = request.initial_time;
    lane.trajectory = list_->trajectory(lane.which);
    lane.n_columns = lane.trajectory.values.size() / std::max<std::size_t>(lane.trajectory.times.size(), 1);
    expects(lane.trajectory.times.empty() || lane.trajectory.times[0] >= start, "no time is before the initial time");
    set_.place(index, lane.trajectory);
    observer_.begin(index, lane.trajectory, list_->predictions.empty() ? nullptr : list_->predictions[lane.which]);
    clock_.origin[index] = start;
    clock_.tau[index] = clock_.after[index] = clock_.way[index] = 0;
    if (purpose_ == Purpose::sensitivities) {
        std::fill_n(state_.begin(), state_.size(), 0.0);
        for (std::size_t k = 0; k < m_; ++k) {
            gradient_[k * n_lanes + index] = 0;
        }
        for (std::size_t i = index; i < triangle_.size(); i += n_lanes) {
            triangle_[i] = 0;
        }
    } else {
        for (const std::size_t k : model_.output_parameters) {
            gradient_[k * n_lanes + index] = 0;
        }
    }
    const Field field{model_, request.parameters, lane.trajectory.covariates};
    if (m_ > 0) {
        field.initial_tangent(start, state_.data());
    } else {
        field.initial(start, state_.data());
    }
    const auto bad = std::find_if(state_.begin(), state_.end(), [](double x) { return !std::isfinite(x); });
    if (bad != state_.end()) {
        const auto number = static_cast<std::size_t>(bad - state_.begin()) % n_;
        finish(index, false, fmt::format("the initial value of \"{}\" is not finite", model_.states[number]));
        return false;
    }
    LaneTape::Jump jump{.kind = LaneTape::Jump::Kind::start, .lane = index, .which = lane.which};
    bool good = true;
    const bool looks = !lane.trajectory.times.empty() &&
                       (lane.trajectory.times[0] == start || segment_end(lane.trajectory, {}) == start);
    if (looks) {
        jump.stop = stops_[index] = next_stop(lane.trajectory, lane.cursor);
        good = look_at_start(index, jump);
        if (good) {
            change(index, jump);
            good = refused_ == 0;
        }
    }
    put_lane(state_, index, slot());
    if (purpose_ == Purpose::adjoint) {
        jump.after = tape_.numbers.size();
        tape_.numbers.insert(tape_.numbers.end(), state_.begin(), state_.end());
        tape_.jumps.push_back(jump);
    }
    if (!good || lane.cursor.is_done(lane.trajectory)) {
        const bool amount = good ? false : observer_.reason(index).empty();
        finish(index, good, amount ? "the amount of an event is not finite" : observer_.reason(index));
        return false;
    }
    begin_segment(index, start);
    return true;
}

/// Read points at the initial time, from state_.
bool LaneForward::look_at_start(std::size_t index, LaneTape::Jump& jump) {
    put_lane(state_, index, point_.data());
    const bool good = observer_.take(bit(index), stops_, point_.data()) == 0;
    if (good && purpose_ == Purpose::adjoint && observer_.has_gradient()) {
        observer_.add_direct(gradient_.data());
        jump.kick = tape_.numbers.size();
        tape_.numbers.resize(jump.kick + n_);
        take_lane(observer_.gx(), index, {tape_.numbers.data() + jump.kick, n_});
    } else if (good) {
        harvest(nullptr);
    }
    return good;
}

/// Apply the events of a stop to state_; raises the lane in refused_ where an amount is not finite.
void LaneForward::change(std::size_t index, LaneTape::Jump& jump) {
    refused_ = 0;
    const Stop& stop = jump.stop;
    if (!stop.has_events()) {
        return;
    }
    const Lane& lane = lanes_[index];
    const Field field{model_, list_->request->parameters, lane.trajectory.covariates};
    const auto events = lane.trajectory.events.subspan(stop.event_begin, stop.event_end - stop.event_begin);
    jump.before = tape_.numbers.size();
    const bool good = events_.apply(field, stop.time, events, state_.data(), m_ > 0 ? state_.data() + n_ : nullptr,
                                    purpose_ == Purpose::adjoint ? &tape_.numbers : nullptr);
    refused_ = good ? 0 : bit(index);
}

void LaneForward::begin_segment(std::size_t index, double origin) {
    Lane& lane = lanes_[index];
    clock_.origin[index] = origin;
    clock_.tau[index] = 0;
    lane.end = segment_end(lane.trajectory, lane.cursor);
    clock_.way[index] = lane.end - origin;
    fresh_ |= bit(index);
    read_stop(index);
}

void LaneForward::read_stop(std::size_t index) {
    Lane& lane = lanes_[index];
    const auto& times = lane.trajectory.times;
    const std::size_t row = lane.cursor.row;
    if (row + 1 < times.size() && times[row] < lane.end && times[row] < times[row + 1]) { // one row, no event
        // Lanes read eight places of the data in turn: more than the processor foresees by itself.
        constexpr std::size_t ahead = 16;
        __builtin_prefetch(times.data() + row + ahead);
        __builtin_prefetch(lane.trajectory.values.data() + (row + ahead / 2) * lane.n_columns);
        stops_[index] = {times[row], row, row + 1, lane.cursor.event, lane.cursor.event};
        ++lane.cursor.row;
    } else {
        stops_[index] = next_stop(lane.trajectory, lane.cursor);
    }
    due_[index] = stops_[index].time - clock_.origin[index];
}

/// One step in every lane.
void LaneForward::iterate() {
    LaneStep now = step();
    if (fresh_ != 0) {
        method_.begin(now, fresh_);
        for_each_lane(fresh_, [&](std::size_t l) { lanes_[l].n_rates += 2; });
        fresh_ = 0;
    }
    method_.plan(clock_, active_);
    method_.step(now);
    const unsigned accepted = method_.judge(clock_, active_);
    ended_ = refused_ = stiff_ = 0;
    count(accepted);
    read_points(accepted);
    method_.settle(now, accepted);
    move_on(accepted);
}

void LaneForward::count(unsigned accepted) {
    for_each_lane(active_, [&](std::size_t l) {
        ++lanes_[l].n_steps;
        lanes_[l].n_rates += method_.rates_per_step;
    });
    if (leaves_stiff_) {
        watch_stiffness(accepted);
    }
}

void LaneForward::watch_stiffness(unsigned accepted) {
    for_each_lane(accepted, [&](std::size_t l) {
        Lane& lane = lanes_[l];
        if (clock_.stiffness[l] > stability_limit) {
            lane.n_not_stiff = 0;
            if (++lane.n_stiff == stiff_steps) {
                stiff_ |= bit(l);
            }
        } else if (++lane.n_not_stiff == not_stiff_steps) {
            lane.n_stiff = 0;
        }
    });
}

/// Read the stops within the step, one of each lane at a time.
void LaneForward::read_points(unsigned accepted) {
    const auto lanes_due = [&] {
        unsigned due = 0;
        for (std::size_t l = 0; l < n_lanes; ++l) {
            due |= due_[l] <= clock_.after[l] ? bit(l) : 0U;
        }
        return due & accepted;
    };
    for (unsigned due = lanes_due(); due != 0; due = lanes_due()) {
        alignas(64) std::array<double, n_lanes> theta{};
        for_each_lane(due, [&](std::size_t l) {
            theta[l] = due_[l] >= clock_.after[l] ? 1.0 : (due_[l] - clock_.tau[l]) / clock_.h[l];
        });
        method_.interpolate(step(), theta.data(), point_.data());
        const unsigned refused = observer_.take(due, stops_, point_.data());
        refused_ |= refused;
        harvest(theta.data());
        for_each_lane(due, [&](std::size_t l) {
            if (stops_[l].has_events() || lanes_[l].cursor.is_done(lanes_[l].trajectory) || (refused & bit(l)) != 0) {
                ended_ |= bit(l);
                due_[l] = never;
            } else {
                read_stop(l);
            }
        });
    }
}

/// What the last points say of the gradient.
void LaneForward::harvest(const double* theta) {
    if (!observer_.has_gradient()) {
        return;
    }
    observer_.add_direct(gradient_.data());
    if (purpose_ == Purpose::adjoint) {
        tape_.add_point(theta, observer_.gx());
        return;
    }
    const double* const s = point_.data() + n_ * n_lanes;
    loops_.project(observer_.gx(), s, n_, m_, observer_.seen(), gradient_.data());
    if (list_->request->want == Want::curvature) {
        observer_.add_curvature(point_.data(), s, triangle_.data());
    }
}

/// To the next slot; there lanes jump, end, and take new trajectories.
void LaneForward::move_on(unsigned accepted) {
    if (purpose_ == Purpose::adjoint) {
        tape_.advance(clock_, accepted);
    } else {
        flipped_ = !flipped_;
    }
    unsigned stuck = 0;
    for_each_lane(active_, [&](std::size_t l) {
        const bool moves = clock_.after[l] > clock_.tau[l] && clock_.wish[l] > 0;
        stuck |= moves && (lanes_[l].n_steps < options_.max_steps || (ended_ & bit(l)) != 0) ? 0U : bit(l);
    });
    for_each_lane(accepted, [&](std::size_t l) { clock_.tau[l] = clock_.after[l]; });
    const unsigned refused = refused_;
    for_each_lane(refused | ended_ | stuck | stiff_, [&](std::size_t l) {
        Lane& lane = lanes_[l];
        if ((refused & bit(l)) != 0) {
            finish(l, false, observer_.reason(l));
        } else if ((ended_ & bit(l)) != 0 && lane.cursor.is_done(lane.trajectory)) {
            finish(l, true, {});
        } else if ((ended_ & bit(l)) != 0) {
            LaneTape::Jump jump{.kind = LaneTape::Jump::Kind::event, .lane = l, .which = lane.which, .stop = stops_[l]};
            take_lane(slot(), l, state_);
            change(l, jump);
            put_lane(state_, l, slot());
            if (purpose_ == Purpose::adjoint) {
                jump.after = tape_.numbers.size();
                tape_.numbers.insert(tape_.numbers.end(), state_.begin(), state_.end());
                tape_.jumps.push_back(jump);
            }
            if (refused_ == 0) {
                begin_segment(l, stops_[l].time);
                return;
            }
            finish(l, false, "the amount of an event is not finite");
        } else if ((stuck & bit(l)) != 0 && lane.n_steps >= options_.max_steps) {
            finish(l, false, fmt::format("max_steps: {} steps did not reach the last time", options_.max_steps));
        } else if ((stuck & bit(l)) != 0) {
            finish(l, false,
                   std::string{"the steps became shorter than the rounding of the time"} +
                       (clock_.error[l] < 1e300 ? "" : "; a rate was not finite"));
        } else {
            finish(l, false, stiff);
        }
        load(l);
    });
}

/// Write the outcome of the trajectory in a lane.
void LaneForward::finish(std::size_t index, bool solved, const std::string& reason) {
    const Lane& lane = lanes_[index];
    Outcome& outcome = list_->outcomes[lane.which];
    outcome.solved = solved;
    outcome.attempts += 1;
    outcome.n_steps += lane.n_steps;
    outcome.n_rhs += lane.n_rates;
    outcome.time_reached = clock_.origin[index] + clock_.tau[index];
    outcome.reason = reason;
    if (!solved) {
        outcome.reason += fmt::format(" (time {}, {} steps)", number_text(outcome.time_reached), lane.n_steps);
    }
    const std::span<double> row = list_->row(lane.which);
    std::fill(row.begin(), row.end(), 0.0);
    if (solved) {
        row[0] = observer_.loss(index);
        write_row(index, row);
    }
    if (purpose_ == Purpose::adjoint) {
        tape_.jumps.push_back({.kind = LaneTape::Jump::Kind::finish, .lane = index, .which = lane.which});
    }
}

void LaneForward::write_row(std::size_t index, std::span<double> row) const {
    if (list_->request->want == Want::loss) {
        return;
    }
    if (purpose_ == Purpose::adjoint) {
        for (const std::size_t k : model_.output_parameters) {
            row[1 + k] = gradient_[k * n_lanes + index];
        }
        return;
    }
    take_lane(gradient_.data(), index, row.subspan(1, m_));
    if (list_->request->want == Want::curvature) {
        take_lane(triangle_.data(), index, row.subspan(1 + m_));
    }
}

} // namespace rondo::solve
