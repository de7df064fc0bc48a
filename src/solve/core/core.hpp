#pragma once

#include <rondo/expression/program.hpp>

#include <cstddef>

namespace rondo::solve {

/// Eight trajectories that are integrated side by side. Entry i of lane l of an array stands at [i * 8 + l].
/// `rows` states; columns: the states, then one sensitivity each.
struct LaneSystem {
    std::size_t rows = 0, columns = 1;
    expression::Kernel rates;                    ///< of all columns: KernelKind::rates or tangent
    expression::Kernel adjoint;                  ///< for the way back
    expression::Kernel jacobian;                 ///< of implicit methods, as the rest
    expression::Kernel time_rates, time_adjoint; ///< empty if autonomous; time_rates of all columns
    expression::Kernel second_tangent, second_adjoint;
    const double* parameter = nullptr;
    const double* covariate = nullptr; ///< [C * 8]
    [[nodiscard]] std::size_t size() const { return rows * columns; }
};

/// Where eight integrations stand. Times of a lane count from `origin`, where its state last jumped, so that a fast
/// transient late in time can be resolved with steps below the rounding of the time itself.
struct alignas(64) LaneClock {
    double origin[8] = {};
    double tau[8] = {};       ///< now, since origin
    double way[8] = {};       ///< where this segment ends, since origin
    double h[8] = {};         ///< of the step under way; 0: the lane is idle
    double after[8] = {};     ///< tau after this step
    double wish[8] = {};      ///< the step that the controller wants next
    double before[8] = {};    ///< binary logarithm of the last accepted error
    double error[8] = {};     ///< of the step under way: at most 1 where it meets the tolerances
    double stiffness[8] = {}; ///< explicit methods: about h times the largest eigenvalue of df/dx; beyond 3.25 not
                              ///< accuracy but stability limits the step
};

/// The tolerances of every column: rtol max(|y|, |y after|) + atol[column]. The error of a step is the worst column's
/// root mean square of error over tolerance.
struct LaneTolerance {
    double rtol = 0;
    const double* atol = nullptr;
};

/// A step as arrays in the slots of a tape; what each method keeps there is said at its functions.
struct LaneStep {
    const LaneSystem* system = nullptr;
    LaneClock* clock = nullptr;
    LaneTolerance tolerance;
    double* slot = nullptr; ///< of this step
    double* next = nullptr; ///< of the next one
    double* scratch = nullptr;
};

/// The way back through a step. lambda is the derivative of the loss in the state, of 8 lanes.
struct LaneBack {
    const LaneSystem* system = nullptr;
    const double* time = nullptr;       ///< [8] at the start of the step
    const double* time_after = nullptr; ///< [8] at its end
    const double* h = nullptr;          ///< [8] 0 in lanes for which there is nothing to do
    const double* slot = nullptr;
    double* lambda = nullptr; ///< [rows * 8] after the step; becomes the one before it
    double* carry = nullptr;  ///< [rows * 8] derivative of the loss in the first stage's rate of the step that follows
    double* stages = nullptr; ///< [stages * rows * 8] what save points within the step say of its stages
    double* direct = nullptr; ///< [rows * 8] and of the state before it; both are zeroed
    double* gradient = nullptr; ///< [(rows + m) * 8] rows of scratch, then the gradient that is added to
    double* scratch = nullptr;
};

/// An integration method's loops over lanes.
struct LaneMethod {
    std::size_t (*slot_size)(const LaneSystem&);    ///< doubles
    std::size_t (*scratch_size)(const LaneSystem&); ///< doubles
    std::size_t n_stages = 0;                       ///< of `LaneBack::stages`
    int rates_per_step = 0;
    /// Make the slot's state a beginning in the lanes of `fresh`: rates, and the first wish of the clock.
    void (*begin)(const LaneStep&, unsigned fresh);
    /// A step of clock.h: everything of `slot`, the state after it in `next`, clock.error.
    void (*step)(const LaneStep&);
    /// After the step: states [size * 8] at clock.tau + theta clock.h; the state before the step where theta is 0.
    void (*interpolate)(const LaneStep&, const double* theta, double* out);
    /// Lanes that did not accept the step stay where they were. What their stages hold is zeroed.
    void (*settle)(const LaneStep&, unsigned accepted);
    /// clock.h and after from the wish: not past the end of the way, idle (h = 0) but in the lanes of `active`.
    void (*plan)(LaneClock&, unsigned active);
    /// From clock.error: the lanes that accept the step; and every lane's next wish.
    unsigned (*judge)(LaneClock&, unsigned active);
    /// Add what a save point at theta says: gx [rows * 8] is the derivative of its loss in the state, zero in other
    /// lanes.
    void (*gather)(const LaneBack&, const double* theta, const double* gx);
    /// One step back.
    void (*back)(const LaneBack&);
    /// What the first stage of a step says of a state that had no step before it: lambda += (df/dx)^T carry, and so for
    /// the gradient, in the lanes of `fresh`; their carry becomes 0.
    void (*release)(const LaneBack&, unsigned fresh);
};

/// Loops that no method owns.
struct LaneLoops {
    /// gradient_k += sum_i gx_i s_ki for k < count in the lanes of `lanes`; gx [rows * 8], s [count * rows * 8],
    /// gradient [count * 8]
    void (*project)(const double* gx, const double* s, std::size_t rows, std::size_t count, unsigned lanes,
                    double* gradient);
    /// Squared residuals of values that are numbers, in the lanes of `lanes`: adds to loss [8], sets the slopes
    /// 2 (output - value), 0 elsewhere. outputs, values and slopes [count * 8].
    /// @param refused  receives the lanes whose loss is not finite
    /// @return the lanes that saw a value
    unsigned (*squared)(const double* outputs, const double* values, std::size_t count, unsigned lanes, double* loss,
                        double* slopes, unsigned& refused);
    /// x = 0 but in the lanes of `kept`; x [size * 8]
    void (*keep)(double* x, std::size_t size, unsigned kept);
};

/// What this machine's processor runs best.
struct Core {
    const char* name = "";
    LaneLoops loops;
    const LaneMethod* tsit5 = nullptr;
    const LaneMethod* rodas5p = nullptr;
};

/// Chosen once, from what the processor says of itself.
[[nodiscard]] const Core& core();

} // namespace rondo::solve
