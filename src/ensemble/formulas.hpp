#pragma once

#include <rondo/base/random.hpp>
#include <rondo/ensemble/build.hpp>
#include <rondo/expression/program.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rondo::ensemble {

/// What the formulas of a set may use besides `index` and the covariates.
enum class FormulaKind : std::uint8_t {
    covariates, ///< random numbers, and the formulas before
    times,      ///< nothing more
    targets     ///< the time `t`
};

/// Formulas of the job, evaluated together for one trajectory after another.
class Formulas {
public:
    /// @throws InputError  a text is not an expression; names the formula's place
    Formulas(std::span<const Formula> formulas, std::span<const std::string> covariate_names, FormulaKind kind);

    [[nodiscard]] std::size_t size() const { return n_; }

    /// Write the value of each formula to `out`. Random number k of trajectory i is a function of (seed, i, k) alone.
    ///
    /// @param covariates  [C] of the trajectory, in the order of the names given before
    void evaluate(std::int64_t trajectory, std::span<const double> covariates, double time, std::uint64_t seed,
                  std::span<double> out);

private:
    std::size_t n_ = 0;
    std::vector<expression::Input> random_; ///< kind of each random number
    std::vector<double> drawn_;
    std::shared_ptr<const expression::Module> module_;
};

} // namespace rondo::ensemble
