#include "observe.hpp"

#include "point_refusal.hpp"

#include <rondo/base/contract.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rondo::solve {

using model::LossKind;

void Observer::begin(const Field& field, const ensemble::Trajectory& trajectory, Want want, double* predictions) {
    const model::Model& model = field.model();
    const std::size_t n_rows = trajectory.times.size();
    field_ = &field;
    trajectory_ = trajectory;
    want_ = want;
    predictions_ = predictions;
    n_ = field.n();
    n_outputs_ = model.n_observables();
    n_columns_ = model.loss == LossKind::cross_entropy ? 1 : n_outputs_;
    loss_ = 0;
    has_gradient_ = false;
    reason_.clear();
    outputs_.resize(2 * n_outputs_);
    weights_.resize(2 * n_outputs_);
    curvature_.resize(2 * n_outputs_);
    gradient_.assign(n_ + field.m(), 0.0);
    expects(trajectory.values.size() == n_rows * n_columns_, "the ensemble has the model's data columns");
    expects(!model.sigma_from_data || trajectory.sigmas.size() == n_rows * n_columns_,
            "the ensemble has the sigmas that the loss needs");
    if (model.loss == LossKind::cross_entropy) {
        expects(want != Want::curvature, "cross entropy has no Gauss-Newton matrix here");
        const auto missing = std::count_if(trajectory.values.begin(), trajectory.values.end(),
                                           [](double value) { return std::isnan(value); });
        const auto n_labels = static_cast<std::ptrdiff_t>(n_rows) - missing;
        label_weight_ = n_labels > 0 ? 1.0 / static_cast<double>(n_labels) : 0.0;
    }
    if (predictions != nullptr) {
        std::fill_n(predictions, n_rows * 2 * n_outputs_, std::numeric_limits<double>::quiet_NaN());
    }
}

bool Observer::take(const Stop& stop, const double* x) {
    has_gradient_ = false;
    if (stop.row_begin == stop.row_end) {
        return true;
    }
    field_->outputs(stop.time, x, outputs_.data());
    if (predictions_ != nullptr) {
        for (std::size_t row = stop.row_begin; row < stop.row_end; ++row) {
            std::copy(outputs_.begin(), outputs_.end(),
                      predictions_ + static_cast<std::ptrdiff_t>(row * outputs_.size()));
        }
    }
    clear_weights();
    const bool finite = field_->model().loss == LossKind::cross_entropy ? take_labels(stop) : take_values(stop);
    has_gradient_ = finite && has_gradient_;
    if (has_gradient_) {
        std::fill(gradient_.begin(), gradient_.end(), 0.0);
        field_->outputs_adjoint(stop.time, x, weights_.data(), gradient_.data());
    }
    return finite;
}

void Observer::clear_weights() {
    std::fill(weights_.begin(), weights_.end(), 0.0);
    std::fill(curvature_.begin(), curvature_.end(), 0.0);
}

bool Observer::take_labels(const Stop& stop) {
    unit_.resize(n_outputs_);
    for (std::size_t row = stop.row_begin; row < stop.row_end; ++row) {
        const double label = trajectory_.values[row];
        if (std::isnan(label)) {
            continue;
        }
        expects(label >= 0 && label < static_cast<double>(n_outputs_), "a label is the number of an observable");
        const double value =
            model::cross_entropy({outputs_.data(), n_outputs_}, static_cast<std::size_t>(label), unit_);
        if (!std::isfinite(value)) {
            return refuse(stop.time, static_cast<std::size_t>(label), label);
        }
        has_gradient_ = want_ != Want::loss;
        loss_ += label_weight_ * value;
        for (std::size_t i = 0; i < n_outputs_; ++i) {
            weights_[i] += label_weight_ * unit_[i];
        }
    }
    return true;
}

bool Observer::take_values(const Stop& stop) {
    const model::Model& model = field_->model();
    for (std::size_t row = stop.row_begin; row < stop.row_end; ++row) {
        for (std::size_t i = 0; i < n_outputs_; ++i) {
            const double datum = trajectory_.values[row * n_columns_ + i];
            if (std::isnan(datum)) {
                continue;
            }
            const double sigma =
                model.sigma_from_data ? trajectory_.sigmas[row * n_columns_ + i] : outputs_[n_outputs_ + i];
            const model::PointLoss point = model::point_loss(model.loss, model.delta, outputs_[i], sigma, datum);
            if (!std::isfinite(point.value)) {
                return refuse(stop.time, i, datum);
            }
            has_gradient_ = want_ != Want::loss;
            loss_ += point.value;
            weights_[i] += point.d_output;
            curvature_[i] += point.curvature_output;
            if (!model.sigma_from_data) {
                weights_[n_outputs_ + i] += point.d_sigma;
                curvature_[n_outputs_ + i] += point.curvature_sigma;
            }
        }
    }
    return true;
}

bool Observer::refuse(double time, std::size_t column, double datum) {
    reason_ = point_refusal(field_->model(), column, time, outputs_[column], outputs_[n_outputs_ + column], datum);
    return false;
}

void Observer::add_curvature(const Stop& stop, const double* x, const double* s, double* triangle) {
    const std::size_t m = field_->m();
    unit_.resize(2 * n_outputs_);
    row_.resize(n_ + m);
    for (std::size_t i = 0; has_gradient_ && i < 2 * n_outputs_; ++i) {
        if (curvature_[i] == 0.0) {
            continue;
        }
        std::fill(unit_.begin(), unit_.end(), 0.0);
        unit_[i] = 1.0;
        std::fill(row_.begin(), row_.end(), 0.0);
        field_->outputs_adjoint(stop.time, x, unit_.data(), row_.data());
        double* const total = row_.data() + n_;
        for (std::size_t k = 0; k < m; ++k) {
            for (std::size_t j = 0; j < n_; ++j) {
                total[k] += row_[j] * s[k * n_ + j];
            }
        }
        double* entry = triangle;
        for (std::size_t k = 0; k < m; ++k) {
            const double factor = curvature_[i] * total[k];
            for (std::size_t l = k; l < m; ++l) {
                *entry++ += factor * total[l];
            }
        }
    }
}

} // namespace rondo::solve
