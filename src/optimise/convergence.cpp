#include "convergence.hpp"

#include "rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace rondo::optimise {
namespace {

std::string sentence_of(Ending why) {
    switch (why) {
    case Ending::gradient:
        return "the gradient is within gradient_tolerance";
    case Ending::step:
        return "the step is within step_tolerance";
    case Ending::loss:
        return "the change of the loss is within loss_tolerance";
    case Ending::no_lower_loss:
        return "the line search cannot improve: no lower loss along the negative gradient";
    case Ending::damping:
        return "no further progress: the damping is at its limit";
    case Ending::none:
        break;
    }
    return "not ended";
}

} // namespace

bool has_ended(const State& state) {
    const auto ending = state.scalars.find("ending");
    return ending != state.scalars.end() && ending->second != 0;
}

Progress ended_before(State& state) {
    const auto why = static_cast<Ending>(static_cast<int>(number_of(state, "ending")));
    return {.accepted = false, .converged = true, .reason = "ended before: " + sentence_of(why), .step_norm = 0.0};
}

Progress end(State& state, Ending why, const std::string& detail, Progress progress) {
    number_of(state, "ending") = static_cast<double>(why);
    state.point = array_of(state, "accepted_point");
    progress.converged = true;
    progress.reason = fmt::format("{} ({})", sentence_of(why), detail);
    return progress;
}

bool is_gradient_small(const Options& options, double gradient_norm, double first_norm, double loss) {
    return gradient_norm <= options.gradient_tolerance * std::max(std::abs(loss), std::min(1.0, first_norm));
}

bool is_step_small(const Options& options, std::span<const double> point, std::span<const double> step) {
    for (std::size_t i = 0; i < point.size(); ++i) {
        if (std::abs(step[i]) > options.step_tolerance * (std::abs(point[i]) + options.step_tolerance)) {
            return false;
        }
    }
    return true;
}

} // namespace rondo::optimise
