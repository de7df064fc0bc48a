#include "progress.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cmath>
#include <string>

namespace rondo::app {

Progress::Progress(std::int64_t n_epochs, std::int64_t n_updates, std::int64_t first_update)
    : n_epochs_{n_epochs}, n_updates_{n_updates}, first_update_{first_update} {}

void Progress::report(const train::HistoryRow& row) {
    n_trajectories_ += row.n_solved + row.n_failed;
    const std::int64_t done = row.update + 1;
    const auto now = Clock::now();
    const bool round_number = done - first_update_ >= next_;
    if (!round_number && done < n_updates_ && std::chrono::duration<double>(now - last_).count() < 2.0) {
        return;
    }
    while (done - first_update_ >= next_) { // 1, 2, 5, 10, ...
        const auto lead = static_cast<std::int64_t>(
            static_cast<double>(next_) / std::pow(10.0, std::floor(std::log10(static_cast<double>(next_)))) + 0.5);
        next_ = lead == 2 ? next_ / 2 * 5 : next_ * 2;
    }
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    std::string line = fmt::format("update {}/{}, epoch {}/{}: loss {:.9g}, |gradient| {:.3g}", done, n_updates_,
                                   row.epoch + 1, n_epochs_, row.loss, row.gradient_norm);
    if (std::isfinite(row.validation_loss)) {
        line += fmt::format(", validation {:.9g}", row.validation_loss);
    }
    if (row.n_failed > 0) {
        line += fmt::format(", {} failed", row.n_failed);
    }
    spdlog::info("{}; {:.0f} trajectories/s", line, static_cast<double>(n_trajectories_) / seconds);
}

} // namespace rondo::app
