#include "finite_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace rondo::solve {

void require_finite(const model::Model& model, std::span<const double> row, Outcome& outcome) {
    const auto bad = std::find_if(row.begin(), row.end(), [](double value) { return !std::isfinite(value); });
    if (!outcome.solved || bad == row.end()) {
        return;
    }
    const auto index = static_cast<std::size_t>(bad - row.begin());
    outcome.solved = false;
    outcome.reason = index == 0                  ? std::string{"the loss is not finite"}
                     : index <= model.n_active() ? fmt::format("the derivative of the loss by \"{}\" is not finite",
                                                               model.parameters[model.active[index - 1]])
                                                 : std::string{"the Gauss-Newton matrix is not finite"};
}

} // namespace rondo::solve
