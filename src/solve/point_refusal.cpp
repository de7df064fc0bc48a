#include "point_refusal.hpp"

#include <rondo/base/text.hpp>

#include <fmt/format.h>

#include <cmath>

namespace rondo::solve {
namespace {

/// A number for a message; the sign of NaN says nothing.
std::string shown(double value) { return std::isnan(value) ? "nan" : number_text(value); }

} // namespace

std::string point_refusal(const model::Model& model, std::size_t column, double time, double output, double sigma,
                          double datum) {
    std::string reason = fmt::format("observable \"{}\" at time {}: the loss is not finite (model {}, ",
                                     model.observables[column], shown(time), shown(output));
    if (model::uses_sigma(model.loss) && !model.sigma_from_data) {
        reason += fmt::format("sigma {}, ", shown(sigma));
    }
    return reason + fmt::format("data {})", shown(datum));
}

} // namespace rondo::solve
