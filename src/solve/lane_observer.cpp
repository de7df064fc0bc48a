#include "lane_observer.hpp"

#include "point_refusal.hpp"

#include <rondo/base/contract.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rondo::solve {

using model::KernelKind;
using model::LossKind;

LaneObserver::LaneObserver(const model::Model& model, const double* covariate)
    : model_{model}, covariate_{covariate}, loops_{core().loops}, outputs_kernel_{model.lane_kernel(
                                                                      KernelKind::outputs)},
      adjoint_kernel_{model.lane_kernel(KernelKind::outputs_adjoint)}, n_{model.n_states()}, m_{model.n_active()},
      n_outputs_{model.n_observables()}, n_columns_{model.loss == LossKind::cross_entropy ? 1 : n_outputs_},
      values_(n_columns_ * n_lanes), outputs_(2 * n_outputs_ * n_lanes), weights_(2 * n_outputs_ * n_lanes),
      curvature_(2 * n_outputs_ * n_lanes), gradient_((n_ + m_) * n_lanes), logits_(n_outputs_), slopes_(n_outputs_) {}

void LaneObserver::begin_set(Want want, std::span<const double> parameters) {
    expects(want != Want::curvature || model_.loss != LossKind::cross_entropy,
            "cross entropy has no Gauss-Newton matrix here");
    want_ = want;
    parameters_ = parameters;
    if (want == Want::curvature) {
        unit_.assign(2 * n_outputs_ * n_lanes, 0.0);
        row_.assign((n_ + m_) * n_lanes, 0.0);
        total_.resize(m_ * n_lanes);
    }
}

void LaneObserver::begin(std::size_t lane, const ensemble::Trajectory& trajectory, double* predictions) {
    const std::size_t n_rows = trajectory.times.size();
    expects(trajectory.values.size() == n_rows * n_columns_, "the ensemble has the model's data columns");
    expects(!model_.sigma_from_data || trajectory.sigmas.size() == n_rows * n_columns_,
            "the ensemble has the sigmas that the loss needs");
    lanes_[lane] = {trajectory, predictions, 0.0};
    loss_[lane] = 0;
    reasons_[lane].clear();
    if (model_.loss == LossKind::cross_entropy) {
        const auto n_labels = std::count_if(trajectory.values.begin(), trajectory.values.end(),
                                            [](double value) { return !std::isnan(value); });
        lanes_[lane].label_weight = n_labels > 0 ? 1.0 / static_cast<double>(n_labels) : 0.0;
    }
    if (predictions != nullptr) {
        std::fill_n(predictions, n_rows * 2 * n_outputs_, std::numeric_limits<double>::quiet_NaN());
    }
}

void LaneObserver::call(expression::Kernel kernel, const double* x, const double* seed, double* out) const {
    kernel({time_.data(), x, parameters_.data(), covariate_, seed}, out);
}

unsigned LaneObserver::take(unsigned set, const std::array<Stop, n_lanes>& stops, const double* x) {
    has_gradient_ = false;
    seen_ = 0;
    for (std::size_t l = 0; l < n_lanes; ++l) {
        time_[l] = stops[l].time;
    }
    call(outputs_kernel_, x, nullptr, outputs_.data());
    const bool simple = model_.loss == LossKind::squared && std::none_of(stops.begin(), stops.end(), [](const Stop& s) {
                            return s.row_end - s.row_begin > 1;
                        });
    unsigned refused = 0;
    if (simple) {
        refused = take_squares(set, stops);
    } else {
        std::fill(weights_.begin(), weights_.end(), 0.0);
        std::fill(curvature_.begin(), curvature_.end(), 0.0);
    }
    for (std::size_t l = 0; l < n_lanes; ++l) {
        const Stop& stop = stops[l];
        if ((set >> l & 1U) == 0 || stop.row_begin == stop.row_end) {
            continue;
        }
        for (std::size_t row = stop.row_begin; lanes_[l].predictions != nullptr && row < stop.row_end; ++row) {
            for (std::size_t i = 0; i < 2 * n_outputs_; ++i) {
                lanes_[l].predictions[row * 2 * n_outputs_ + i] = outputs_[i * n_lanes + l];
            }
        }
        if (!simple) {
            const bool finite = model_.loss == LossKind::cross_entropy ? take_labels(l, stop) : take_values(l, stop);
            refused |= finite ? 0U : 1U << l;
        }
    }
    seen_ &= ~refused;
    has_gradient_ = want_ != Want::loss && seen_ != 0;
    if (has_gradient_) {
        if (!simple) {
            loops_.keep(weights_.data(), 2 * n_outputs_, seen_);
        }
        for (const std::size_t k : model_.output_parameters) {
            std::fill_n(gradient_.begin() + static_cast<std::ptrdiff_t>((n_ + k) * n_lanes), n_lanes, 0.0);
        }
        call(adjoint_kernel_, x, weights_.data(), gradient_.data());
        loops_.keep(gradient_.data(), n_, seen_);
    }
    return refused;
}

/// At most one row a lane, squared residuals: all lanes at once.
unsigned LaneObserver::take_squares(unsigned set, const std::array<Stop, n_lanes>& stops) {
    unsigned with_rows = 0, refused = 0;
    for (std::size_t l = 0; l < n_lanes; ++l) {
        if ((set >> l & 1U) != 0 && stops[l].row_begin < stops[l].row_end) {
            with_rows |= 1U << l;
            const double* const row = lanes_[l].trajectory.values.data() + stops[l].row_begin * n_columns_;
            for (std::size_t i = 0; i < n_columns_; ++i) {
                values_[i * n_lanes + l] = row[i];
            }
        }
    }
    seen_ =
        loops_.squared(outputs_.data(), values_.data(), n_outputs_, with_rows, loss_.data(), weights_.data(), refused);
    if (want_ == Want::curvature) {
        for (std::size_t i = 0; i < n_outputs_ * n_lanes; ++i) {
            curvature_[i] = (seen_ >> i % n_lanes & 1U) != 0 && !std::isnan(values_[i]) ? 2.0 : 0.0;
        }
    }
    for (std::size_t l = 0; l < n_lanes; ++l) {
        for (std::size_t i = 0; (refused >> l & 1U) != 0 && i < n_outputs_; ++i) {
            const double residual = outputs_[i * n_lanes + l] - values_[i * n_lanes + l];
            if (!std::isnan(values_[i * n_lanes + l]) && !std::isfinite(residual * residual) && reasons_[l].empty()) {
                static_cast<void>(refuse(l, stops[l].time, i, values_[i * n_lanes + l]));
            }
        }
    }
    return refused;
}

bool LaneObserver::take_labels(std::size_t l, const Stop& stop) {
    const Lane& lane = lanes_[l];
    for (std::size_t row = stop.row_begin; row < stop.row_end; ++row) {
        const double label = lane.trajectory.values[row];
        if (std::isnan(label)) {
            continue;
        }
        expects(label >= 0 && label < static_cast<double>(n_outputs_), "a label is the number of an observable");
        for (std::size_t i = 0; i < n_outputs_; ++i) {
            logits_[i] = outputs_[i * n_lanes + l];
        }
        const double value = model::cross_entropy(logits_, static_cast<std::size_t>(label), slopes_);
        if (!std::isfinite(value)) {
            return refuse(l, stop.time, static_cast<std::size_t>(label), label);
        }
        seen_ |= 1U << l;
        loss_[l] += lane.label_weight * value;
        for (std::size_t i = 0; i < n_outputs_; ++i) {
            weights_[i * n_lanes + l] += lane.label_weight * slopes_[i];
        }
    }
    return true;
}

bool LaneObserver::take_values(std::size_t l, const Stop& stop) {
    const ensemble::Trajectory& trajectory = lanes_[l].trajectory;
    for (std::size_t row = stop.row_begin; row < stop.row_end; ++row) {
        for (std::size_t i = 0; i < n_outputs_; ++i) {
            const double datum = trajectory.values[row * n_columns_ + i];
            if (std::isnan(datum)) {
                continue;
            }
            const std::size_t output = i * n_lanes + l, noise = (n_outputs_ + i) * n_lanes + l;
            const double sigma = model_.sigma_from_data ? trajectory.sigmas[row * n_columns_ + i] : outputs_[noise];
            const model::PointLoss point = model::point_loss(model_.loss, model_.delta, outputs_[output], sigma, datum);
            if (!std::isfinite(point.value)) {
                return refuse(l, stop.time, i, datum);
            }
            seen_ |= 1U << l;
            loss_[l] += point.value;
            weights_[output] += point.d_output;
            curvature_[output] += point.curvature_output;
            if (!model_.sigma_from_data) {
                weights_[noise] += point.d_sigma;
                curvature_[noise] += point.curvature_sigma;
            }
        }
    }
    return true;
}

bool LaneObserver::refuse(std::size_t l, double time, std::size_t column, double datum) {
    reasons_[l] = point_refusal(model_, column, time, outputs_[column * n_lanes + l],
                                outputs_[(n_outputs_ + column) * n_lanes + l], datum);
    return false;
}

void LaneObserver::add_direct(double* gradient) const {
    for (const std::size_t k : model_.output_parameters) {
        for (std::size_t l = 0; l < n_lanes; ++l) {
            const double value = gradient_[(n_ + k) * n_lanes + l];
            gradient[k * n_lanes + l] += (seen_ >> l & 1U) != 0 ? value : 0.0;
        }
    }
}

void LaneObserver::add_curvature(const double* x, const double* s, double* triangle) {
    for (std::size_t i = 0; i < 2 * n_outputs_; ++i) {
        double* const weight = curvature_.data() + i * n_lanes;
        if (std::all_of(weight, weight + n_lanes, [](double value) { return value == 0.0; })) {
            continue;
        }
        std::fill_n(unit_.begin() + static_cast<std::ptrdiff_t>(i * n_lanes), n_lanes, 1.0);
        std::fill(row_.begin(), row_.end(), 0.0);
        call(adjoint_kernel_, x, unit_.data(), row_.data());
        std::fill_n(unit_.begin() + static_cast<std::ptrdiff_t>(i * n_lanes), n_lanes, 0.0);
        loops_.keep(weight, 1, seen_);
        loops_.keep(row_.data(), n_ + m_, seen_);
        std::copy(row_.begin() + static_cast<std::ptrdiff_t>(n_ * n_lanes), row_.end(), total_.begin());
        loops_.project(row_.data(), s, n_, m_, seen_, total_.data());
        double* entry = triangle;
        for (std::size_t k = 0; k < m_; ++k) {
            for (std::size_t j = k; j < m_; ++j) {
                for (std::size_t l = 0; l < n_lanes; ++l) {
                    entry[l] += weight[l] * total_[k * n_lanes + l] * total_[j * n_lanes + l];
                }
                entry += n_lanes;
            }
        }
    }
}

} // namespace rondo::solve
