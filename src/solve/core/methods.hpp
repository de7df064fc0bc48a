#pragma once

#include "core.hpp"

namespace rondo::solve::RONDO_ISA {

/// Tsitouras 5(4), explicit, seven stages of which the last is the first of the next step.
/// Slot: y, k_1 .. k_6 [size * 8 each].
/// Source  Tsitouras, "Runge-Kutta pairs of order 5(4) satisfying only the first column simplifying assumption",
///         Computers and Mathematics with Applications 62, 2011 (also the fourth-order interpolant).
extern const LaneMethod tsit5;

/// Rodas5P, Rosenbrock, eight stages, stiffly accurate and L-stable. Sensitivities are those of the step itself: the
/// method applied to the augmented system with its exact Jacobian, which is block triangular with one and the same
/// block. Slot: y [size * 8], room for a direction [rows * 8], u_1 .. u_8 [size * 8 each]. Source  Steinebach,
/// "Construction of Rosenbrock-Wanner method Rodas5P and numerical benchmarks within the Julia
///         Differential Equations package", BIT Numerical Mathematics 63, 2023 (also the fourth-order interpolant).
extern const LaneMethod rodas5p;

} // namespace rondo::solve::RONDO_ISA
