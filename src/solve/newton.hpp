#pragma once

#include "linear.hpp"
#include "problem.hpp"

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

#include <vector>

namespace rondo::solve {

/// Newton's method for the implicit equations of BDF, attached to one CVODES memory. The iteration matrix I - gamma J
/// is one block for all columns. CVODES keeps the decisions: when to evaluate J, when to factorise, whether the
/// iteration has converged; the sweeps between are fused here.
///
/// Solves  ycor + rl1 zn_1 - gamma f(t, zn_0 + ycor) = 0  for ycor.
///
/// Tests   tests/solve/newton_test.cpp: the same steps as SUNDIALS' own Newton solver.
class Newton {
public:
    /// How far below the error test the iteration has to converge. CVODES' default of 0.1 leaves noise in the small
    /// sensitivities of stiff systems that costs more steps than it saves iterations (Robertson: 560 steps against
    /// 296).
    static constexpr double convergence = 0.01;
    /// Steps after which a small Jacobian is evaluated and factorised anew; CVODES' defaults are 51 and 20.
    static constexpr long jacobian_lifetime = 10;
    static constexpr std::size_t small_jacobian = 32;

    /// @param origin  the time at which the time of CVODES is zero; read at each evaluation
    Newton(GuardedProblem& problem, const double& origin, SUNContext context);
    Newton(const Newton&) = delete;
    Newton& operator=(const Newton&) = delete;
    ~Newton();

    /// Attach to a memory made for BDF, after CVodeInit. This object has to outlive the memory.
    /// @return the flag of the first CVODES function that failed, else 0
    [[nodiscard]] int attach(void* cvode_memory);

    /// Form and keep I - gamma J; J is evaluated unless `reuse`.
    [[nodiscard]] int form(double t, const double* y, double gamma, bool reuse) noexcept;
    [[nodiscard]] int factorise() noexcept;
    [[nodiscard]] int solve(N_Vector correction, N_Vector weight, double tolerance, bool set_up,
                            void* cvode_memory) noexcept;

    /// What CVODES tells its nonlinear solver.
    struct Told {
        SUNNonlinSolLSetupFn set_up = nullptr;
        SUNNonlinSolConvTestFn test = nullptr;
        void* test_data = nullptr;
        int most_iterations = 3;
        int iteration = 0;
        long n_iterations = 0;
        long n_failures = 0;
        bool current = false; ///< J belongs to this step
    };
    Told told;

private:
    [[nodiscard]] int residual(N_Vector correction, void* cvode_memory) noexcept;
    [[nodiscard]] int iterate(N_Vector correction, N_Vector weight, double tolerance) noexcept;

    GuardedProblem& problem_;
    const double& origin_;
    BlockMatrix matrix_;
    std::vector<double> jacobian_;
    double gamma_ = 0;          ///< of this step
    double factored_gamma_ = 0; ///< of the factors
    Vector delta_;
    SUNMatrix handle_matrix_ = nullptr;
    SUNLinearSolver handle_linear_ = nullptr;
    SUNNonlinearSolver handle_newton_ = nullptr;
};

} // namespace rondo::solve
