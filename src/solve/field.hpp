#pragma once

#include <rondo/model/model.hpp>

#include <cstddef>
#include <span>

namespace rondo::solve {

/// A model's kernels with the constants of one trajectory filled in. Copies are cheap; the model, parameters and
/// covariates are only pointed to. Shapes as in model::KernelKind: n states, m active parameters, O observables, E
/// amounts.
class Field {
public:
    Field(const model::Model& model, std::span<const double> parameters, std::span<const double> covariates);

    [[nodiscard]] const model::Model& model() const { return *model_; }
    [[nodiscard]] std::span<const double> parameters() const { return parameters_; }
    [[nodiscard]] std::size_t n() const { return n_; }
    [[nodiscard]] std::size_t m() const { return m_; }

    /// out [n] = f(t, x)
    void rates(double t, const double* x, double* out) const { call(rates_, t, x, nullptr, out); }
    /// out [n * n] column-major = df/dx
    void jacobian(double t, const double* x, double* out) const { call(jacobian_, t, x, nullptr, out); }
    /// xs = [x, s_1, ..., s_m]; out [(1 + m) * n] = [f, (df/dx) s_k + df/dp_k]
    void tangent(double t, const double* xs, double* out) const { call(tangent_, t, xs, xs + n_, out); }
    /// out [n] = (df/dx)^T lambda
    void adjoint_state(double t, const double* x, const double* lambda, double* out) const {
        call(adjoint_state_, t, x, lambda, out);
    }
    /// out [m] = (df/dp)^T lambda
    void adjoint_parameter(double t, const double* x, const double* lambda, double* out) const {
        call(adjoint_parameter_, t, x, lambda, out);
    }
    /// out [n] = x(t0)
    void initial(double t, double* out) const { call(initial_, t, nullptr, nullptr, out); }
    /// out [(1 + m) * n] = [x(t0), dx(t0)/dp_k]
    void initial_tangent(double t, double* out) const { call(initial_tangent_, t, nullptr, nullptr, out); }
    /// out [2 O] = [h, sigma]
    void outputs(double t, const double* x, double* out) const { call(outputs_, t, x, nullptr, out); }
    /// w [2 O]; out [n + m]: set to (d outputs/dx)^T w, added (d outputs/dp)^T w
    void outputs_adjoint(double t, const double* x, const double* w, double* out) const {
        call(outputs_adjoint_, t, x, w, out);
    }
    /// out [E] = a
    void amounts(double t, double* out) const { call(amounts_, t, nullptr, nullptr, out); }
    /// out [(1 + m) * E] = [a, da/dp_k]
    void amounts_tangent(double t, double* out) const { call(amounts_tangent_, t, nullptr, nullptr, out); }

private:
    void call(const expression::Kernel& kernel, double t, const double* x, const double* seed, double* out) const {
        kernel({&t, x, parameters_.data(), covariates_, seed}, out);
    }

    const model::Model* model_;
    std::span<const double> parameters_;
    const double* covariates_;
    std::size_t n_, m_;
    expression::Kernel rates_, jacobian_, tangent_, adjoint_state_, adjoint_parameter_, initial_, initial_tangent_,
        outputs_, outputs_adjoint_, amounts_, amounts_tangent_;
};

} // namespace rondo::solve
