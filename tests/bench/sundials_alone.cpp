#include "sundials_alone.hpp"

#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace rondo::bench {
namespace {

constexpr int n_sensitivities = 6;

const std::array<double, 6>& parameters_of(void* user_data) {
    return *static_cast<const std::array<double, 6>*>(user_data);
}

int rates(double, N_Vector y, N_Vector out, void* user_data) {
    const auto& p = parameters_of(user_data);
    const double* const x = N_VGetArrayPointer(y);
    double* const f = N_VGetArrayPointer(out);
    f[0] = p[0] * x[0] - p[1] * x[0] * x[1];
    f[1] = p[3] * x[0] * x[1] - p[2] * x[1];
    return 0;
}

int jacobian(double, N_Vector y, N_Vector, SUNMatrix matrix, void* user_data, N_Vector, N_Vector, N_Vector) {
    const auto& p = parameters_of(user_data);
    const double* const x = N_VGetArrayPointer(y);
    double* const j = SM_DATA_D(matrix);
    j[0] = p[0] - p[1] * x[1];
    j[1] = p[3] * x[1];
    j[2] = -p[1] * x[0];
    j[3] = p[3] * x[0] - p[2];
    return 0;
}

int sensitivity(int, double, N_Vector y, N_Vector, int k, N_Vector s, N_Vector out, void* user_data, N_Vector,
                N_Vector) {
    const auto& p = parameters_of(user_data);
    const double* const x = N_VGetArrayPointer(y);
    const double* const v = N_VGetArrayPointer(s);
    double* const r = N_VGetArrayPointer(out);
    r[0] = (p[0] - p[1] * x[1]) * v[0] - p[1] * x[0] * v[1];
    r[1] = p[3] * x[1] * v[0] + (p[3] * x[0] - p[2]) * v[1];
    switch (k) {
    case 0:
        r[0] += x[0];
        break;
    case 1:
        r[0] -= x[0] * x[1];
        break;
    case 2:
        r[1] -= x[1];
        break;
    case 3:
        r[1] += x[0] * x[1];
        break;
    default:
        break;
    }
    return 0;
}

int all_sensitivities(int count, double t, N_Vector y, N_Vector rate, N_Vector* s, N_Vector* out, void* user_data,
                      N_Vector a, N_Vector b) {
    for (int k = 0; k < count; ++k) {
        sensitivity(count, t, y, rate, k, s[k], out[k], user_data, a, b);
    }
    return 0;
}

void check(int flag) {
    if (flag < 0) {
        throw std::runtime_error{"CVODES failed"};
    }
}

} // namespace

LossGradient SundialsAlone::solve(const LotkaVolterra& task) const {
    std::array<double, 6> p = task.parameters;
    std::array<double, 6> scales{};
    for (std::size_t k = 0; k < scales.size(); ++k) {
        scales[k] = std::fabs(p[k]);
    }
    SUNContext context = nullptr;
    check(SUNContext_Create(nullptr, &context));
    N_Vector y = N_VNew_Serial(2, context);
    N_VGetArrayPointer(y)[0] = p[4];
    N_VGetArrayPointer(y)[1] = p[5];
    N_Vector* const s = N_VCloneVectorArray(n_sensitivities, y);
    for (int k = 0; k < n_sensitivities; ++k) {
        N_VConst(0.0, s[k]);
    }
    N_VGetArrayPointer(s[4])[0] = 1.0;
    N_VGetArrayPointer(s[5])[1] = 1.0;
    void* memory = CVodeCreate(CV_BDF, context);
    SUNMatrix matrix = SUNDenseMatrix(2, 2, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
    check(CVodeInit(memory, rates, 0.0, y));
    check(CVodeSetUserData(memory, &p));
    check(CVodeSStolerances(memory, rtol_, atol_));
    check(CVodeSetMaxNumSteps(memory, 100000));
    check(CVodeSetLinearSolver(memory, solver, matrix));
    check(CVodeSetJacFn(memory, jacobian));
    switch (corrector_) {
    case Corrector::simultaneous:
        check(CVodeSensInit(memory, n_sensitivities, CV_SIMULTANEOUS, all_sensitivities, s));
        break;
    case Corrector::staggered:
        check(CVodeSensInit1(memory, n_sensitivities, CV_STAGGERED, sensitivity, s));
        break;
    case Corrector::staggered_one_by_one:
        check(CVodeSensInit1(memory, n_sensitivities, CV_STAGGERED1, sensitivity, s));
        break;
    }
    check(CVodeSetSensParams(memory, p.data(), scales.data(), nullptr));
    check(CVodeSensEEtolerances(memory));
    check(CVodeSetSensErrCon(memory, SUNTRUE));
    LossGradient result;
    double t = 0;
    for (std::size_t row = 0; row < task.times.size(); ++row) {
        check(CVode(memory, task.times[row], y, &t, CV_NORMAL));
        check(CVodeGetSens(memory, &t, s));
        for (std::size_t i = 0; i < 2; ++i) {
            const double residual = N_VGetArrayPointer(y)[i] - task.data[2 * row + i];
            result.loss += residual * residual;
            for (std::size_t k = 0; k < result.gradient.size(); ++k) {
                result.gradient[k] += 2.0 * residual * N_VGetArrayPointer(s[k])[i];
            }
        }
    }
    CVodeFree(&memory);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroyVectorArray(s, n_sensitivities);
    N_VDestroy(y);
    SUNContext_Free(&context);
    return result;
}

} // namespace rondo::bench
