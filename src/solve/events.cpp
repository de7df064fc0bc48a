#include "events.hpp"

#include <rondo/base/cast.hpp>
#include <rondo/base/contract.hpp>

#include <algorithm>
#include <cmath>

namespace rondo::solve {
namespace {

using ensemble::Action;
using ensemble::Event;

} // namespace

void EventRules::evaluate(const Field& field, double t, std::span<const Event> events, bool derivatives) {
    const std::size_t n_amounts = field.model().n_amounts;
    amounts_.assign(n_amounts * (derivatives ? 1 + field.m() : 1), 0.0);
    const bool needed = std::any_of(events.begin(), events.end(), [](const Event& event) { return event.amount >= 0; });
    if (needed && derivatives) {
        field.amounts_tangent(t, amounts_.data());
    } else if (needed) {
        field.amounts(t, amounts_.data());
    }
}

bool EventRules::apply(const Field& field, double t, std::span<const Event> events, double* x, double* s,
                       std::vector<double>* before) {
    const std::size_t n = field.n();
    const std::size_t n_amounts = field.model().n_amounts;
    evaluate(field, t, events, s != nullptr);
    for (const Event& event : events) {
        const auto i = narrow<std::size_t>(event.state);
        const bool varies = event.amount >= 0;
        const std::size_t number = varies ? narrow<std::size_t>(event.amount) : 0;
        expects(i < n && (!varies || number < n_amounts), "an event names a state and an amount of the model");
        const double a = varies ? amounts_[number] : event.value;
        if (!std::isfinite(a)) {
            return false;
        }
        if (before != nullptr) {
            before->push_back(x[i]);
        }
        for (std::size_t k = 0; s != nullptr && k < field.m(); ++k) {
            const double da = varies ? amounts_[(1 + k) * n_amounts + number] : 0.0;
            double& sensitivity = s[k * n + i];
            switch (event.action) {
            case Action::add:
                sensitivity += da;
                break;
            case Action::multiply:
                sensitivity = a * sensitivity + x[i] * da;
                break;
            case Action::replace:
                sensitivity = da;
                break;
            }
        }
        switch (event.action) {
        case Action::add:
            x[i] += a;
            break;
        case Action::multiply:
            x[i] *= a;
            break;
        case Action::replace:
            x[i] = a;
            break;
        }
    }
    return true;
}

void EventRules::apply_adjoint(const Field& field, double t, std::span<const Event> events,
                               std::span<const double> before, double* lambda, double* gradient) {
    const std::size_t n_amounts = field.model().n_amounts;
    evaluate(field, t, events, true);
    for (std::size_t e = events.size(); e-- > 0;) {
        const Event& event = events[e];
        const auto i = narrow<std::size_t>(event.state);
        const bool varies = event.amount >= 0;
        const std::size_t number = varies ? narrow<std::size_t>(event.amount) : 0;
        const double factor = event.action == Action::multiply ? lambda[i] * before[e] : lambda[i];
        for (std::size_t k = 0; varies && k < field.m(); ++k) {
            gradient[k] += factor * amounts_[(1 + k) * n_amounts + number];
        }
        switch (event.action) {
        case Action::add:
            break;
        case Action::multiply:
            lambda[i] *= varies ? amounts_[number] : event.value;
            break;
        case Action::replace:
            lambda[i] = 0.0;
            break;
        }
    }
}

} // namespace rondo::solve
