#include "solve/integrator.hpp"

#include <cvodes/cvodes.h>
#include <cvodes/cvodes_ls.h>
#include <gtest/gtest.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cmath>
#include <vector>

namespace rondo::solve {
namespace {

/// Robertson's kinetics.
class Robertson final : public Problem {
public:
    void rates(double, const double* y, double* out) override {
        out[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
        out[2] = 3e7 * y[1] * y[1];
        out[1] = -out[0] - out[2];
    }
    void jacobian(double, const double* y, double* j) override {
        j[0] = -0.04;
        j[3] = 1e4 * y[2];
        j[6] = 1e4 * y[1];
        j[2] = 0;
        j[5] = 6e7 * y[1];
        j[8] = 0;
        j[1] = 0.04;
        j[4] = -j[3] - j[5];
        j[7] = -j[6];
    }
};

struct Step {
    double time;
    std::vector<double> y;
};

/// Not longer: differences in rounding grow with the steps.
constexpr double last_time = 1.0, rtol = 1e-6, atol = 1e-10;

std::vector<Step> by_rondo() {
    Robertson problem;
    Integrator integrator{problem, {3, 1}, 0, {}};
    integrator.set_tolerances(rtol, std::vector<double>(3, atol), {});
    integrator.state()[0] = 1.0;
    integrator.state()[1] = integrator.state()[2] = 0.0;
    integrator.start(0.0, last_time);
    std::vector<Step> steps;
    while (steps.empty() || steps.back().time < last_time) {
        EXPECT_NE(integrator.advance(), Integrator::Progress::failed);
        steps.push_back({integrator.time(), {integrator.state(), integrator.state() + 3}});
    }
    return steps;
}

/// SUNDIALS' own Newton solver, dense matrix and vectors.
std::vector<Step> by_sundials() {
    Robertson problem;
    SUNContext context = nullptr;
    SUNContext_Create(nullptr, &context);
    N_Vector y = N_VNew_Serial(3, context);
    N_VConst(0.0, y);
    N_VGetArrayPointer(y)[0] = 1.0;
    void* memory = CVodeCreate(CV_BDF, context);
    SUNMatrix matrix = SUNDenseMatrix(3, 3, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
    CVodeInit(
        memory,
        [](double t, N_Vector state, N_Vector out, void* self) {
            static_cast<Robertson*>(self)->rates(t, N_VGetArrayPointer(state), N_VGetArrayPointer(out));
            return 0;
        },
        0.0, y);
    CVodeSetUserData(memory, &problem);
    CVodeSStolerances(memory, rtol, atol);
    CVodeSetLinearSolver(memory, solver, matrix);
    CVodeSetJacFn(memory,
                  [](double t, N_Vector state, N_Vector, SUNMatrix j, void* self, N_Vector, N_Vector, N_Vector) {
                      static_cast<Robertson*>(self)->jacobian(t, N_VGetArrayPointer(state), SM_DATA_D(j));
                      return 0;
                  });
    CVodeSetNonlinConvCoef(memory, Newton::convergence);
    CVodeSetLSetupFrequency(memory, Newton::jacobian_lifetime);
    CVodeSetJacEvalFrequency(memory, Newton::jacobian_lifetime);
    CVodeSetStopTime(memory, last_time);
    std::vector<Step> steps;
    while (steps.empty() || steps.back().time < last_time) {
        double t = 0;
        EXPECT_GE(CVode(memory, last_time, y, &t, CV_ONE_STEP), 0);
        steps.push_back({t, {N_VGetArrayPointer(y), N_VGetArrayPointer(y) + 3}});
    }
    CVodeFree(&memory);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(y);
    SUNContext_Free(&context);
    return steps;
}

TEST(Newton, takes_the_steps_of_the_one_in_sundials) {
    const auto ours = by_rondo(), theirs = by_sundials();

    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
        EXPECT_NEAR(ours[i].time, theirs[i].time, 1e-6 * theirs[i].time) << "step " << i;
        for (std::size_t j = 0; j < 3; ++j) {
            EXPECT_NEAR(ours[i].y[j], theirs[i].y[j], 1e-9) << "step " << i;
        }
    }
}

} // namespace
} // namespace rondo::solve
