#include "flags.hpp"

#include <rondo/base/contract.hpp>

#include <cvodes/cvodes.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <new>

namespace rondo::solve {
namespace {

struct Meaning {
    int flag;
    std::string_view text;
};

constexpr std::array<Meaning, 14> meanings{{
    {CV_TOO_MUCH_ACC, "the tolerances ask for more digits than a double has"},
    {CV_ERR_FAILURE, "the error test failed again and again however short the step"},
    {CV_CONV_FAILURE, "the equations of a step did not converge however short the step"},
    {CV_LSETUP_FAIL, "the Jacobian could not be evaluated"},
    {CV_LSOLVE_FAIL, "the linear equations of a step could not be solved"},
    {CV_RHSFUNC_FAIL, "the right-hand side failed"},
    {CV_FIRST_RHSFUNC_ERR, "the right-hand side could not be evaluated at the start"},
    {CV_REPTD_RHSFUNC_ERR, "the right-hand side could not be evaluated however short the step"},
    {CV_UNREC_RHSFUNC_ERR, "the right-hand side could not be evaluated and the step could not be shortened"},
    {CV_QRHSFUNC_FAIL, "the integrand of the gradient failed"},
    {CV_FIRST_QRHSFUNC_ERR, "the integrand of the gradient could not be evaluated at the start"},
    {CV_REPTD_QRHSFUNC_ERR, "the integrand of the gradient could not be evaluated however short the step"},
    {CV_UNREC_QRHSFUNC_ERR, "the integrand of the gradient could not be evaluated and the step could not be shortened"},
    {CV_TOO_CLOSE, "the times are too close to each other to start"},
}};

std::string_view meaning_of(int flag) {
    for (const Meaning& meaning : meanings) {
        if (meaning.flag == flag) {
            return meaning.text;
        }
    }
    return "the integrator gave up";
}

} // namespace

std::string explain_flag(int flag) {
    struct Free {
        void operator()(char* text) const noexcept { std::free(text); } // NOLINT: CVODES allocates it so
    };
    const std::unique_ptr<char, Free> name{CVodeGetReturnFlagName(flag)};
    return fmt::format("{}: {}", name ? name.get() : "unknown flag", meaning_of(flag));
}

void check_flag(int flag, const char* function, const char* file, int line) {
    if (flag == CV_MEM_FAIL) {
        throw std::bad_alloc{};
    }
    if (flag < 0) {
        contract_failed("CVODES failed in", fmt::format("{} ({})", function, explain_flag(flag)).c_str(), file, line);
    }
}

} // namespace rondo::solve
