#pragma once

#include <string>

namespace rondo::expression {

/// What every generated source begins with: the arguments of a kernel and the list of functions of libm.
[[nodiscard]] std::string source_prelude();

/// Values of W lanes and the operations on them that C++ has no operator for, in namespace `w<W>`: type V, load, store,
/// splat, comparisons, select, minimum, maximum and the mathematical functions. The only place that knows how lanes are
/// made; W = 1 are plain doubles, else GCC's vector extension. Each operation means what apply.hpp says.
[[nodiscard]] std::string lane_prelude(int width);

} // namespace rondo::expression
