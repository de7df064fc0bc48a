#pragma once

#include "newton.hpp"
#include "problem.hpp"

#include <rondo/base/handle.hpp>
#include <rondo/solve/options.hpp>

#include <sundials/sundials_context.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rondo::solve {

/// How an integration is tried: the method, and whether with short steps and a strict nonlinear solver.
struct Setting {
    Method method = Method::bdf; ///< adams or bdf
    bool careful = false;
};

/// One CVODES memory with all it needs, used again for any number of integrations of one shape. A used one gives the
/// same bits as a new one: every start re-initialises it and asks for a new first step.
///
/// CVODES counts its time from the start, so that a fast transient late in time (after an event, or of the adjoint at a
/// save point) can be resolved with steps below the rounding of the time itself.
///
/// Tests   tests/solve/integrator_test.cpp
class Integrator {
public:
    enum class Progress : std::uint8_t { stepped, arrived, failed };

    /// @param problem      has to outlive the integrator
    /// @param n_integrals  number of integrals (error controlled, each by itself); 0: none
    Integrator(Problem& problem, const Shape& shape, std::size_t n_integrals, const Setting& setting);
    Integrator(const Integrator&) = delete;
    Integrator& operator=(const Integrator&) = delete;
    ~Integrator();

    /// Tolerances of all that follows: an entry's error stays below rtol |y| + atol of its entry.
    /// @param atol           [size] absolute tolerances
    /// @param atol_integrals [n_integrals]
    void set_tolerances(double rtol, std::span<const double> atol, std::span<const double> atol_integrals);

    /// [size] The state: put the initial one here before `start`; after `advance` the one at `time()`.
    [[nodiscard]] double* state() { return data_of(state_.get()); }
    /// [n_integrals] The integrals, in the same way.
    [[nodiscard]] double* integrals() { return data_of(integrals_.get()); }

    /// Begin at (t, state()) on the way to `stop`, which may be before t.
    void start(double t, double stop);

    /// Take one step; the last one ends exactly at the stop.
    /// Rethrows what the problem threw.
    [[nodiscard]] Progress advance();

    [[nodiscard]] double time() const { return arrived_ ? stop_ : origin_ + now_; }

    /// The state at a time within the last step. [size], valid until the next call.
    [[nodiscard]] const double* interpolate(double t);

    /// Coefficients c_0 .. c_q of the last step's interpolant  y(time() + s h) = sum_k c_k s^k,  h the last step,
    /// signed.
    /// @param out  appended to: (q + 1) * size doubles
    /// @return h
    double append_polynomial(std::vector<double>& out);

    /// What went wrong, after `failed`: the flag and its meaning.
    [[nodiscard]] std::string failure() const;

    /// Right-hand sides evaluated since the integrator was made.
    [[nodiscard]] std::int64_t n_rates() const { return problem_.n_rates; }
    [[nodiscard]] const GuardedProblem& guarded() const { return problem_; }

private:
    struct ContextTraits {
        using type = SUNContext;
        static type null() noexcept { return nullptr; }
        static void close(type context) noexcept { SUNContext_Free(&context); }
    };
    struct FixedPointTraits {
        using type = SUNNonlinearSolver;
        static type null() noexcept { return nullptr; }
        static void close(type solver) noexcept { SUNNonlinSolFree(solver); }
    };
    struct MemoryTraits {
        using type = void*;
        static type null() noexcept { return nullptr; }
        static void close(type memory) noexcept;
    };
    struct Callbacks;

    void set_up_solver();
    void set_up_integrals();

    GuardedProblem problem_;
    Setting setting_;
    double rtol_ = 0;
    std::vector<double> atol_; ///< padded
    double origin_ = 0;        ///< time of the start
    double stop_ = 0;
    double before_ = 0, now_ = 0; ///< since the start: where the last step began and ended
    bool arrived_ = false;
    int n_still_ = 0; ///< steps in a row that did not change the time since the start
    int flag_ = 0;
    std::string message_; ///< of CVODES
    // Destroyed from below: the memory before what it uses.
    UniqueHandle<ContextTraits> context_;
    Vector state_, scratch_, integrals_, integral_atol_;
    std::unique_ptr<Newton> newton_;
    UniqueHandle<FixedPointTraits> fixed_point_;
    UniqueHandle<MemoryTraits> memory_;
};

} // namespace rondo::solve
