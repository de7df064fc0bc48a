#include "integrator.hpp"

#include "flags.hpp"

#include <rondo/base/contract.hpp>

#include <cvodes/cvodes.h>
#include <cvodes/cvodes_ls.h>
#include <fmt/format.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

namespace rondo::solve {
namespace {

/// The careful setting; lengths as fractions of the way to the stop.
constexpr double careful_first_step = 1e-9;
constexpr double careful_longest_step = 0.02;
constexpr double careful_convergence = 0.001;
constexpr int careful_failures = 30;  ///< per step; the defaults are 10 (convergence) and 7 (error test)
constexpr int careful_iterations = 6; ///< the default is 3

/// Steps in a row that may leave the time as it is: CVODES itself only warns.
constexpr int most_still_steps = 10;

} // namespace

/// What CVODES calls. User data is the integrator.
struct Integrator::Callbacks {
    static Integrator& of(void* user_data) noexcept { return *static_cast<Integrator*>(user_data); }

    static int rates(double t, N_Vector y, N_Vector out, void* user_data) {
        Integrator& self = of(user_data);
        return self.problem_.rates(self.origin_ + t, data_of(y), data_of(out));
    }

    static int integrand(double t, N_Vector y, N_Vector out, void* user_data) {
        Integrator& self = of(user_data);
        return self.problem_.integrand(self.origin_ + t, data_of(y), data_of(out));
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
        newton_ = std::make_unique<Newton>(problem_, origin_, context_.get());
        check_flag(newton_->attach(memory), "CVodeSetLinearSolver");
        check_flag(CVodeSetNonlinConvCoef(memory, Newton::convergence), "CVodeSetNonlinConvCoef");
        if (problem_.shape.rows <= Newton::small_jacobian) {
            check_flag(CVodeSetLSetupFrequency(memory, Newton::jacobian_lifetime), "CVodeSetLSetupFrequency");
            check_flag(CVodeSetJacEvalFrequency(memory, Newton::jacobian_lifetime), "CVodeSetJacEvalFrequency");
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
    const double way = stop - t;
    expects(way != 0.0, "an integration goes from one time to another");
    origin_ = t;
    stop_ = stop;
    before_ = now_ = 0;
    arrived_ = false;
    n_still_ = 0;
    flag_ = CV_SUCCESS;
    message_.clear();
    problem_.error = nullptr;
    problem_.culprit = GuardedProblem::Culprit::none;
    check_flag(CVodeReInit(memory, 0.0, state_.get()), "CVodeReInit");
    if (problem_.n_integrals > 0) {
        check_flag(CVodeQuadReInit(memory, integrals_.get()), "CVodeQuadReInit");
    }
    check_flag(CVodeSetInitStep(memory, setting_.careful ? careful_first_step * way : 0.0), "CVodeSetInitStep");
    if (setting_.careful) {
        check_flag(CVodeSetMaxStep(memory, careful_longest_step * std::fabs(way)), "CVodeSetMaxStep");
    }
    check_flag(CVodeSetStopTime(memory, way), "CVodeSetStopTime");
}

Integrator::Progress Integrator::advance() {
    before_ = now_;
    flag_ = CVode(memory_.get(), stop_ - origin_, state_.get(), &now_, CV_ONE_STEP);
    if (problem_.error) {
        std::rethrow_exception(std::exchange(problem_.error, nullptr));
    }
    if (flag_ < 0) {
        return Progress::failed;
    }
    if (flag_ == CV_TSTOP_RETURN) {
        arrived_ = true;
        if (problem_.n_integrals > 0) {
            double at = 0;
            check_flag(CVodeGetQuad(memory_.get(), &at, integrals_.get()), "CVodeGetQuad");
        }
        return Progress::arrived;
    }
    if (now_ != before_) {
        n_still_ = 0;
        problem_.culprit = GuardedProblem::Culprit::none;
        return Progress::stepped;
    }
    return ++n_still_ < most_still_steps ? Progress::stepped : Progress::failed;
}

const double* Integrator::interpolate(double t) {
    // Rounding of t must not leave the step.
    const double since = std::clamp(t - origin_, std::min(before_, now_), std::max(before_, now_));
    check_flag(CVodeGetDky(memory_.get(), since, 0, scratch_.get()), "CVodeGetDky");
    return data_of(scratch_.get());
}

double Integrator::append_polynomial(std::vector<double>& out) {
    const std::size_t size = problem_.shape.size();
    const double* const column = data_of(scratch_.get());
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
    case Culprit::none:
        break;
    case Culprit::rate:
        text += "; a rate was not finite";
        break;
    case Culprit::jacobian:
        text += "; the Jacobian was not finite";
        break;
    case Culprit::integrand:
        text += "; the integrand of the gradient was not finite";
        break;
    }
    return text;
}

} // namespace rondo::solve
