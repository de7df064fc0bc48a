#pragma once

#include "field.hpp"
#include "problem.hpp"
#include "record.hpp"

#include <limits>
#include <vector>

namespace rondo::solve {

/// The states alone: dx/dt = f.
class StateProblem final : public Problem {
public:
    explicit StateProblem(const Field*& field) : field_{field} {}
    void rates(double t, const double* y, double* out) override { field_->rates(t, y, out); }
    void jacobian(double t, const double* y, double* block) override { field_->jacobian(t, y, block); }

private:
    const Field*& field_;
};

/// States and sensitivities: y = [x, s_1, ..., s_m], ds_k/dt = (df/dx) s_k + df/dp_k.
class AugmentedProblem final : public Problem {
public:
    explicit AugmentedProblem(const Field*& field) : field_{field} {}
    void rates(double t, const double* y, double* out) override { field_->tangent(t, y, out); }
    void jacobian(double t, const double* y, double* block) override { field_->jacobian(t, y, block); }

private:
    const Field*& field_;
};

/// The adjoint on the way back: d lambda/dt = -(df/dx)^T lambda, with integrals dq/dt = -(df/dp)^T lambda, so that q
/// grows by the integral of lambda^T df/dp; x(t) is read from a record.
class AdjointProblem final : public Problem {
public:
    AdjointProblem(const Field*& field, Record*& record) : field_{field}, record_{record} {}

    /// Forget what was read for the last time: another segment or trajectory begins.
    void forget() { last_time_ = std::numeric_limits<double>::quiet_NaN(); }

    void rates(double t, const double* y, double* out) override;
    void jacobian(double t, const double* y, double* block) override;
    void integrand(double t, const double* y, double* out) override;

private:
    [[nodiscard]] const double* state_at(double t);

    const Field*& field_;
    Record*& record_;
    double last_time_ = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> x_, jacobian_;
};

} // namespace rondo::solve
