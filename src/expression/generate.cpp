#include <rondo/expression/program.hpp>

#include "kernel_text.hpp"
#include "prelude.hpp"

#include <rondo/base/contract.hpp>

#include <fmt/format.h>

#include <bit>

namespace rondo::expression {

std::string generate_source(const Graph& graph, std::span<const Program> programs, std::span<const int> widths) {
    std::string text = source_prelude();
    for (const int width : widths) {
        expects(width > 0 && width <= 64 && std::has_single_bit(static_cast<unsigned>(width)),
                "a compiled kernel's width is a power of two up to 64");
        text += lane_prelude(width);
        text += fmt::format("namespace w{} {{\n", width);
        for (std::size_t i = 0; i < programs.size(); ++i) {
            text += kernel_text(graph, programs[i], static_cast<std::size_t>(width), i);
        }
        text += "}\n";
    }
    return text;
}

} // namespace rondo::expression
