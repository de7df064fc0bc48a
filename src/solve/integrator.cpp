#include "integrator.hpp"

#include "flags.hpp"

#include <rondo/base/contract.hpp>

#include <cvodes/cvodes.h>
#include <cvodes/cvodes_ls.h>
#include <fmt/format.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

namespace rondo::solve {
namespace {

/// How far below the error test Newton's iteration has to converge; CVODES' default of 0.1 leaves noise in small
/// sensitivities of stiff systems that costs more steps than the iterations save (Robertson: 560 steps against 296).
constexpr double newton_convergence = 0.01;
/// Steps after which a small Jacobian is evaluated and factorised anew; CVODES' defaults are 51 and 20.
constexpr long jacobian_lifetime = 10;
constexpr std::size_t small_jacobian = 32;

/// The careful setting; lengths as fractions of the way to the stop.
constexpr double careful_first_step = 1e-9;
constexpr double careful_longest_step = 0.02;
constexpr double careful_convergence = 0.001;
constexpr int careful_failures = 30;         ///< per step; the defaults are 10 (convergence) and 7 (error test)
constexpr int careful_iterations = 6;        ///< the default is 3

/// Steps in a row that may leave the time as it is: CVODES itself only warns.
constexpr int most_still_steps = 10;

} // namespace

/// What CVODES calls. User data is the integrator.
struct Integrator::Callbacks {
    static Integrator& of(void* user_data) noexcept { return *static_cast<Integrator*>(user_data); }

    static int rates(double t, N_Vector y, N_Vector out, void* user_data) {
        return of(user_data).problem_.rates(t, data_of(y), data_of(out));
    }

    static int integrand(double t, N_Vector y, N_Vector out, void* user_data) {
        return of(user_data).problem_.integrand(t, data_of(y), data_of(out));
    }

    static int weights(N_Vector y, N_Vector w, void* user_data) {
        const Integrator& self = of(user_data);
        error_weights(self.rtol_, data_of(y), self.atol_.data(), data_of(w), self.atol_.size());
        return 0;
    }

    /// CVODES would print; rondo keeps the text for the reason of the failure. Warnings are not kept.
    static void message(int flag, const char* /*module*/, const char* /*function*/, char* text, void* user_data) {
        if (flag < 0) {
            try {
                of(user_data).message_ = text;
            } catch (...) { // NOLINT: out of memory; the flag alone must do
            }
        }
    }
};

void Integrator::MemoryTraits::close(type memory) noexcept { CVodeFree(&memory); }

Integrator::Integrator(Problem& problem, const Shape& shape, std::size_t n_integrals, const Setting& setting)
    : problem_{&problem, shape, n_integrals, 0, nullptr, GuardedProblem::Culprit::none, 0}, setting_{setting},
      atol_(padded(shape.size()), 1.0) {
    expects(shape.rows > 0 && shape.columns > 0, "an integration has at least one state");
    expects(setting.method != Method::automatic, "the method is decided before an integrator is made");
    SUNContext context = nullptr;
    if (SUNContext_Create(nullptr, &context) != 0) {
        throw std::bad_alloc{};
    }
    context_ = UniqueHandle<ContextTraits>{context};
    state_ = make_vector(shape, context);
    scratch_ = make_vector(shape, context);
    void* const memory = CVodeCreate(setting.method == Method::bdf ? CV_BDF : CV_ADAMS, context);
    if (memory == nullptr) {
        throw std::bad_alloc{};
    }
    memory_ = UniqueHandle<MemoryTraits>{memory};
    check_flag(CVodeSetErrHandlerFn(memory, Callbacks::message, this), "CVodeSetErrHandlerFn");
    check_flag(CVodeInit(memory, Callbacks::rates, 0.0, state_.get()), "CVodeInit");
    check_flag(CVodeSetUserData(memory, this), "CVodeSetUserData");
    check_flag(CVodeWFtolerances(memory, Callbacks::weights), "CVodeWFtolerances");
    check_flag(CVodeSetMaxHnilWarns(memory, -1), "CVodeSetMaxHnilWarns");
    set_up_solver();
    set_up_integrals();
}

Integrator::~Integrator() = default;

void Integrator::set_up_solver() {
    void* const memory = memory_.get();
    if (setting_.method == Method::bdf) {
        newton_ = std::make_unique<Newton>(problem_, context_.get());
        check_flag(newton_->attach(memory), "CVodeSetLinearSolver");
        check_flag(CVodeSetNonlinConvCoef(memory, newton_convergence), "CVodeSetNonlinConvCoef");
        if (problem_.shape.rows <= small_jacobian) {
            check_flag(CVodeSetLSetupFrequency(memory, jacobian_lifetime), "CVodeSetLSetupFrequency");
            check_flag(CVodeSetJacEvalFrequency(memory, jacobian_lifetime), "CVodeSetJacEvalFrequency");
        }
    } else {
        fixed_point_ = UniqueHandle<FixedPointTraits>{SUNNonlinSol_FixedPoint(state_.get(), 0, context_.get())};
        if (!fixed_point_) {
            throw std::bad_alloc{};
        }
        check_flag(CVodeSetNonlinearSolver(memory, fixed_point_.get()), "CVodeSetNonlinearSolver");
    }
    if (setting_.careful) {
        check_flag(CVodeSetNonlinConvCoef(memory, careful_convergence), "CVodeSetNonlinConvCoef");
        check_flag(CVodeSetMaxConvFails(memory, careful_failures), "CVodeSetMaxConvFails");
        check_flag(CVodeSetMaxErrTestFails(memory, careful_failures), "CVodeSetMaxErrTestFails");
        check_flag(CVodeSetMaxNonlinIters(memory, careful_iterations), "CVodeSetMaxNonlinIters");
    }
}

void Integrator::set_up_integrals() {
    const std::size_t count = problem_.n_integrals;
    if (count == 0) {
        return;
    }
    // One row and a column each: every integral meets the tolerances by itself.
    integrals_ = make_vector({1, count}, context_.get());
    integral_atol_ = make_vector({1, count}, context_.get());
    std::fill_n(data_of(integral_atol_.get()), padded(count), 1.0);
    void* const memory = memory_.get();
    check_flag(CVodeQuadInit(memory, Callbacks::integrand, integrals_.get()), "CVodeQuadInit");
    check_flag(CVodeSetQuadErrCon(memory, SUNTRUE), "CVodeSetQuadErrCon");
}

void Integrator::set_tolerances(double rtol, std::span<const double> atol, std::span<const double> atol_integrals) {
    expects(atol.size() == problem_.shape.size() && atol_integrals.size() == problem_.n_integrals,
            "one absolute tolerance for each entry");
    rtol_ = rtol;
    std::copy(atol.begin(), atol.end(), atol_.begin());
    if (problem_.n_integrals > 0) {
        std::copy(atol_integrals.begin(), atol_integrals.end(), data_of(integral_atol_.get()));
        check_flag(CVodeQuadSVtolerances(memory_.get(), rtol, integral_atol_.get()), "CVodeQuadSVtolerances");
    }
}

void Integrator::start(double t, double stop) {
    void* const memory = memory_.get();
    const double way = std::fabs(stop - t);
    const double rounding = std::numeric_limits<double>::epsilon() * std::max(std::fabs(t), std::fabs(stop));
    time_ = t;
    stop_ = stop;
    tiny_ = way <= 16.0 * rounding;
    n_still_ = 0;
    flag_ = CV_SUCCESS;
    message_.clear();
    problem_.error = nullptr;
    problem_.culprit = GuardedProblem::Culprit::none;
    if (tiny_) {
        return;
    }
    check_flag(CVodeReInit(memory, t, state_.get()), "CVodeReInit");
    if (problem_.n_integrals > 0) {
        check_flag(CVodeQuadReInit(memory, integrals_.get()), "CVodeQuadReInit");
    }
    const double first = setting_.careful ? std::copysign(std::max(careful_first_step * way, 16.0 * rounding), stop - t) : 0.0;
    check_flag(CVodeSetInitStep(memory, first), "CVodeSetInitStep");
    if (setting_.careful) {
        check_flag(CVodeSetMaxStep(memory, careful_longest_step * way), "CVodeSetMaxStep");
    }
    check_flag(CVodeSetStopTime(memory, stop), "CVodeSetStopTime");
}

/// One explicit Euler step over a distance of a few roundings, too short for CVODES.
Integrator::Progress Integrator::jump() {
    double* const y = state();
    double* const rate = data_of(scratch_.get());
    const double h = stop_ - time_;
    flag_ = problem_.rates(time_, y, rate);
    if (flag_ == 0 && problem_.n_integrals > 0) {
        std::vector<double> integrand(problem_.n_integrals);
        flag_ = problem_.integrand(time_, y, integrand.data());
        for (std::size_t i = 0; i < integrand.size(); ++i) {
            integrals()[i] += h * integrand[i];
        }
    }
    if (flag_ != 0) {
        flag_ = CV_FIRST_RHSFUNC_ERR;
        return Progress::failed;
    }
    for (std::size_t i = 0; i < problem_.shape.size(); ++i) {
        y[i] += h * rate[i];
    }
    time_ = stop_;
    return Progress::arrived;
}

Integrator::Progress Integrator::advance() {
    const double before = time_;
    Progress progress = Progress::failed;
    if (tiny_) {
        progress = jump();
    } else {
        flag_ = CVode(memory_.get(), stop_, state_.get(), &time_, CV_ONE_STEP);
        progress = flag_ < 0 ? Progress::failed : flag_ == CV_TSTOP_RETURN ? Progress::arrived : Progress::stepped;
    }
    if (problem_.error) {
        std::rethrow_exception(std::exchange(problem_.error, nullptr));
    }
    if (progress == Progress::arrived && problem_.n_integrals > 0 && !tiny_) {
        double at = 0;
        check_flag(CVodeGetQuad(memory_.get(), &at, integrals_.get()), "CVodeGetQuad");
    }
    if (progress == Progress::stepped && time_ != before) {
        n_still_ = 0;
        problem_.culprit = GuardedProblem::Culprit::none;
    } else if (progress == Progress::stepped && ++n_still_ >= most_still_steps) {
        progress = Progress::failed;
    }
    return progress;
}

const double* Integrator::interpolate(double t) {
    if (tiny_) {
        return state();
    }
    check_flag(CVodeGetDky(memory_.get(), t, 0, scratch_.get()), "CVodeGetDky");
    return data_of(scratch_.get());
}

double Integrator::append_polynomial(std::vector<double>& out) {
    const std::size_t size = problem_.shape.size();
    const double* const column = data_of(scratch_.get());
    if (tiny_) {
        out.insert(out.end(), state(), state() + size);
        return stop_ - time_;
    }
    int order = 0;
    double h = 0, now = 0;
    check_flag(CVodeGetLastOrder(memory_.get(), &order), "CVodeGetLastOrder");
    check_flag(CVodeGetLastStep(memory_.get(), &h), "CVodeGetLastStep");
    check_flag(CVodeGetCurrentTime(memory_.get(), &now), "CVodeGetCurrentTime");
    double factor = 1.0; // h^k / k!
    for (int k = 0; k <= order; ++k) {
        check_flag(CVodeGetDky(memory_.get(), now, k, scratch_.get()), "CVodeGetDky");
        for (std::size_t i = 0; i < size; ++i) {
            out.push_back(factor * column[i]);
        }
        factor *= h / (k + 1);
    }
    return h;
}

std::string Integrator::failure() const {
    using Culprit = GuardedProblem::Culprit;
    std::string text = flag_ < 0 ? explain_flag(flag_) : "the steps became shorter than the rounding of the time";
    if (flag_ == CV_ILL_INPUT) {
        text += fmt::format(" ({})", message_);
    }
    switch (problem_.culprit) {
    case Culprit::none: break;
    case Culprit::rate: text += "; a rate was not finite"; break;
    case Culprit::jacobian: text += "; the Jacobian was not finite"; break;
    case Culprit::integrand: text += "; the integrand of the gradient was not finite"; break;
    }
    return text;
}

} // namespace rondo::solve
