#include "record.hpp"

#include <rondo/base/contract.hpp>

#include <algorithm>

namespace rondo::solve {

void Record::clear(std::size_t n_states) {
    n_ = n_states;
    segments_.clear();
    steps_.clear();
    coefficients_.clear();
}

void Record::begin_segment() { segments_.push_back({steps_.size(), steps_.size()}); }

bool Record::add(Integrator& integrator) {
    expects(!segments_.empty(), "a record has a segment before it has steps");
    const std::size_t first = coefficients_.size();
    const double h = integrator.append_polynomial(coefficients_);
    steps_.push_back({integrator.time(), h, first, (coefficients_.size() - first) / n_ - 1});
    segments_.back().last = steps_.size();
    return coefficients_.size() * sizeof(double) + steps_.size() * sizeof(Step) <= budget_bytes_;
}

void Record::enter(std::size_t segment) {
    segment_ = segment;
    const Segment& entered = segments_[segment];
    expects(entered.first < entered.last, "a segment that is read has steps");
    step_ = entered.last - 1;
}

void Record::at(double t, double* x) {
    const Segment& segment = segments_[segment_];
    while (step_ > segment.first && t <= steps_[step_ - 1].end) {
        --step_;
    }
    while (step_ + 1 < segment.last && t > steps_[step_].end) {
        ++step_;
    }
    const Step& step = steps_[step_];
    const double* const c = coefficients_.data() + step.first;
    const double s = (t - step.end) / step.h;
    std::copy_n(c + step.order * n_, n_, x);
    for (std::size_t k = step.order; k-- > 0;) {
        for (std::size_t i = 0; i < n_; ++i) {
            x[i] = x[i] * s + c[k * n_ + i];
        }
    }
}

} // namespace rondo::solve
