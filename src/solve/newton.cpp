#include "newton.hpp"

#include "loops.hpp"

#include <cvodes/cvodes.h>

#include <algorithm>
#include <new>

namespace rondo::solve {
namespace {

Newton& newton_of(SUNNonlinearSolver solver) noexcept { return *static_cast<Newton*>(solver->content); }

SUNNonlinearSolver_Type newton_type(SUNNonlinearSolver) { return SUNNONLINEARSOLVER_ROOTFIND; }

int newton_initialise(SUNNonlinearSolver solver) {
    Newton::Told& told = newton_of(solver).told;
    told.n_iterations = 0;
    told.n_failures = 0;
    told.current = false;
    return SUN_NLS_SUCCESS;
}

int newton_solve(SUNNonlinearSolver solver, N_Vector /*predicted*/, N_Vector correction, N_Vector weight,
                 double tolerance, booleantype set_up, void* cvode_memory) {
    return newton_of(solver).solve(correction, weight, tolerance, set_up != SUNFALSE, cvode_memory);
}

int newton_free(SUNNonlinearSolver) { return SUN_NLS_SUCCESS; }

/// The residual is evaluated here, not by CVODES.
int newton_set_system(SUNNonlinearSolver, SUNNonlinSolSysFn) { return SUN_NLS_SUCCESS; }

int newton_set_set_up(SUNNonlinearSolver solver, SUNNonlinSolLSetupFn set_up) {
    newton_of(solver).told.set_up = set_up;
    return SUN_NLS_SUCCESS;
}

/// So is the linear system.
int newton_set_solve(SUNNonlinearSolver, SUNNonlinSolLSolveFn) { return SUN_NLS_SUCCESS; }

int newton_set_test(SUNNonlinearSolver solver, SUNNonlinSolConvTestFn test, void* test_data) {
    newton_of(solver).told.test = test;
    newton_of(solver).told.test_data = test_data;
    return SUN_NLS_SUCCESS;
}

int newton_set_most_iterations(SUNNonlinearSolver solver, int most) {
    newton_of(solver).told.most_iterations = most;
    return SUN_NLS_SUCCESS;
}

int newton_n_iterations(SUNNonlinearSolver solver, long* count) {
    *count = newton_of(solver).told.n_iterations;
    return SUN_NLS_SUCCESS;
}

int newton_iteration(SUNNonlinearSolver solver, int* iteration) {
    *iteration = newton_of(solver).told.iteration;
    return SUN_NLS_SUCCESS;
}

int newton_n_failures(SUNNonlinearSolver solver, long* count) {
    *count = newton_of(solver).told.n_failures;
    return SUN_NLS_SUCCESS;
}

Newton& newton_of(SUNLinearSolver solver) noexcept { return *static_cast<Newton*>(solver->content); }

SUNLinearSolver_Type linear_type(SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; }
SUNLinearSolver_ID linear_id(SUNLinearSolver) { return SUNLINEARSOLVER_CUSTOM; }
int linear_initialise(SUNLinearSolver) { return SUNLS_SUCCESS; }
int linear_set_up(SUNLinearSolver solver, SUNMatrix) { return newton_of(solver).factorise(); }

/// CVODES asks that there be one; `newton_solve` does its work.
int linear_solve(SUNLinearSolver, SUNMatrix, N_Vector, N_Vector, double) { return SUNLS_PACKAGE_FAIL_UNREC; }

SUNMatrix_ID matrix_id(SUNMatrix) { return SUNMATRIX_CUSTOM; }

int form_linear_system(double t, N_Vector y, N_Vector /*fy*/, SUNMatrix matrix, booleantype reuse, booleantype* current,
                       double gamma, void* /*user_data*/, N_Vector, N_Vector, N_Vector) {
    *current = reuse != SUNFALSE ? SUNFALSE : SUNTRUE;
    return static_cast<Newton*>(matrix->content)->form(t, data_of(y), gamma, reuse != SUNFALSE);
}

} // namespace

Newton::Newton(GuardedProblem& problem, const double& origin, SUNContext context)
    : problem_{problem}, origin_{origin}, matrix_{problem.shape.rows},
      jacobian_(problem.shape.rows * problem.shape.rows), delta_{make_vector(problem.shape, context)},
      handle_matrix_{SUNMatNewEmpty(context)}, handle_linear_{SUNLinSolNewEmpty(context)},
      handle_newton_{SUNNonlinSolNewEmpty(context)} {
    if (handle_matrix_ == nullptr || handle_linear_ == nullptr || handle_newton_ == nullptr) {
        throw std::bad_alloc{};
    }
    handle_matrix_->content = this;
    handle_matrix_->ops->getid = matrix_id;
    handle_linear_->content = this;
    handle_linear_->ops->gettype = linear_type;
    handle_linear_->ops->getid = linear_id;
    handle_linear_->ops->initialize = linear_initialise;
    handle_linear_->ops->setup = linear_set_up;
    handle_linear_->ops->solve = linear_solve;
    handle_newton_->content = this;
    handle_newton_->ops->gettype = newton_type;
    handle_newton_->ops->initialize = newton_initialise;
    handle_newton_->ops->solve = newton_solve;
    handle_newton_->ops->free = newton_free;
    handle_newton_->ops->setsysfn = newton_set_system;
    handle_newton_->ops->setlsetupfn = newton_set_set_up;
    handle_newton_->ops->setlsolvefn = newton_set_solve;
    handle_newton_->ops->setctestfn = newton_set_test;
    handle_newton_->ops->setmaxiters = newton_set_most_iterations;
    handle_newton_->ops->getnumiters = newton_n_iterations;
    handle_newton_->ops->getcuriter = newton_iteration;
    handle_newton_->ops->getnumconvfails = newton_n_failures;
}

Newton::~Newton() {
    SUNNonlinSolFreeEmpty(handle_newton_);
    SUNLinSolFreeEmpty(handle_linear_);
    SUNMatFreeEmpty(handle_matrix_);
}

int Newton::attach(void* cvode_memory) {
    int flag = CVodeSetNonlinearSolver(cvode_memory, handle_newton_);
    if (flag == CV_SUCCESS) {
        flag = CVodeSetLinearSolver(cvode_memory, handle_linear_, handle_matrix_);
    }
    if (flag == CV_SUCCESS) {
        flag = CVodeSetLinSysFn(cvode_memory, form_linear_system);
    }
    return flag;
}

int Newton::form(double t, const double* y, double gamma, bool reuse) noexcept {
    if (!reuse) {
        const int flag = problem_.jacobian(origin_ + t, y, jacobian_.data());
        if (flag != 0) {
            return flag;
        }
    }
    const std::size_t n = matrix_.rows();
    double* const entries = matrix_.data();
    for (std::size_t i = 0; i < n * n; ++i) {
        entries[i] = -gamma * jacobian_[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
        entries[i * n + i] += 1.0;
    }
    factored_gamma_ = gamma;
    return 0;
}

int Newton::factorise() noexcept {
    return matrix_.factorise() ? static_cast<int>(SUNLS_SUCCESS) : static_cast<int>(SUNLS_LUFACT_FAIL);
}

/// delta = -(ycor + rl1 zn_1 - gamma f(t, zn_0 + ycor))
int Newton::residual(N_Vector correction, void* cvode_memory) noexcept {
    double t = 0, gamma = 0, rl1 = 0;
    N_Vector predicted = nullptr, now = nullptr, rate = nullptr, first = nullptr;
    void* user_data = nullptr;
    CVodeGetNonlinearSystemData(cvode_memory, &t, &predicted, &now, &rate, &gamma, &rl1, &first, &user_data);
    gamma_ = gamma;
    const std::size_t size = padded(problem_.shape.size());
    const double* const cor = data_of(correction);
    const double* const zn0 = data_of(predicted);
    const double* const zn1 = data_of(first);
    double* const y = data_of(now);
    double* const f = data_of(rate);
    double* const delta = data_of(delta_.get());
    for_each_entry(size, [=](std::size_t i) { y[i] = zn0[i] + cor[i]; });
    const int flag = problem_.rates(origin_ + t, y, f);
    if (flag != 0) {
        return flag < 0 ? CV_RHSFUNC_FAIL : SUN_NLS_CONV_RECVR;
    }
    for_each_entry(size, [=](std::size_t i) { delta[i] = gamma * f[i] - (rl1 * zn1[i] + cor[i]); });
    return SUN_NLS_SUCCESS;
}

/// One Newton iteration from the residual in delta_; SUN_NLS_CONTINUE where another one is needed.
int Newton::iterate(N_Vector correction, N_Vector weight, double tolerance) noexcept {
    const std::size_t size = padded(problem_.shape.size());
    double* const cor = data_of(correction);
    double* const delta = data_of(delta_.get());
    ++told.n_iterations;
    matrix_.solve(delta, problem_.shape.columns);
    if (gamma_ == factored_gamma_) {
        for_each_entry(size, [=](std::size_t i) { cor[i] += delta[i]; });
    } else {
        // The factors are of an older step size; CVODES corrects for it by this factor.
        const double scale = 2.0 / (1.0 + gamma_ / factored_gamma_);
        for_each_entry(size, [=](std::size_t i) {
            delta[i] *= scale;
            cor[i] += delta[i];
        });
    }
    return told.test(handle_newton_, correction, delta_.get(), tolerance, weight, told.test_data);
}

int Newton::solve(N_Vector correction, N_Vector weight, double tolerance, bool set_up, void* cvode_memory) noexcept {
    bool bad_jacobian = false;
    told.n_iterations = 0;
    told.n_failures = 0;
    while (true) {
        int flag = residual(correction, cvode_memory);
        if (flag == SUN_NLS_SUCCESS && set_up) {
            booleantype current = SUNFALSE;
            flag = told.set_up(bad_jacobian ? SUNTRUE : SUNFALSE, &current, cvode_memory);
            told.current = current != SUNFALSE;
        }
        if (flag != SUN_NLS_SUCCESS) {
            ++told.n_failures;
            return flag; // the prediction itself is of no use
        }
        told.iteration = 0;
        do {
            flag = iterate(correction, weight, tolerance);
            if (flag == SUN_NLS_CONTINUE) {
                ++told.iteration;
                flag = told.iteration >= told.most_iterations ? SUN_NLS_CONV_RECVR : residual(correction, cvode_memory);
            } else if (flag == SUN_NLS_SUCCESS) {
                told.current = false;
                return SUN_NLS_SUCCESS;
            }
        } while (flag == SUN_NLS_SUCCESS);
        ++told.n_failures;
        if (flag < 0 || told.current) {
            return flag;
        }
        // Once more from the start with a Jacobian of this step.
        set_up = true;
        bad_jacobian = true;
        std::fill_n(data_of(correction), padded(problem_.shape.size()), 0.0);
    }
}

} // namespace rondo::solve
