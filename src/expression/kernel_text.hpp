#pragma once

#include <rondo/expression/program.hpp>

#include <cstddef>
#include <string>

namespace rondo::expression {

/// The text of the kernel `rondo_<width>_<index>`, to stand in the namespace of its lane prelude. A program of more
/// than one part becomes one function a part; what they have in common they keep in an array of the kernel.
[[nodiscard]] std::string kernel_text(const Graph& graph, const Program& program, std::size_t width, std::size_t index);

} // namespace rondo::expression
