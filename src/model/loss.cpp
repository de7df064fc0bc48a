#include <rondo/model/loss.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace rondo::model {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const double half_log_two_pi = 0.5 * std::log(2.0 * std::numbers::pi);

PointLoss gaussian(double output, double sigma, double datum) {
    if (!(sigma > 0)) {
        return {.value = nan};
    }
    const double z = (output - datum) / sigma;
    return {.value = 0.5 * z * z + std::log(sigma) + half_log_two_pi,
            .d_output = z / sigma,
            .d_sigma = (1.0 - z * z) / sigma,
            .curvature_output = 1.0 / (sigma * sigma),
            .curvature_sigma = 2.0 / (sigma * sigma)};
}

PointLoss lognormal(double output, double sigma, double datum) {
    if (!(output > 0)) {
        return {.value = nan};
    }
    PointLoss loss = gaussian(std::log(output), sigma, std::log(datum));
    loss.value += std::log(datum);
    loss.d_output /= output;
    loss.curvature_output /= output * output;
    return loss;
}

PointLoss laplace(double output, double sigma, double datum) {
    if (!(sigma > 0)) {
        return {.value = nan};
    }
    const double r = output - datum;
    return {.value = std::abs(r) / sigma + std::log(2.0 * sigma),
            .d_output = (r > 0 ? 1.0 : (r < 0 ? -1.0 : 0.0)) / sigma,
            .d_sigma = (1.0 - std::abs(r) / sigma) / sigma,
            .curvature_output = 1.0 / (sigma * sigma),
            .curvature_sigma = 1.0 / (sigma * sigma)};
}

PointLoss huber(double delta, double output, double datum) {
    const double r = output - datum;
    if (std::abs(r) <= delta) {
        return {.value = 0.5 * r * r, .d_output = r, .curvature_output = 1.0};
    }
    return {.value = delta * (std::abs(r) - 0.5 * delta),
            .d_output = std::copysign(delta, r),
            .curvature_output = delta / std::abs(r)};
}

} // namespace

const std::vector<std::string>& loss_names() {
    static const std::vector<std::string> names{"squared", "gaussian", "lognormal",
                                                "laplace", "huber",    "cross_entropy"};
    return names;
}

std::optional<LossKind> loss_from(std::string_view name) {
    const auto found = std::ranges::find(loss_names(), name);
    if (found == loss_names().end()) {
        return std::nullopt;
    }
    return static_cast<LossKind>(found - loss_names().begin());
}

std::string_view name_of(LossKind kind) { return loss_names()[static_cast<std::size_t>(kind)]; }

bool uses_sigma(LossKind kind) {
    return kind == LossKind::gaussian || kind == LossKind::lognormal || kind == LossKind::laplace;
}

PointLoss point_loss(LossKind kind, double delta, double output, double sigma, double datum) {
    switch (kind) {
    case LossKind::gaussian:
        return gaussian(output, sigma, datum);
    case LossKind::lognormal:
        return lognormal(output, sigma, datum);
    case LossKind::laplace:
        return laplace(output, sigma, datum);
    case LossKind::huber:
        return huber(delta, output, datum);
    case LossKind::squared:
    case LossKind::cross_entropy:
        break;
    }
    const double r = output - datum;
    return {.value = r * r, .d_output = 2.0 * r, .curvature_output = 2.0};
}

double cross_entropy(std::span<const double> logits, std::size_t label, std::span<double> d_logits) {
    const double largest = *std::ranges::max_element(logits);
    double sum = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        d_logits[i] = std::exp(logits[i] - largest);
        sum += d_logits[i];
    }
    for (double& d : d_logits) {
        d /= sum;
    }
    d_logits[label] -= 1.0;
    return largest + std::log(sum) - logits[label];
}

} // namespace rondo::model
