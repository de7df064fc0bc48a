#include "problems.hpp"

namespace rondo::solve {

const double* AdjointProblem::state_at(double t) {
    if (t != last_time_) {
        x_.resize(field_->n());
        record_->at(t, x_.data());
        last_time_ = t;
    }
    return x_.data();
}

void AdjointProblem::rates(double t, const double* y, double* out) {
    field_->adjoint_state(t, state_at(t), y, out);
    for (std::size_t i = 0; i < field_->n(); ++i) {
        out[i] = -out[i];
    }
}

void AdjointProblem::jacobian(double t, const double* /*y*/, double* block) {
    const std::size_t n = field_->n();
    jacobian_.resize(n * n);
    field_->jacobian(t, state_at(t), jacobian_.data());
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < n; ++i) {
            block[j * n + i] = -jacobian_[i * n + j];
        }
    }
}

void AdjointProblem::integrand(double t, const double* y, double* out) {
    field_->adjoint_parameter(t, state_at(t), y, out);
    for (std::size_t k = 0; k < field_->m(); ++k) {
        out[k] = -out[k];
    }
}

} // namespace rondo::solve
