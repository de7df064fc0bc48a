#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rondo::optimise {

/// The distributions a prior may have.
enum class PriorKind { normal, laplace, cauchy, student_t, uniform, lognormal, gamma };

/// Every distribution's name as a job file spells it, in the order of the enum.
[[nodiscard]] const std::vector<std::string>& prior_names();
[[nodiscard]] std::string_view name_of(PriorKind kind);

/// What is known of a parameter before the data, on the parameter's own scale (Transform::scale).
///
///     normal(mean, sigma)                laplace(location, scale)         cauchy(location, scale)
///     student_t(freedom, location, scale)                                 uniform(lower, upper)
///     lognormal(mu, sigma)  of log x     gamma(shape, rate)
struct Prior {
    PriorKind kind = PriorKind::normal;
    std::vector<double> arguments = {0.0, 1.0}; ///< in the order above

    bool operator==(const Prior&) const = default;
};

/// Read a prior such as `normal(0, 1)`; blanks between the parts do not matter.
/// @param where  begins the message: file, table and parameter
/// @throws InputError  not of the form name(number, ...), an unknown name, a wrong count of arguments, or an argument
///                     out of its range; the text names them and what is allowed
[[nodiscard]] Prior parse_prior(std::string_view text, const std::string& where);

/// The negative logarithm of the density, with every constant; +infinity outside the support.
/// Tests  tests/optimise/prior_test.cpp: the densities integrate to one.
[[nodiscard]] double negative_log(const Prior& prior, double x);

/// d negative_log / dx; 0 outside the support and at the kink of laplace.
/// Tests  tests/optimise/prior_test.cpp: against differences.
[[nodiscard]] double negative_log_slope(const Prior& prior, double x);

} // namespace rondo::optimise
